import type { Call, ParsedResponse, Request } from "./history.ts";
import { BrokenOff, NotConnected, Wire } from "./wire.ts";

/** The status after which a write may have taken effect nevertheless. */
const OPEN_ENDED = 503;

/** Sends requests to the servers and records what was sent and received, and when. */
export class Recorder {
  readonly #wires: (Wire | undefined)[] = [];
  #calls: Call[] = [];

  /** The number of servers. */
  get servers(): number {
    return this.#wires.length;
  }

  /** Sets the port of a server; undefined after it was killed. */
  setPort(server: number, port: number | undefined): void {
    this.#wires[server]?.[Symbol.dispose]();
    this.#wires[server] = port === undefined ? undefined : new Wire(port);
  }

  /** Returns the calls since the last time. */
  take(): Call[] {
    const calls = this.#calls;
    this.#calls = [];
    return calls.toSorted((one, other) => one.invoked - other.invoked);
  }

  /** @returns undefined if no connection could be made: then nothing was sent, and nothing is recorded */
  async send(server: number, request: Request): Promise<Call | undefined> {
    const wire = this.#wires[server];
    if (wire === undefined) return undefined;
    const { method, target, body, ifMatch, held, key, token } = request;
    const fields = {
      ...(body && { "content-type": "application/json" }),
      ...(ifMatch && { "if-match": ifMatch }),
      ...(method === "GET" && held?.response?.etag && { "if-none-match": held.response.etag }),
      ...(key && { "idempotency-key": key }),
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const invoked = performance.now();
    let response: ParsedResponse | undefined;
    try {
      const {
        status,
        headers,
        body: text,
      } = await wire.send(method, target, fields, body && JSON.stringify(body));
      const json = text === "" ? undefined : JSON.parse(text);
      response = { status, headers, etag: headers.get("etag"), body: json };
    } catch (error) {
      if (error instanceof NotConnected) return undefined;
      if (!(error instanceof BrokenOff)) throw error;
    }
    const isOpen = response === undefined || (method !== "GET" && response.status === OPEN_ENDED);
    const completed = isOpen ? Number.POSITIVE_INFINITY : performance.now();
    const call = { ...request, server, invoked, completed, response };
    this.#calls.push(call);
    return call;
  }
}
