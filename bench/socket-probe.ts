import type { Socket } from "bun";
import { type Latencies, PACE } from "./probe.ts";
import { percentile } from "./result.ts";

/** The exchange of a connection. */
interface Exchange {
  /** When the request was due, by the monotonic clock in milliseconds. */
  due: number;
  received: string;
}

/**
 * A probe like {@link Probe} for latencies below a millisecond: it writes to sockets of its own, since `fetch` takes longer
 * than such a response, and varies more. A connection has one request at a time; when all wait, another is opened.
 */
export class SocketProbe {
  readonly #url: URL;
  readonly #request: string;
  readonly #taken: number[] = [];
  readonly #sockets = new Set<Socket<Exchange>>();
  readonly #idle: Socket<Exchange>[] = [];
  readonly #waiting = new Set<Promise<void>>();
  readonly #answered = new Map<Socket<Exchange>, () => void>();
  #failure: unknown;
  #timer: ReturnType<typeof setInterval>;

  constructor(url: string) {
    this.#url = new URL(url);
    this.#request = `GET ${this.#url.pathname} HTTP/1.1\r\nhost: ${this.#url.host}\r\n\r\n`;
    this.#timer = setInterval(() => this.#ask(), PACE);
  }

  /** Stops sending, and waits for the responses. @throws when any were wrong */
  async stop(): Promise<Latencies> {
    clearInterval(this.#timer);
    await Promise.all(this.#waiting);
    for (const socket of this.#sockets) socket.end();
    if (this.#failure !== undefined) throw this.#failure;
    return {
      median: percentile(this.#taken, 0.5),
      p99: percentile(this.#taken, 0.99),
      count: this.#taken.length,
    };
  }

  #ask(): void {
    const asked = this.#exchange(performance.now())
      .catch((error) => {
        this.#failure ??= error;
      })
      .finally(() => this.#waiting.delete(asked));
    this.#waiting.add(asked);
  }

  async #exchange(due: number): Promise<void> {
    const socket = this.#idle.pop() ?? (await this.#connect());
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#answered.set(socket, resolve);
    socket.data = { due, received: "" };
    socket.write(this.#request);
    await promise;
  }

  async #connect(): Promise<Socket<Exchange>> {
    const socket = await Bun.connect<Exchange>({
      hostname: this.#url.hostname,
      port: Number(this.#url.port),
      data: { due: 0, received: "" },
      socket: {
        data: (socket, bytes) => this.#receive(socket, bytes),
        close: (socket) => this.#end(socket, new Error(`${this.#url} closed a connection`)),
      },
    });
    this.#sockets.add(socket);
    return socket;
  }

  #receive(socket: Socket<Exchange>, bytes: Buffer): void {
    const now = performance.now();
    const exchange = socket.data;
    exchange.received += bytes.toString("latin1");
    const end = exchange.received.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/^content-length: *(\d+)/im.exec(exchange.received)?.[1]);
    if (exchange.received.length < end + 4 + length) return;
    if (exchange.received.startsWith("HTTP/1.1 200 ")) {
      this.#taken.push(now - exchange.due);
      this.#idle.push(socket);
      this.#end(socket);
    } else this.#end(socket, new Error(`${this.#url} answered ${exchange.received.slice(0, 20)}`));
  }

  #end(socket: Socket<Exchange>, failure?: Error): void {
    const resolve = this.#answered.get(socket);
    if (resolve === undefined) return;
    this.#answered.delete(socket);
    this.#failure ??= failure;
    resolve();
  }
}
