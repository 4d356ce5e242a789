import { readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Refusal, StartError } from "../errors.ts";
import { UnreadableFile } from "../readers/files/unreadable-file.ts";
import { timeLimit } from "../time-limit.ts";
import type { StepProgress, UploadKind } from "./uploads.ts";

/** The hidden command of the process that reads. Its only argument is the folder. */
export const READ_FILE = "read-file";

/** What the folder has, by name: the file, what to do with it, the records that were read, and what was found. */
export const FILES = {
  input: "input",
  request: "request.json",
  records: "records.db",
  result: "result.json",
};

/** How a file is to be read; JSON. */
export interface ReadingRequest {
  readonly kind: UploadKind;
  readonly fileName: string;
  readonly now: number;
}

/** What it tells meanwhile, a line each. */
export interface ReadingMessage {
  /** Of all bytes, or rows. */
  readonly progress?: readonly [done: number, total: number];
  /** The positions of the bytes that were read. */
  readonly read?: readonly [start: number, end: number];
  /** The number of records so far. */
  readonly records?: number;
}

/** How far the reading of a file is: of its rows, or of its bytes with the number of records so far. */
export class Progress {
  readonly #size: number;
  #done = 0;
  #total = 0;
  #items = 0;

  /** @param size of the file, in bytes */
  constructor(size: number) {
    this.#size = size;
  }

  get now(): StepProgress {
    return { done: this.#done, total: this.#total, items: this.#items };
  }

  tell({ progress, read, records }: ReadingMessage): void {
    if (progress !== undefined) [this.#done, this.#total] = progress;
    if (records !== undefined) this.#items = records;
    if (read === undefined) return;
    const [start, end] = read;
    // Before the first record, what does not continue the beginning is the table of an archive, which stands at its end.
    if (end <= this.#done || (start > this.#done && this.#items === 0)) return;
    this.#done = end;
    this.#total = this.#size;
  }
}

/** What it tells at its end. */
export type ReadingResult =
  /** The number of records; null when the file is none that can be read. */
  | { readonly count: number | null }
  | { readonly unreadable: { readonly reason: string; readonly message: string } }
  | { readonly wrong: { readonly message: string; readonly exitCode: 1 | 2 } }
  | { readonly refused: Pick<Refusal, "reason" | "message" | "errors" | "retryAfter"> }
  | { readonly broken: string };

/** How often its memory is looked at, in milliseconds. */
const LOOK_EVERY = 50;
/** The processor time that it may take for each MB, and at most; in seconds. */
const TIME = { perMegabyte: 10, atMost: 600 };
/**
 * A plain file of bookmarks of at most this many bytes and rows is read where it is: a process would take longer to start than
 * to read it. In every format, a row takes one of these bytes: a line its end, an element or object its beginning.
 */
const SMALL = { bytes: 64 * 1024, rows: 2_000, marks: [..."\n\r<{["].map((mark) => mark.charCodeAt(0)) };
/** Of zip and gzip: what an archive unpacks to may be large, however small it is. */
const ARCHIVES = ["PK", "\u001f\u008b"];

/** What a process is, and what it may take. */
interface Reader {
  /** How it is called. */
  readonly program: readonly string[];
  /** The processor time for any file, in seconds. */
  readonly seconds: number;
  /** How many times as long it may last as it may compute, since others compute, too. */
  readonly patience: number;
  /** A process that needs more memory than this is ended, in bytes. */
  readonly memory: number;
}

const MAIN = join(import.meta.dir, "../main.ts");
const USUAL: Reader = {
  program: Bun.isStandaloneExecutable
    ? [process.execPath]
    : [process.execPath, "--no-env-file", "--no-install", MAIN],
  seconds: 30,
  patience: 10,
  memory: 768 * 1024 * 1024,
};

let reader = USUAL;

/** Only tests have others. */
export function useReader(other: Partial<Reader>): void {
  reader = { ...USUAL, ...other };
}

/** Whether a file is read in a process of its own: a blog always is, since what its texts refer to can make a small one large. */
export function needsProcess(file: string, kind: UploadKind): boolean {
  if (kind === "blog" || statSync(file).size > SMALL.bytes) return true;
  const bytes = readFileSync(file);
  return ARCHIVES.includes(bytes.toString("latin1", 0, 2)) || mayHaveManyRows(bytes);
}

function mayHaveManyRows(bytes: Uint8Array): boolean {
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1;
  return SMALL.marks.some((mark) => (counts[mark] ?? 0) > SMALL.rows);
}

/** Tells how far a reading is, and can end it. */
export interface ReadingWatch {
  readonly onMessage?: (message: ReadingMessage) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the file in a folder, and puts its records there. A small one of bookmarks is read in place, others in a process of their own, which a
 * hostile file can make slow or large without harm to others: it is ended when it takes too much memory or processor time.
 *
 * @returns the number of records; null when the file is none that can be read
 * @throws what the reader throws; UnreadableFile when the process was ended
 */
export async function readInFolder(
  folder: string,
  request: ReadingRequest,
  { onMessage = () => {}, signal }: ReadingWatch,
): Promise<number | null> {
  const file = join(folder, FILES.input);
  if (!needsProcess(file, request.kind)) {
    // The readers of all formats are loaded with the first file, not when the server starts.
    const { readUpload } = await import("./read-upload.ts");
    return readUpload(folder, request, onMessage);
  }
  writeFileSync(join(folder, FILES.request), JSON.stringify(request), { mode: 0o600 });
  await run(folder, timeFor(statSync(file).size), onMessage, signal);
  const result = JSON.parse(readFileSync(join(folder, FILES.result), "utf8")) as ReadingResult;
  if (!("count" in result)) throw errorOf(result);
  return result.count;
}

function timeFor(size: number): number {
  const { perMegabyte, atMost } = TIME;
  return Math.ceil(timeLimit(Math.min(atMost, reader.seconds + (perMegabyte * size) / 1_000_000)));
}

/** @param seconds of processor time @throws UnreadableFile when it was ended, or failed without a word */
async function run(
  folder: string,
  seconds: number,
  onMessage: (message: ReadingMessage) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  // The system keeps the time, also when this process has ended meanwhile.
  const limited = ["sh", "-c", 'ulimit -t "$0"; exec "$@"', String(seconds)];
  const child = Bun.spawn([...limited, ...reader.program, READ_FILE, folder], {
    stdio: ["ignore", "pipe", "ignore"],
    // It needs no setting, and no secret.
    env: { PATH: process.env.PATH, TMPDIR: tmpdir() },
  });
  const end = () => child.kill("SIGKILL");
  signal?.addEventListener("abort", end);
  const { memory, patience } = reader;
  let isTooLarge = false;
  // One that waits uses no processor time.
  const waiting = setTimeout(end, seconds * patience * 1_000);
  const looking = setInterval(() => {
    if (memoryOf(child.pid) <= memory) return;
    isTooLarge = true;
    end();
  }, LOOK_EVERY);
  try {
    for await (const line of linesOf(child.stdout)) onMessage(JSON.parse(line) as ReadingMessage);
    await child.exited;
  } finally {
    clearTimeout(waiting);
    clearInterval(looking);
    signal?.removeEventListener("abort", end);
    end();
  }
  signal?.throwIfAborted();
  if (isTooLarge) throw new UnreadableFile("takes too much memory to read");
  if (child.signalCode === "SIGXCPU" || child.signalCode === "SIGKILL")
    throw new UnreadableFile("takes too long to read");
  if (child.exitCode !== 0) throw new UnreadableFile("cannot be read: its reader has failed");
}

/** The resident memory of a process in bytes; 0 where the system does not tell it in a file. */
function memoryOf(pid: number): number {
  try {
    // Not in pages, whose size differs between machines.
    const [, kibibytes = 0] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kibibytes) * 1024;
  } catch {
    return 0;
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of stream) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** An error as the process that reads tells it. */
export function resultOf(error: unknown): ReadingResult {
  if (error instanceof UnreadableFile)
    return { unreadable: { reason: error.reason, message: error.message } };
  if (error instanceof StartError) return { wrong: { message: error.message, exitCode: error.exitCode } };
  if (error instanceof Refusal) {
    const { reason, message, errors, retryAfter } = error;
    return { refused: { reason, message, errors, retryAfter } };
  }
  return { broken: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function errorOf(result: Exclude<ReadingResult, { readonly count: unknown }>): Error {
  if ("unreadable" in result) {
    const { reason, message } = result.unreadable;
    return new UnreadableFile(reason, { message });
  }
  if ("wrong" in result) return new StartError(result.wrong.message, result.wrong.exitCode);
  if ("refused" in result) {
    const { reason, message, errors, retryAfter } = result.refused;
    return new Refusal(reason, message, { errors, ...(retryAfter !== undefined && { retryAfter }) });
  }
  return new Error(`The reader of a file failed: ${result.broken}`);
}
