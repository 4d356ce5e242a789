import {
  type Call,
  COMMON,
  type Collection,
  describe,
  type Item,
  isShown,
  itemsOf,
  LAST_READS,
  nameOf,
  type Place,
  placeOf,
  stateOf,
} from "./history.ts";
import { checkKey, type KeyOutcome } from "./keys.ts";
import { contradictionIn } from "./linearizability.ts";
import { countSpans, isPossible, type Presence, presenceSpans, spansBetween } from "./possible-counts.ts";
import { isBefore, type KnownRecord, type RecordHistory, Records, TOKEN } from "./records.ts";

/** The statuses that a request may get. 503 leaves the outcome of a write open. */
const STATUSES: Readonly<Record<string, readonly number[]>> = {
  "GET list": [200, 304, 404, 503],
  "GET one": [200, 304, 404, 503],
  // 404: the token was revoked after it was checked and before it was read.
  "GET token": [200, 401, 404, 503],
  POST: [201, 409, 412, 422, 503],
  PUT: [200, 404, 412, 503],
  PATCH: [200, 404, 412, 503],
  DELETE: [204, 404, 412, 503],
};

/**
 * Checks the history of clients round by round. A round ends when every request is answered or given up,
 * followed by reads of everything on every server. So the next round begins with a known state.
 */
export class Checker {
  #records: Map<string, KnownRecord> = new Map();
  readonly #tags = new Map<string, string>();
  readonly #keys = new Map<string, KeyOutcome>();
  /** The number of operations on single records that were placed in an order so far. */
  checked = 0;

  /**
   * @param calls all calls of a round, with the final reads last
   * @returns contradictions, as text
   */
  check(calls: readonly Call[]): string[] {
    const knowledge = { records: this.#records, tags: this.#tags, usedKeys: new Set(this.#keys.keys()) };
    const records = new Records(calls, knowledge);
    const histories = [...records.histories.values()];
    const faults = [
      ...calls.flatMap(checkStatus),
      ...records.faults,
      ...checkPages(calls),
      ...this.#checkKeys(calls),
      ...checkGuards(calls),
      ...checkCounts(calls, histories),
      ...histories.flatMap((history) => this.#checkRecord(history)),
    ];
    this.#records = knownAfter(calls, records.histories);
    return faults;
  }

  #checkKeys(calls: readonly Call[]): string[] {
    const keyed = Map.groupBy(calls, ({ key }) => key);
    return [...keyed].flatMap(([key, ofKey]) => {
      if (key === undefined) return [];
      const { faults, outcome } = checkKey(key, ofKey, this.#keys.get(key));
      if (outcome !== undefined) this.#keys.set(key, outcome);
      return faults;
    });
  }

  #checkRecord({ name, initial, operations }: RecordHistory): string[] {
    this.checked += operations.length;
    const found = contradictionIn(initial, operations);
    if (found === undefined) return [];
    const next = found.next.slice(0, 12).map(({ text }) => `\n    ${text}`);
    const before = operations
      .filter(
        ({ reads, invoked }) => !reads && invoked <= Math.max(...found.next.map((one) => one.completed)),
      )
      .slice(-6)
      .map(({ text }) => `\n    ${text}`);
    const what = found.kind === "undecided" ? "no order was found in time" : "no order explains this";
    return [
      `${name}: ${what}. State ${found.state || "absent"}; next would be one of:${next.join("")}\n  after:${before.join("")}`,
    ];
  }
}

function checkStatus(call: Call): string[] {
  if (call.response === undefined) return [];
  const { collection, id } = placeOf(call.target);
  const kind = collection === "tokens" ? "token" : id === undefined ? "list" : "one";
  const allowed = STATUSES[call.method === "GET" ? `GET ${kind}` : call.method] ?? [];
  const { status } = call.response;
  if (!allowed.includes(status)) return [`unexpected response: ${describe(call)}`];
  if (status === 304 && call.response.etag !== call.held?.response?.etag)
    return [`304 with another tag than was sent: ${describe(call)}`];
  return [];
}

/**
 * Checks that lists are in order and without duplicates, that a page of posts agrees with its count, and that
 * no draft is among the posts.
 */
function checkPages(calls: readonly Call[]): string[] {
  const bodies = new Map<string, string>();
  return calls.flatMap((call) => {
    const place = placeOf(call.target);
    if (call.method !== "GET" || place.id !== undefined || call.response?.status !== 200) return [];
    const items = itemsOf(place, call.response.body);
    const isSearch = place.query.has("q") || place.query.has("search");
    const faults: string[] = [];
    const ids = new Set(items.map(({ id }) => id));
    if (ids.size < items.length) faults.push("an item stands there twice");
    const isOrdered = items.every((item, index) => index === 0 || isBefore(items[index - 1] as Item, item));
    if (!isSearch && !isOrdered) faults.push("out of order");
    if (call.after !== undefined && items[0] && !isBefore(call.after, items[0]))
      faults.push("a page begins too early");
    if (place.collection === "posts" && items.some(({ published }) => !published))
      faults.push("a draft in public");
    if (place.collection !== "bookmarks" && !agrees(place, call.response.body))
      faults.push("count and results disagree");
    if (place.collection !== "bookmarks" && !isSearch && call.response.etag !== undefined) {
      const key = `${call.target} ${call.response.etag}`;
      const body = JSON.stringify(call.response.body);
      if (bodies.has(key) && bodies.get(key) !== body) faults.push("two pages under one tag");
      bodies.set(key, body);
    }
    return faults.map((fault) => `${fault}: ${describe(call)}`);
  });
}

function agrees({ query }: Place, body: unknown): boolean {
  const { count, results } = body as { count: number; results: unknown[] };
  const size = Number(query.get("page_size") ?? 20);
  const offset = (Number(query.get("page") ?? 1) - 1) * size;
  return results.length === Math.max(0, Math.min(size, count - offset));
}

/** Checks that a creation with the entity tag of a list only takes effect while the list is unchanged. */
function checkGuards(calls: readonly Call[]): string[] {
  const writes = calls.filter(({ method }) => method !== "GET");
  return calls.flatMap((call) => {
    const { held, response } = call;
    if (
      call.method !== "POST" ||
      held === undefined ||
      placeOf(call.target).collection !== "bookmarks" ||
      response?.headers.has("idempotency-replayed")
    )
      return [];
    const others = writes.filter(
      (write) => write !== call && placeOf(write.target).collection === "bookmarks",
    );
    const between = others.find(
      (write) =>
        [201, 204].includes(write.response?.status ?? 0) &&
        !write.response?.headers.has("idempotency-replayed") &&
        write.invoked > held.completed &&
        write.completed < call.invoked,
    );
    if (response?.status === 201 && between !== undefined)
      return [
        `a creation took effect although the list had changed: ${describe(call)}\n    ${describe(between)}`,
      ];
    const mayHaveChanged = others.some(
      (write) => write.completed > held.invoked && write.invoked < call.completed,
    );
    if (response?.status === 412 && !mayHaveChanged)
      return [`a creation was refused although the list was unchanged: ${describe(call)}`];
    return [];
  });
}

/** Checks that every count was possible at some moment of its request. */
function checkCounts(calls: readonly Call[], histories: readonly RecordHistory[]): string[] {
  const faults: string[] = [];
  for (const collection of ["bookmarks", "posts", "drafts"] as const) {
    const presences = presencesIn(histories, collection);
    const spans = countSpans(presences);
    const ofEach = presences.map(presenceSpans);
    for (const call of calls) {
      const place = placeOf(call.target);
      if (call.method !== "GET" || place.collection !== collection || place.id !== undefined) continue;
      const count = countIn(call, place);
      if (count === undefined) continue;
      const { invoked, completed } = call;
      const isSearch = place.query.has("q") || place.query.has("search");
      // The index processes each record at a different moment.
      const each = ofEach.map((own) => spansBetween(own, invoked, completed));
      const low = each.reduce((sum, own) => sum + Math.min(...own.map((span) => span.low)), 0);
      const high = each.reduce((sum, own) => sum + Math.max(...own.map((span) => span.high)), 0);
      const isRight = isSearch ? low <= count && count <= high : isPossible(count, spans, invoked, completed);
      if (!isRight) faults.push(`the count ${count} is none of ${low} to ${high}: ${describe(call)}`);
    }
  }
  return faults;
}

function presencesIn(histories: readonly RecordHistory[], collection: Collection): Presence[] {
  const family = nameOf(collection, 0).slice(0, -1);
  return histories
    .filter(({ name }) => name.startsWith(family))
    .map(({ initial, moves }) => ({
      initially: isShown(initial, collection),
      writes: moves.map(({ to, ...times }) => ({ ...times, present: to === collection })),
    }));
}

/** The number of all records, or of all that match the word that every text contains. */
function countIn({ response, held }: Call, { collection, query }: Place): number | undefined {
  if (
    response === undefined ||
    ![200, 304].includes(response.status) ||
    response.headers.has("search-behind")
  )
    return undefined;
  const word = query.get("q") ?? query.get("search");
  if (word !== null && word !== COMMON) return undefined;
  const { headers, body } = response.status === 304 ? (held?.response ?? response) : response;
  if (collection !== "bookmarks") return (body as { count: number }).count;
  const text = headers.get(word === null ? "x-total-count" : "search-matches");
  return text === undefined ? undefined : Number(text);
}

/** The state that the final reads of a round showed. */
function knownAfter(
  calls: readonly Call[],
  histories: ReadonlyMap<string, RecordHistory>,
): Map<string, KnownRecord> {
  const known = new Map<string, KnownRecord>();
  for (const target of LAST_READS) {
    const last = calls.findLast((call) => call.target === target && call.response?.status === 200);
    const { collection } = placeOf(target);
    for (const item of last === undefined ? [] : Records.shown(last)) {
      const { created_at, id } = item;
      known.set(nameOf(collection, id), { state: stateOf(item), sortKey: { created_at, id } });
    }
  }
  for (const name of histories.keys()) {
    const [noun, id] = name.split(" ");
    if (noun !== "token") continue;
    const last = calls.findLast(({ method, target }) => method === "GET" && target === `/api/tokens/${id}/`);
    if (last?.response?.status === 200) known.set(name, { state: TOKEN, sortKey: undefined });
  }
  return known;
}
