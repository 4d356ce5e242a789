import type { Socket } from "bun";

/** A response as received over the wire. */
export interface WireResponse {
  readonly status: number;
  /** The names are in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** No connection could be made, so nothing was sent. */
export class NotConnected extends Error {}

/** The connection broke before the response was complete. The outcome is unknown. */
export class BrokenOff extends Error {}

/** The time limit for a response, in milliseconds. Then the connection is given up. */
const PATIENCE = 120_000;

/**
 * An HTTP client that never sends a request twice. Common clients repeat a request when a kept-alive
 * connection breaks, and then report something other than what happened.
 */
export class Wire implements Disposable {
  readonly #port: number;
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();

  constructor(port: number) {
    this.#port = port;
  }

  /** @throws NotConnected, BrokenOff */
  async send(
    method: string,
    target: string,
    fields: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<WireResponse> {
    let connection = this.#idle.pop();
    while (connection?.isBroken) connection = this.#idle.pop();
    connection ??= await this.#open();
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const all = { host: `127.0.0.1:${this.#port}`, ...fields, ...length };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const response = await connection.exchange(
      `${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`,
    );
    if (response.headers.get("connection")?.toLowerCase() === "close") connection.close();
    else this.#idle.push(connection);
    return response;
  }

  [Symbol.dispose](): void {
    for (const connection of this.#all) connection.close();
  }

  async #open(): Promise<Connection> {
    const connection = new Connection(() => this.#all.delete(connection));
    try {
      await connection.open(this.#port);
    } catch (cause) {
      throw new NotConnected("no connection", { cause });
    }
    this.#all.add(connection);
    return connection;
  }
}

class Connection {
  isBroken = false;
  readonly #onClose: () => void;
  #socket: Socket | undefined;
  #received = Buffer.alloc(0);
  #unsent = Buffer.alloc(0);
  #waiting: PromiseWithResolvers<WireResponse> | undefined;

  constructor(onClose: () => void) {
    this.#onClose = onClose;
  }

  async open(port: number): Promise<void> {
    this.#socket = await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        data: (_, bytes) => this.#take(bytes),
        drain: () => this.#flush(),
        close: () => this.#end(),
        error: () => this.#end(),
        end: (socket) => {
          socket.end();
        },
      },
    });
    this.#socket.setNoDelay(true);
  }

  async exchange(request: string): Promise<WireResponse> {
    const waiting = Promise.withResolvers<WireResponse>();
    this.#waiting = waiting;
    this.#unsent = Buffer.from(request);
    this.#flush();
    if (this.isBroken) this.#end();
    const timer = setTimeout(() => this.close(), PATIENCE);
    try {
      return await waiting.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#socket?.terminate();
    this.#end();
  }

  #flush(): void {
    if (this.isBroken || this.#unsent.length === 0) return;
    const sent = this.#socket?.write(this.#unsent) ?? 0;
    if (sent > 0) this.#unsent = this.#unsent.subarray(sent);
  }

  #end(): void {
    this.isBroken = true;
    this.#waiting?.reject(new BrokenOff("the connection broke"));
    this.#waiting = undefined;
    this.#onClose();
  }

  #take(bytes: Uint8Array): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    const parsed = parseResponse(this.#received);
    if (parsed === undefined) return;
    this.#received = this.#received.subarray(parsed.length);
    this.#waiting?.resolve(parsed.response);
    this.#waiting = undefined;
  }
}

/** @returns undefined if the response is not yet complete */
function parseResponse(bytes: Buffer): { response: WireResponse; length: number } | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [line = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const status = Number(line.slice(9, 12));
  const headers = new Map(
    lines.map((field): [string, string] => {
      const colon = field.indexOf(":");
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
    }),
  );
  const start = end + 4;
  if (status === 204 || status === 304) return { response: { status, headers, body: "" }, length: start };
  if (headers.get("transfer-encoding") !== "chunked") {
    const length = start + Number(headers.get("content-length") ?? 0);
    if (bytes.length < length) return undefined;
    return { response: { status, headers, body: bytes.toString("utf8", start, length) }, length };
  }
  const chunks: Buffer[] = [];
  for (let place = start; ; ) {
    const lineEnd = bytes.indexOf("\r\n", place);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", place, lineEnd), 16);
    const chunkEnd = lineEnd + 2 + size;
    if (bytes.length < chunkEnd + 2) return undefined;
    chunks.push(bytes.subarray(lineEnd + 2, chunkEnd));
    place = chunkEnd + 2;
    if (size === 0)
      return { response: { status, headers, body: Buffer.concat(chunks).toString() }, length: place };
  }
}
