import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** The statement `commit`, as it is sent: with the zero that ends it, which the names of tables do not have. */
export const COMMIT = "commit\0";

interface Cut {
  readonly text: string;
  readonly when: "before" | "after";
}

/** A TCP proxy on a port of loopback: a fixed address, while the server behind it stops, changes or falls silent. */
export class TcpProxy implements AsyncDisposable {
  readonly port: number;
  /** The port to which new connections lead. */
  target: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** The number of accepted connections so far. */
  accepted = 0;
  #cut: Cut | undefined;
  /**
   * The delay of everything that the server sends to the client, in milliseconds. Set it before the first
   * connection.
   */
  delay = 0;
  #stalled = false;
  #listening = true;

  private constructor(server: Server, port: number, target: number) {
    this.#server = server;
    this.port = port;
    this.target = target;
    server.on("connection", (client: Socket) => this.#serve(client));
  }

  static async start(target: number): Promise<TcpProxy> {
    const server = createServer({ allowHalfOpen: false }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("A TCP server has no port.");
    return new TcpProxy(server, address.port, target);
  }

  /** Stops forwarding in both directions without closing connections, like a pulled cable. */
  stall(): void {
    this.#stalled = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Forwards what was sent in the meantime, and continues. */
  flow(): void {
    this.#stalled = false;
    for (const socket of this.#sockets) socket.resume();
  }

  /** Resets every connection. New ones are still accepted. */
  drop(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /**
   * Resets a connection, once, when its client sends `text`: just before the server gets it, or just before
   * the client gets the response.
   */
  cutAt(text: string, when: Cut["when"]): void {
    this.#cut = { text, when };
  }

  /** Resets every connection and refuses new ones. */
  async close(): Promise<void> {
    if (!this.#listening) return;
    this.#listening = false;
    this.#server.close();
    this.drop();
    await once(this.#server, "close");
  }

  /** Listens again after {@link close}. */
  async open(): Promise<void> {
    if (this.#listening) return;
    this.#listening = true;
    this.#server.listen(this.port, "127.0.0.1");
    await once(this.#server, "listening");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #serve(client: Socket): void {
    this.accepted++;
    const server = connect(this.target, "127.0.0.1");
    let breakOff = false;
    this.#join(client, server, (bytes) => {
      const cut = this.#cut !== undefined && bytes.includes(this.#cut.text) ? this.#cut : undefined;
      if (cut === undefined) return true;
      this.#cut = undefined;
      breakOff = true;
      if (cut.when === "before") client.resetAndDestroy();
      return cut.when === "after";
    });
    this.#join(server, client, (bytes) => {
      if (breakOff) client.resetAndDestroy();
      if (this.delay === 0 || breakOff) return !breakOff;
      setTimeout(() => client.write(bytes), this.delay);
      return false;
    });
  }

  #join(from: Socket, to: Socket, letThrough: (bytes: Buffer) => boolean): void {
    this.#sockets.add(from);
    from.setNoDelay(true);
    from.on("data", (bytes: Buffer) => {
      if (letThrough(bytes)) to.write(bytes);
    });
    from.on("error", () => {});
    from.on("close", () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    if (this.#stalled) from.pause();
  }
}
