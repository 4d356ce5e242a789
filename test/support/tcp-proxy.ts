import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

interface Cut {
  readonly text: string;
  readonly when: "before" | "after";
}

/**
 * A TCP proxy on a port of loopback: an address that stays while what stands behind it goes, changes or
 * falls silent.
 */
export class TcpProxy implements AsyncDisposable {
  readonly port: number;
  /** The port that new connections are taken to. */
  target: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** How many connections were made so far. */
  accepted = 0;
  #cut: Cut | undefined;
  /** How much later the client gets what the server sends, in milliseconds. To be set before the first connection. */
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

  /** From now on nothing is forwarded in either direction, and nobody is notified, as if a cable was pulled. */
  stall(): void {
    this.#stalled = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Lets through again what was sent meanwhile and all that follows. */
  flow(): void {
    this.#stalled = false;
    for (const socket of this.#sockets) socket.resume();
  }

  /** Breaks off every connection; new ones are still taken. */
  drop(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Breaks a connection off, once, when its client sends `text`: just before it gets through, or just before the answer does. */
  cutAt(text: string, when: Cut["when"]): void {
    this.#cut = { text, when };
  }

  /** Breaks off every connection and refuses new ones. */
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
