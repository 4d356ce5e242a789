import { setTimeout as sleep } from "node:timers/promises";
import { timeLimit } from "../../time-limit.ts";
import { hostUrlsOf, wantedServer } from "../database-url.ts";
import { connect } from "./connect.ts";

/** After this time, in milliseconds, a host counts as gone, so that a new primary is found soon after its promotion. */
const SEARCH_TIMEOUT_MS = 1_000;

/** A server that answers, but is not the one that the URL asks for. */
class WrongServer extends Error {}

/** No host of a URL is the one that it asks for. */
export class NoHost extends Error {
  /** Each host, by its URL, with what was wrong with it. */
  readonly reasons: readonly { readonly url: string; readonly error: unknown }[];

  constructor(reasons: NoHost["reasons"]) {
    super("No host of the database accepts writes.");
    this.reasons = reasons;
  }
}

/**
 * The hosts of a URL, as libpq understands several: one of them is used, the primary unless the URL asks for any. Whoever
 * loses a connection to it says so, and nothing is sent until all hosts have been asked again: a primary that comes back as a
 * standby has the same address, and old data.
 */
export class Hosts {
  /** Whether a server that accepts no writes is the wrong one. */
  readonly wantsWriter: boolean;
  readonly #urls: readonly string[];
  /** Whether there is nothing to look for. */
  readonly #isOne: boolean;
  #current: string | undefined;
  #searching: Promise<string> | undefined;
  #doubts = 0;

  constructor(url: string) {
    this.#urls = hostUrlsOf(url);
    const wanted = wantedServer(url);
    this.wantsWriter = wanted !== "any";
    this.#isOne = this.#urls.length === 1 && wanted === undefined;
    if (this.#isOne) this.#current = this.#urls[0];
  }

  /** The URL of the host in use; undefined while it must be looked for. */
  get current(): string | undefined {
    return this.#current;
  }

  /** @throws NoHost */
  async find(): Promise<string> {
    if (this.#current !== undefined) return this.#current;
    this.#searching ??= this.#search().finally(() => {
      this.#searching = undefined;
    });
    return this.#searching;
  }

  /** A connection was lost, or a write was refused. */
  doubt(): void {
    if (this.#isOne) return;
    this.#doubts++;
    this.#current = undefined;
  }

  async #search(): Promise<string> {
    for (;;) {
      const doubts = this.#doubts;
      const asking = this.#urls.map((url) => this.#ask(url));
      try {
        const found = await Promise.any(asking);
        if (doubts !== this.#doubts) continue;
        this.#current = found;
        return found;
      } catch {
        const results = await Promise.allSettled(asking);
        throw new NoHost(
          results.map((result, index) => ({
            url: this.#urls[index] ?? "",
            error: result.status === "rejected" ? result.reason : undefined,
          })),
        );
      }
    }
  }

  /** @returns the URL of a host that is the right one */
  async #ask(url: string): Promise<string> {
    const limit = timeLimit(SEARCH_TIMEOUT_MS);
    const settings = { application_name: "commonplace search" };
    const sql = connect(url, { max: 1, connectTimeout: limit, settings });
    try {
      const asked = sql.unsafe("select current_setting('transaction_read_only') = 'on' as read_only");
      const answer = await Promise.race([asked, sleep(limit, undefined, { ref: false })]);
      if (answer === undefined) throw new WrongServer("it does not respond");
      if (this.wantsWriter && answer[0]?.read_only)
        throw new WrongServer("it accepts no writes (a standby?)");
      return url;
    } finally {
      void sql.close({ timeout: 0 });
    }
  }
}

/** The URL of the one host to use for a while, such as by a command. @throws NoHost */
export function findHost(url: string): Promise<string> {
  return new Hosts(url).find();
}
