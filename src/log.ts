import { write } from "node:fs";
import { LogPages } from "./log-pages.ts";
import { printable, printableJson } from "./printable.ts";

/** From the most to the least verbose. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The log line of a request. Never the query, a whole header or a body: they may hold secrets. */
export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Until its response began. */
  readonly milliseconds: number;
  /** Size of the response's body. */
  readonly bytes: number;
  /** The client's address, or its network; undefined when it is not to be logged. */
  readonly address?: string | undefined;
  /** The username of the caller. */
  readonly account?: string | undefined;
  /** From `traceparent`: the trace that the request is part of, in hexadecimal digits. */
  readonly traceId?: string | undefined;
}

type Fields = Readonly<Record<string, string | number | boolean>>;

export interface LogOptions {
  readonly level: LogLevel;
  /** One JSON object per line, or text for people. */
  readonly format: "json" | "text";
  /** File descriptor to write to. */
  readonly descriptor?: number;
}

/** Longest time that a line is buffered, in milliseconds. */
const FLUSH_AFTER = 100;
/** Longest time that the end of the process waits for the log, in milliseconds. */
const CLOSE_TIMEOUT = 2_000;
/** When nobody reads the log, lines beyond this buffer size (in bytes) are dropped and counted. */
const BACKLOG_MAX = 8 * 1024 * 1024;

/** The log. Lines are buffered and written in batches, without ever blocking a request. */
export class Log {
  readonly #rank: number;
  readonly #json: boolean;
  readonly #descriptor: number;
  readonly #pages = new LogPages();
  #dropped = 0;
  #droppedBefore = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing = false;
  /** Whether the close was given up: then nothing more is written, for the descriptor may be another file's. */
  #abandoned = false;
  /** Called when the buffer is empty. */
  #onIdle: (() => void) | undefined;

  constructor({ level, format, descriptor = 1 }: LogOptions) {
    this.#rank = LOG_LEVELS.indexOf(level);
    this.#json = format === "json";
    this.#descriptor = descriptor;
  }

  /** Lines dropped so far because nobody read the log. */
  get droppedLines(): number {
    return this.#droppedBefore + this.#dropped;
  }

  /** Whether requests are logged. */
  get hasRequests(): boolean {
    return this.#rank <= LOG_LEVELS.indexOf("info");
  }

  debug(message: string, fields?: Fields): void {
    this.#say("debug", message, fields);
  }

  info(message: string, fields?: Fields): void {
    this.#say("info", message, fields);
  }

  warn(message: string, fields?: Fields): void {
    this.#say("warn", message, fields);
  }

  /** Logs an error with its stack and causes, which appear nowhere else. */
  error(message: string, error?: unknown, fields: Fields = {}): void {
    this.#say("error", message, error === undefined ? fields : { ...fields, error: describe(error) });
  }

  request(line: RequestLine): void {
    if (!this.hasRequests) return;
    const { requestId, method, path, status, milliseconds, bytes, address, account, traceId } = line;
    const took = milliseconds.toFixed(2);
    if (this.#json) {
      let more = "";
      if (address !== undefined) more += `,"address":"${address}"`;
      if (account !== undefined) more += `,"account":${JSON.stringify(account)}`;
      if (traceId !== undefined) more += `,"trace_id":"${traceId}"`;
      this.#append(
        `{"time":"${now()}","level":"info","request_id":"${requestId}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":${took},"bytes":${bytes}${more}}\n`,
      );
      return;
    }
    const more = {
      ...(address && { address }),
      ...(account && { account }),
      ...(traceId && { trace: traceId }),
    };
    this.#append(
      `${now()} ${method} ${printable(path)} ${status} ${took} ms ${bytes} B ${requestId}${asText(more)}\n`,
    );
  }

  /**
   * Resolves when every line so far is written, or after `timeout` milliseconds: a log that nobody reads must not
   * keep the process from ending.
   */
  async close(timeout = CLOSE_TIMEOUT): Promise<void> {
    const { promise: written, resolve } = Promise.withResolvers<void>();
    this.#onIdle = resolve;
    const timer = setTimeout(() => {
      this.#abandoned = true;
      resolve();
    }, timeout);
    this.#writeOut();
    await written;
    clearTimeout(timer);
    this.#onIdle = undefined;
  }

  #say(level: LogLevel, message: string, fields: Fields = {}): void {
    if (LOG_LEVELS.indexOf(level) < this.#rank) return;
    this.#append(
      this.#json
        ? `${printableJson({ time: now(), level, message, ...fields }, 0)}\n`
        : `${now()} ${level === "info" ? "" : `${level}: `}${printable(message)}${asText(fields)}\n`,
    );
  }

  #append(line: string): void {
    if (this.#pages.bytes > BACKLOG_MAX) {
      this.#dropped++;
      return;
    }
    this.#pages.append(line);
    if (this.#pages.hasFullPage) this.#writeOut();
    else this.#timer ??= setTimeout(() => this.#writeOut(), FLUSH_AFTER).unref();
  }

  #writeOut(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing || this.#abandoned) return;
    const page = this.#pages.take();
    this.#reportDropped();
    if (page.length > 0) this.#write(page, page);
    else this.#onIdle?.();
  }

  /** Writes the rest of a page. */
  #write(rest: Buffer, page: Buffer): void {
    if (this.#abandoned) return;
    this.#writing = true;
    write(this.#descriptor, rest, (error, written = 0) => {
      // EAGAIN: a pipe that is full. Any other error: the log's reader is gone, and its lines with it.
      const left = error === null || error.code === "EAGAIN" ? rest.subarray(written) : NOTHING;
      // Later lines wait until all of this is written, so that lines stay whole and in order.
      if (left.length > 0) {
        setTimeout(() => this.#write(left, page), FLUSH_AFTER).unref();
        return;
      }
      this.#writing = false;
      this.#pages.giveBack(page);
      if (this.#onIdle !== undefined || this.#pages.hasFullPage) this.#writeOut();
      else if (this.#pages.bytes > 0) this.#timer ??= setTimeout(() => this.#writeOut(), FLUSH_AFTER).unref();
    });
  }

  #reportDropped(): void {
    if (this.#dropped === 0 || this.#pages.bytes > BACKLOG_MAX) return;
    const dropped = this.#dropped;
    this.#dropped = 0;
    this.#droppedBefore += dropped;
    this.warn("The log reader is too slow; lines were dropped.", { dropped_lines: dropped });
  }
}

const NOTHING = Buffer.alloc(0);

let lastTime = 0;
let lastTimeText = "";

/** The time in RFC 3339, cached for a millisecond, since every request needs it. */
function now(): string {
  const time = Date.now();
  if (time !== lastTime) {
    lastTime = time;
    lastTimeText = new Date(time).toISOString();
  }
  return lastTimeText;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `\ncaused by: ${describe(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

function asText(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) =>
      // Indented, since an error may quote a client: only the log itself begins a line.
      name === "error"
        ? `\n${printable(String(value), "\n")}`.replaceAll("\n", "\n    ")
        : ` ${name}=${printable(String(value))}`,
    )
    .join("");
}
