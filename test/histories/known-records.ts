import {
  type Call,
  COMMON,
  type Collection,
  type Fields,
  type Item,
  isShown,
  itemsOf,
  placeOf,
  stateOf,
} from "./history.ts";

/** Consonants only: no word has an ending that a search could cut off. */
const LETTERS = "bcfhjkmpqrtvwxz";

/** Bookmarks, or posts with drafts. */
export type Family = "bookmarks" | "posts";

/** What clients know about a record. It may be out of date. */
export interface KnownRecord {
  readonly collection: Collection;
  readonly id: number;
  etag: string | undefined;
  readonly title: string;
  readonly text: string;
}

/**
 * The records that all clients have seen. Their knowledge is shared and partly out of date, so they overwrite
 * each other's changes.
 */
export class KnownRecords {
  readonly #seen = new Map<string, KnownRecord>();
  #words = 0;

  all(): KnownRecord[] {
    return [...this.#seen.values()];
  }

  of(family: Family): KnownRecord[] {
    return this.all().filter(({ collection }) => (collection === "bookmarks") === (family === "bookmarks"));
  }

  /** Records what a response shows as the latest state. */
  learn(call: Call | undefined): void {
    const status = call?.response?.status ?? 0;
    if (call === undefined || (status !== 200 && status !== 201)) return;
    const place = placeOf(call.target);
    const { collection, id } = place;
    if (id === undefined && call.method === "GET") {
      for (const item of itemsOf(place, call.response?.body))
        if (!this.#seen.has(keyOf(collection, item.id))) this.#see(collection, item, undefined);
      return;
    }
    const isReplay = call.response?.headers.has("idempotency-replayed");
    if (!isReplay) this.#see(collection, call.response?.body as Item, call.response?.etag);
  }

  forget({ collection, id }: KnownRecord): void {
    this.#seen.delete(keyOf(collection, id));
  }

  /** A word that was never used before. */
  newWord(): string {
    let word = "";
    for (let rest = ++this.#words, place = 0; place < 6; place++, rest = Math.floor(rest / LETTERS.length))
      word += LETTERS[rest % LETTERS.length];
    return word;
  }

  #see(collection: Collection, item: Item, etag: string | undefined): void {
    const { id, title, description, content = "" } = item;
    const postCollection = isShown(stateOf(item), "posts") ? "posts" : "drafts";
    const [text = ""] = (description ?? content).split(" ");
    const now = collection === "bookmarks" ? "bookmarks" : postCollection;
    this.#seen.set(keyOf(collection, id), { collection: now, id, etag, title, text });
  }
}

export function fieldsOf(isPost: boolean, title: string, text: string, published?: boolean): Fields {
  const words = `${text} ${COMMON}`;
  if (isPost) return { title, content: words, ...(published !== undefined && { published }) };
  return { title, url: "https://example.com/", description: words };
}

export function targetOf(collection: Collection): string {
  return collection === "bookmarks" ? "/bookmarks/" : `/api/${collection}/`;
}

export function recordTarget({ collection, id }: Pick<KnownRecord, "collection" | "id">): string {
  return `${targetOf(collection)}${id}${collection === "bookmarks" ? "" : "/"}`;
}

function keyOf(collection: Collection, id: number): string {
  return `${collection === "bookmarks" ? "bookmark" : "post"} ${id}`;
}
