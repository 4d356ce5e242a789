import {
  ABSENT,
  type Call,
  type Collection,
  describe,
  type Item,
  isMatch,
  isShown,
  itemsOf,
  merged,
  nameOf,
  type Place,
  placeOf,
  type SortKey,
  stateOf,
} from "./history.ts";
import type { Operation } from "./linearizability.ts";
import type { PresenceWrite } from "./possible-counts.ts";

/** The state of a token that exists. */
export const TOKEN = "token";

/** What is known about a record when a round begins. */
export interface KnownRecord {
  readonly state: string;
  readonly sortKey: SortKey | undefined;
}

/** The history of a record during a round. */
export interface RecordHistory {
  readonly name: string;
  readonly initial: string;
  readonly operations: Operation[];
  /**
   * Its writes that took effect, or may have, with the collection in which each put it; undefined after a
   * deletion.
   */
  readonly moves: (Omit<PresenceWrite, "present"> & { readonly to: Collection | undefined })[];
  /** The time from which it may exist, and the time from which it is certainly gone. */
  bornAfter: number;
  goneBy: number;
  sortKey: SortKey | undefined;
}

/** What is known when a round begins. */
export interface Knowledge {
  readonly records: ReadonlyMap<string, KnownRecord>;
  /** The state that an entity tag stands for, by the record's name and the tag. */
  readonly tags: Map<string, string>;
  /** Idempotency keys that created a record in earlier rounds. */
  readonly usedKeys: ReadonlySet<string>;
}

/** Splits a history by records: the calls on each record, and each list as a read of each of its records. */
export class Records {
  readonly histories = new Map<string, RecordHistory>();
  readonly faults: string[] = [];
  readonly #calls: readonly Call[];
  readonly #knowledge: Knowledge;
  /** The record that shows a word, by word. Only one request wrote each word. */
  readonly #owners = new Map<string, string>();

  constructor(calls: readonly Call[], knowledge: Knowledge) {
    this.#calls = calls;
    this.#knowledge = knowledge;
    for (const [name, { state, sortKey }] of knowledge.records)
      this.#add(name, { initial: state, bornAfter: Number.NEGATIVE_INFINITY, sortKey });
    for (const call of calls) this.#noteShown(call);
    this.#addCreations();
    for (const call of calls) this.#addWrite(call);
    for (const call of calls) if (call.method === "GET") this.#addRead(call);
  }

  /** The items that a response shows. For a 304, they are those of the response that it confirms. */
  static shown(call: Call): readonly Item[] {
    const { response, target, held } = call;
    const place = placeOf(target);
    if (place.collection === "tokens" || (call.method === "POST" && response?.status !== 201)) return [];
    if (response?.status === 304) return itemsOf(place, held?.response?.body);
    if (response?.status !== 200 && response?.status !== 201) return [];
    return call.method === "GET" ? itemsOf(place, response.body) : [response.body as Item];
  }

  #add(name: string, known: Pick<RecordHistory, "initial" | "bornAfter" | "sortKey">): RecordHistory {
    const history = { name, ...known, operations: [], moves: [], goneBy: Number.POSITIVE_INFINITY };
    this.histories.set(name, history);
    return history;
  }

  /** Records which record shows which words, and which state an entity tag stands for. */
  #noteShown(call: Call): void {
    const place = placeOf(call.target);
    const isReplay = call.response?.headers.has("idempotency-replayed") ?? false;
    for (const item of Records.shown(call)) {
      const name = nameOf(place.collection, item.id);
      for (const word of [item.title, (item.description ?? item.content ?? "").split(" ")[0] ?? ""]) {
        const owner = this.#owners.get(word);
        if (owner !== undefined && owner !== name)
          this.faults.push(
            `${name} and ${owner} both show ${word}, which was written once: ${describe(call)}`,
          );
        this.#owners.set(word, name);
      }
      const isSingle = place.id !== undefined || call.method !== "GET";
      if (isSingle && !isReplay && call.response?.etag !== undefined && call.response.status !== 304)
        this.#noteTag(name, call.response.etag, stateOf(item), call);
    }
  }

  #noteTag(name: string, etag: string, state: string, call: Call): void {
    const { tags } = this.#knowledge;
    const key = `${name} ${etag}`;
    const former = tags.get(key);
    if (former !== undefined && former !== state)
      this.faults.push(`${name}: the tag ${etag} stands for ${former} and for ${state}: ${describe(call)}`);
    tags.set(key, state);
  }

  /** A creation may be sent several times with one Idempotency-Key, but takes effect at most once. */
  #addCreations(): void {
    const creations = this.#calls.filter(({ method }) => method === "POST");
    for (const [word, attempts] of Map.groupBy(creations, ({ body }) => body?.title ?? body?.name ?? "")) {
      const possible = attempts.filter(
        ({ response }) => response === undefined || [201, 503].includes(response.status),
      );
      const [first] = possible;
      if (first === undefined || (first.key !== undefined && this.#knowledge.usedKeys.has(first.key)))
        continue;
      const { collection } = placeOf(first.target);
      const made = possible.find(({ response }) => response?.status === 201)?.response?.body as
        | Item
        | undefined;
      const name = made === undefined ? this.#owners.get(word) : nameOf(collection, made.id);
      if (name === undefined || this.histories.has(name)) continue;
      const invoked = Math.min(...possible.map((call) => call.invoked));
      const completed = Math.min(...possible.map((call) => call.completed));
      const state = collection === "tokens" ? TOKEN : stateOf(first.body as Item);
      const sortKey = made && { created_at: made.created_at, id: made.id };
      const history = this.#add(name, { initial: ABSENT, bornAfter: invoked, sortKey });
      const step = (before: string) => (before === ABSENT ? state : undefined);
      history.operations.push({
        invoked,
        completed,
        reads: false,
        step,
        text: possible.map(describe).join("\n    "),
      });
      const isPost = collection !== "bookmarks" && collection !== "tokens";
      const to = isPost ? (first.body?.published ? "posts" : "drafts") : collection;
      history.moves.push({ invoked, completed, to });
    }
  }

  #addWrite(call: Call): void {
    const { method, target, invoked, completed, response, ifMatch, body = {} } = call;
    const place = placeOf(target);
    if (method === "GET" || method === "POST" || place.id === undefined) return;
    const history = this.histories.get(nameOf(place.collection, place.id));
    // The record is from an earlier round and no longer exists.
    if (history === undefined) {
      if (response?.status === 200 || response?.status === 204)
        this.faults.push(`a record that is gone was changed: ${describe(call)}`);
      return;
    }
    const { tags } = this.#knowledge;
    const holds = (state: string) =>
      ifMatch === undefined || tags.get(`${history.name} ${ifMatch}`) === state;
    const after = (state: string) => (method === "DELETE" ? ABSENT : merged(state, body));
    const shown = response?.status === 200 ? stateOf(response.body as Item) : undefined;
    const step = (state: string) => {
      const exists = isShown(state, place.collection);
      if (response?.status === 404) return exists ? undefined : state;
      if (!exists) return undefined;
      if (response?.status === 412) return holds(state) ? undefined : state;
      if (!holds(state)) return undefined;
      const result = after(state);
      return shown === undefined || shown === result ? result : undefined;
    };
    const reads = response !== undefined && [404, 412].includes(response.status);
    history.operations.push({ invoked, completed, reads, step, text: describe(call) });
    if (reads) return;
    if (method === "DELETE") {
      history.moves.push({ invoked, completed, to: undefined });
      history.goneBy = Math.min(history.goneBy, completed);
    } else if (body.published !== undefined) {
      history.moves.push({ invoked, completed, to: body.published ? "posts" : "drafts" });
    }
  }

  #addRead(call: Call): void {
    const place = placeOf(call.target);
    const { status } = call.response ?? { status: 503 };
    if (status === 503) return;
    if (place.collection === "tokens") this.#addTokenRead(call, place);
    else if (place.id !== undefined) this.#addSingleRead(call, place);
    else if (status !== 404) this.#addList(call, place);
  }

  #observe(name: string, call: Call, holds: (state: string) => boolean, what: string): void {
    const history = this.histories.get(name);
    if (history === undefined) {
      if (!holds(ABSENT))
        this.faults.push(`${name} is shown, but nobody made it, or it is gone: ${describe(call)}`);
      return;
    }
    const step = (state: string) => (holds(state) ? state : undefined);
    const { invoked, completed } = call;
    history.operations.push({ invoked, completed, reads: true, step, text: `${what}: ${describe(call)}` });
  }

  #addTokenRead(call: Call, { id = 0 }: Place): void {
    const isValid = call.response?.status === 200;
    const what = isValid ? "valid" : "not valid";
    this.#observe(nameOf("tokens", id), call, (state) => (state === TOKEN) === isValid, what);
  }

  #addSingleRead(call: Call, { collection, id = 0 }: Place): void {
    const [item] = Records.shown(call);
    const state = item && stateOf(item);
    const holds = (now: string) =>
      state === undefined ? !isShown(now, collection) : now === state && isShown(now, collection);
    this.#observe(nameOf(collection, id), call, holds, state === undefined ? "absent" : "present");
  }

  /** Treats a list as a read of each record that it shows, and of each that it would have to show if it existed. */
  #addList(call: Call, place: Place): void {
    const { collection, query } = place;
    const items = Records.shown(call);
    const word = query.get("q") ?? query.get("search") ?? undefined;
    const isBehind = call.response?.headers.has("search-behind") ?? false;
    const names = new Set(items.map(({ id }) => nameOf(collection, id)));
    for (const item of items) {
      const name = nameOf(collection, item.id);
      const history = this.histories.get(name);
      if (history !== undefined) history.sortKey ??= { created_at: item.created_at, id: item.id };
      const state = stateOf(item);
      this.#observe(name, call, (now) => now === state && isShown(now, collection), "listed");
      // Index and record are read at different moments: a write in between may have removed the word.
      if (word !== undefined && !isBehind)
        this.#observe(name, call, (now) => now !== ABSENT && isMatch(now, word), "found");
    }
    if (isBehind) return;
    const family = nameOf(collection, 0).slice(0, -1);
    const covers = coverageOf(call, place, items);
    for (const { name, bornAfter, goneBy, sortKey } of this.histories.values()) {
      if (!name.startsWith(family) || names.has(name)) continue;
      if (call.completed < bornAfter || goneBy < call.invoked || !covers(sortKey)) continue;
      this.#observe(name, call, (now) => !isShown(now, collection) || !isMatch(now, word), "not listed");
    }
  }
}

/** Tests which records a response would show if they existed, by their positions in the list. */
function coverageOf(
  call: Call,
  { query }: Place,
  items: readonly Item[],
): (sortKey: SortKey | undefined) => boolean {
  const limit = Number(query.get("limit") ?? query.get("page_size") ?? Number.POSITIVE_INFINITY);
  const page = Number(query.get("page") ?? 1);
  const toEnd = items.length < limit;
  const fromStart = page === 1 && call.after === undefined;
  if (fromStart && toEnd) return () => true;
  const [first, last] = [call.after ?? items[0], items.at(-1)];
  return (sortKey) =>
    sortKey !== undefined &&
    (fromStart || (first !== undefined && isBefore(first, sortKey))) &&
    (toEnd || (last !== undefined && isBefore(sortKey, last)));
}

/** Whether a record comes before another, newest first. */
export function isBefore(one: SortKey, other: SortKey): boolean {
  if (one.created_at !== other.created_at) return one.created_at > other.created_at;
  return one.id > other.id;
}
