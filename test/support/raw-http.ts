import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

/** An HTTP answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case, in the order in which they came, as often as they came. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** Whether the body ended as its framing announced, not by the end of the connection. */
  readonly complete: boolean;
}

export interface RawRequest {
  readonly method: string;
  /** The request target, byte for byte. */
  readonly target: string;
  /** Sent after Host, which is `localhost` unless it stands here. */
  readonly fields?: Readonly<Record<string, string | number>>;
  /** Its Content-Length is added unless the fields have a framing of their own. */
  readonly body?: string | Uint8Array;
}

/** Sends one request over a connection of its own: what no well-behaved client would send. */
export async function exchange(url: string, request: RawRequest): Promise<RawAnswer> {
  using connection = await RawConnection.open(url);
  connection.write(head(request));
  if (request.body !== undefined) connection.write(request.body);
  return await connection.answer(request.method);
}

/** The first value of a field; undefined when it is not there. */
export function fieldOf(answer: RawAnswer, name: string): string | undefined {
  return answer.fields.find(([field]) => field === name)?.[1];
}

/** A body without its content coding. */
function decoded(body: Buffer, coding: string | undefined): Buffer {
  if (coding === "gzip") return gunzipSync(body);
  return coding === "br" ? brotliDecompressSync(body) : body;
}

/** A request's line and fields, as text. */
export function head({ method, target, fields = {}, body }: RawRequest): string {
  const framed = Object.keys(fields).some((name) => /^(?:content-length|transfer-encoding)$/i.test(name));
  const all: Record<string, string | number> = {
    ...(!("host" in fields) && { host: "localhost" }),
    ...fields,
    ...(body !== undefined && !framed && { "content-length": Buffer.byteLength(body) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** A TCP connection to a server. At most one piece is read ahead of what is asked for. */
export class RawConnection implements Disposable {
  readonly #socket: Socket;
  #buffer = Buffer.alloc(0);
  #ended = false;
  #wake = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (bytes: Buffer) => {
      socket.pause();
      this.#buffer = Buffer.concat([this.#buffer, bytes]);
      this.#wake();
    });
    socket.on("close", () => {
      this.#ended = true;
      this.#wake();
    });
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ""));
    // A server may answer and close while it is still being sent to: then the answer counts.
    socket.on("error", () => {});
    await once(socket, "connect");
    return new RawConnection(socket);
  }

  write(bytes: string | Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** Resolves when the kernel has taken it, or the connection is gone. */
  writeAll(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#socket.write(bytes, () => resolve()));
  }

  /** Ends this side of the connection, in the middle of a body perhaps. */
  finish(): void {
    this.#socket.end();
  }

  /** Reads one answer to its end, or to the connection's. @param method of the request: HEAD has no body */
  async answer(method: string): Promise<RawAnswer> {
    const { status, fields } = await this.head();
    const value = (name: string) => fields.find(([field]) => field === name)?.[1];
    const chunks: Buffer[] = [];
    let complete = true;
    if (method === "HEAD" || status === 204 || status === 304) return { status, fields, body: "", complete };
    if (value("transfer-encoding") === "chunked") {
      complete = await this.#readChunks(chunks);
    } else {
      const length = Number(value("content-length") ?? Number.POSITIVE_INFINITY);
      const bytes = await this.#take(length);
      chunks.push(bytes);
      complete = bytes.length === length;
    }
    const coded = Buffer.concat(chunks);
    const body = complete ? decoded(coded, value("content-encoding")) : coded;
    return { status, fields, body: body.toString(), complete };
  }

  /** Resolves when the first bytes of an answer are there; they are left to be read. */
  async beginning(): Promise<void> {
    while (this.#buffer.length === 0 && (await this.#fill()));
  }

  /** Reads the status line and the fields of an answer. */
  async head(): Promise<Pick<RawAnswer, "status" | "fields">> {
    const [line = "", ...lines] = (await this.#readTo("\r\n\r\n")).trimEnd().split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
    if (Number.isNaN(status)) throw new Error(`no answer came, but ${JSON.stringify(line)}`);
    const fields = lines.map((text): [string, string] => {
      const colon = text.indexOf(":");
      return [text.slice(0, colon).toLowerCase(), text.slice(colon + 1).trim()];
    });
    return { status, fields };
  }

  /** Whether the server has closed the connection, once everything that it sent is read. */
  async closed(): Promise<boolean> {
    await this.#take(Number.POSITIVE_INFINITY);
    return this.#ended;
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  /** @returns whether the last chunk came, the empty one */
  async #readChunks(chunks: Buffer[]): Promise<boolean> {
    while (true) {
      const line = await this.#readTo("\r\n");
      if (!line.endsWith("\r\n")) return false;
      const length = Number.parseInt(line, 16);
      const bytes = await this.#take(length + 2);
      chunks.push(bytes.subarray(0, length));
      if (bytes.length < length + 2) return false;
      if (length === 0) return true;
    }
  }

  /** What comes up to a mark, with it; less when the connection ends before. */
  async #readTo(mark: string): Promise<string> {
    let end = this.#buffer.indexOf(mark);
    while (end === -1 && (await this.#fill())) end = this.#buffer.indexOf(mark);
    return (await this.#take(end === -1 ? this.#buffer.length : end + mark.length)).toString("latin1");
  }

  /** This many bytes; less when the connection ends before. */
  async #take(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let missing = length;
    do {
      const part = this.#buffer.subarray(0, missing);
      this.#buffer = this.#buffer.subarray(part.length);
      parts.push(part);
      missing -= part.length;
    } while (missing > 0 && (await this.#fill()));
    return Buffer.concat(parts);
  }

  /** @returns whether more came, or had come meanwhile */
  async #fill(): Promise<boolean> {
    const length = this.#buffer.length;
    while (this.#buffer.length === length) {
      if (this.#ended) return false;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      this.#socket.resume();
      await promise;
    }
    return true;
  }
}
