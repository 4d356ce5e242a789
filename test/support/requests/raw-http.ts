import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

/** An HTTP response as received over the wire. */
export interface RawResponse {
  readonly status: number;
  /** Names in lower case, in the order received, with repeats. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** Whether the body ended by its framing, and not by the end of the connection. */
  readonly complete: boolean;
}

export interface RawRequest {
  readonly method: string;
  /** The request target, byte for byte. */
  readonly target: string;
  /** Sent after Host, which is `localhost` by default. */
  readonly fields?: Readonly<Record<string, string | number>>;
  /** The body. A Content-Length is added unless the fields contain a framing. */
  readonly body?: string | Uint8Array;
}

/** Sends one request over a new connection, including requests that no well-behaved client sends. */
export async function exchange(url: string, request: RawRequest): Promise<RawResponse> {
  using connection = await RawConnection.open(url);
  connection.write(head(request));
  if (request.body !== undefined) connection.write(request.body);
  return await connection.answer(request.method);
}

/** The first value of a field; undefined if it is absent. */
export function fieldOf(response: RawResponse, name: string): string | undefined {
  return response.fields.find(([field]) => field === name)?.[1];
}

/** Removes the content coding of a body. */
function decoded(body: Buffer, coding: string | undefined): Buffer {
  if (coding === "gzip") return gunzipSync(body);
  return coding === "br" ? brotliDecompressSync(body) : body;
}

/** The request line and the fields, as text. */
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

/** A TCP connection to a server. It reads ahead at most one piece. */
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
    // A server may answer and close during the request: then the response counts.
    socket.on("error", () => {});
    await once(socket, "connect");
    return new RawConnection(socket);
  }

  write(bytes: string | Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** Resolves when the kernel has accepted the bytes, or the connection is closed. */
  writeAll(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#socket.write(bytes, () => resolve()));
  }

  /** Ends this side of the connection, possibly in the middle of a body. */
  finish(): void {
    this.#socket.end();
  }

  /**
   * Reads one response to its end, or to the end of the connection. @param method of the request: HEAD has no
   * body
   */
  async answer(method: string): Promise<RawResponse> {
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

  /** Resolves when the first bytes of a response have arrived, without consuming them. */
  async beginning(): Promise<void> {
    while (this.#buffer.length === 0 && (await this.#fill()));
  }

  /** Reads the status line and the fields of a response. */
  async head(): Promise<Pick<RawResponse, "status" | "fields">> {
    const [line = "", ...lines] = (await this.#readTo("\r\n\r\n")).trimEnd().split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
    if (Number.isNaN(status)) throw new Error(`no answer came, but ${JSON.stringify(line)}`);
    const fields = lines.map((text): [string, string] => {
      const colon = text.indexOf(":");
      return [text.slice(0, colon).toLowerCase(), text.slice(colon + 1).trim()];
    });
    return { status, fields };
  }

  /** Reads everything that the server sent. @returns whether it then closed the connection */
  async closed(): Promise<boolean> {
    await this.#take(Number.POSITIVE_INFINITY);
    return this.#ended;
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  /** @returns whether the last, empty chunk arrived */
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

  /** Reads up to and including a mark; less if the connection ends first. */
  async #readTo(mark: string): Promise<string> {
    let end = this.#buffer.indexOf(mark);
    while (end === -1 && (await this.#fill())) end = this.#buffer.indexOf(mark);
    return (await this.#take(end === -1 ? this.#buffer.length : end + mark.length)).toString("latin1");
  }

  /** Reads this many bytes; less if the connection ends first. */
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

  /** @returns whether more bytes have arrived */
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
