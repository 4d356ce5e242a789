import type { Random } from "../support/run/random.ts";
import { type Call, COMMON, type Item } from "./history.ts";
import { type Family, type KnownRecords, recordTarget } from "./known-records.ts";
import type { Recorder } from "./recorder.ts";

/** Sends random reads, with the entity tags of earlier responses. */
export class Reader {
  readonly #recorder: Recorder;
  readonly #known: KnownRecords;
  readonly #admin: string;
  /** The latest response with an entity tag, by target. */
  readonly #copies = new Map<string, Call>();

  /** @param admin a token that may read drafts */
  constructor(recorder: Recorder, known: KnownRecords, admin: string) {
    this.#recorder = recorder;
    this.#known = known;
    this.#admin = admin;
  }

  /** Sends one read, often a conditional one. @param words the words to search for */
  async look(random: Random, server: number, family: Family, words: readonly string[]): Promise<void> {
    const target = this.#readTarget(random, family, words);
    const copy = this.#copies.get(target);
    const isPublic = !target.startsWith("/api/drafts/");
    const call = await this.#recorder.send(server, {
      method: "GET",
      target,
      ...(copy && random.chance(0.6) && { held: copy }),
      ...((!isPublic || random.chance(0.3)) && { token: this.#admin }),
    });
    if (call?.response?.status !== 200) return;
    if (call.response.etag !== undefined) this.#copies.set(target, call);
    this.#known.learn(call);
    const next = /<[^>]*?\/\/[^/]+(\/[^>]*)>; rel="next"/.exec(call.response.headers.get("link") ?? "")?.[1];
    const last = next === undefined ? undefined : (call.response.body as Item[]).at(-1);
    if (next !== undefined && last !== undefined && words.length > 0)
      await this.#recorder.send(server, {
        method: "GET",
        target: next,
        after: { created_at: last.created_at, id: last.id },
      });
  }

  #readTarget(random: Random, family: Family, words: readonly string[]): string {
    const known = this.#known.of(family);
    const roll = random.next();
    if (roll < 0.25 && known.length > 0) return recordTarget(random.pick(known));
    const word =
      words.length === 0 ? undefined : roll < 0.5 ? COMMON : roll < 0.65 ? random.pick(words) : undefined;
    if (family === "bookmarks") {
      if (word !== undefined) return `/bookmarks/?q=${word}&limit=100`;
      return random.pick([
        "/bookmarks/",
        "/bookmarks/?limit=100",
        "/bookmarks/?limit=100",
        "/bookmarks/?limit=3",
      ]);
    }
    const collection = random.chance(0.75) ? "posts" : "drafts";
    if (word !== undefined) return `/api/${collection}/?search=${word}&page_size=100`;
    return `/api/${collection}/?${random.pick(["page_size=100", "page_size=100", "page_size=3", "page_size=2&page=2"])}`;
  }
}
