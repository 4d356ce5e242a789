import { describe, expect, test } from "bun:test";
import { Checker } from "./checker.ts";
import type { Call, Item, ParsedResponse, Request } from "./history.ts";

const NEVER = Number.POSITIVE_INFINITY;

/** A bookmark in one of its states. Separate requests wrote its words. */
function bookmark(id: number, title: string, text = `${title}x`): Item & { description: string } {
  return { id, title, description: `${text} common`, created_at: `2026-11-22T00:00:00.00${id}Z` };
}

function post(id: number, title: string, published: boolean): Item {
  const created_at = `2026-11-22T00:00:00.00${id}Z`;
  return { id, title, content: `${title}x common`, published, created_at };
}

interface GivenResponse {
  readonly status?: number;
  readonly etag?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A call between two moments, and its response. Without a response, the outcome is unknown. */
function call(invoked: number, completed: number, request: Request, given?: GivenResponse): Call {
  const { status = 200, etag, body, headers = {} } = given ?? {};
  const response: ParsedResponse = { status, etag, body, headers: new Map(Object.entries(headers)) };
  const isOpen = given === undefined;
  return {
    ...request,
    server: 0,
    invoked,
    completed: isOpen ? NEVER : completed,
    response: isOpen ? undefined : response,
  };
}

const get = (target: string, extra: Partial<Request> = {}): Request => ({ method: "GET", target, ...extra });
const fieldsOf = ({ title, description }: Item) => ({ title, ...(description && { description }) });

const one = bookmark(1, "one");
const made = call(
  1,
  2,
  { method: "POST", target: "/bookmarks/", body: fieldsOf(one) },
  { status: 201, etag: '"1"', body: one },
);
const two = bookmark(1, "two");
const replaced = call(
  5,
  6,
  { method: "PUT", target: "/bookmarks/1", body: fieldsOf(two), ifMatch: '"1"' },
  { body: two },
);
const listed = call(3, 4, get("/bookmarks/?limit=100"), {
  etag: '"L1"',
  body: [one],
  headers: { "x-total-count": "1" },
});

const faultsOf = (...calls: Call[]) => new Checker().check(calls);

describe("A history without faults", () => {
  const before = post(1, "before", false);
  const after = post(1, "after", true);
  const good: Readonly<Record<string, readonly Call[]>> = {
    "reads what was written": [
      made,
      listed,
      replaced,
      call(7, 8, get("/bookmarks/1"), { etag: '"2"', body: two }),
      call(7, 8, get("/bookmarks/?q=two&limit=100"), { body: [two], headers: { "search-matches": "1" } }),
      call(7, 8, get("/bookmarks/?q=one&limit=100"), { body: [] }),
    ],
    "revalidates a list that has not changed": [
      made,
      listed,
      call(5, 6, get("/bookmarks/?limit=100", { held: listed }), { status: 304, etag: '"L1"' }),
    ],
    "lists a creation under way, or does not": [
      call(1, 9, made, { status: 201, etag: '"1"', body: one }),
      call(2, 3, get("/bookmarks/"), { body: [] }),
      call(4, 5, get("/bookmarks/"), { body: [one] }),
    ],
    "misses a record while the index says that it is behind": [
      made,
      call(3, 4, get("/bookmarks/?q=one&limit=100"), { body: [], headers: { "search-behind": "1" } }),
    ],
    "finds a post by a word that a request under way replaces": [
      call(1, 2, { method: "POST", target: "/api/posts/", body: before }, { status: 201, body: before }),
      call(3, 6, { method: "PUT", target: "/api/drafts/1/", body: after }, { body: after }),
      call(4, 7, get("/api/posts/?search=before&page_size=100"), { body: { count: 1, results: [after] } }),
    ],
    "finds what came of a creation without an answer": [
      call(1, 2, { method: "POST", target: "/bookmarks/", body: fieldsOf(one) }),
      call(3, 4, get("/bookmarks/"), { body: [] }),
      call(5, 6, get("/bookmarks/"), { body: [one] }),
    ],
  };
  for (const [name, calls] of Object.entries(good)) test(name, () => expect(faultsOf(...calls)).toEqual([]));
});

describe("Found is", () => {
  const keyed = { ...made, key: "k" };
  const replay = { "idempotency-replayed": "true" };
  const draft = post(1, "draft", false);
  const draftMade = call(
    1,
    2,
    { method: "POST", target: "/api/posts/", body: draft },
    { status: 201, body: draft },
  );
  const bad: Readonly<Record<string, readonly Call[]>> = {
    "a list without a confirmed bookmark": [made, call(3, 4, get("/bookmarks/"), { body: [] })],
    "a list with a former state": [made, replaced, call(7, 8, get("/bookmarks/"), { body: [one] })],
    "a list with a deleted bookmark": [
      made,
      call(3, 4, { method: "DELETE", target: "/bookmarks/1" }, { status: 204 }),
      call(5, 6, get("/bookmarks/"), { body: [one] }),
    ],
    "a list with something twice": [made, call(3, 4, get("/bookmarks/"), { body: [one, one] })],
    "a bookmark that nobody made": [call(3, 4, get("/bookmarks/"), { body: [one] })],
    "a page without a bookmark that belongs between two others": [
      made,
      call(1, 2, { ...made, body: { title: "b" } }, { status: 201, body: bookmark(2, "b") }),
      call(1, 2, { ...made, body: { title: "c" } }, { status: 201, body: bookmark(3, "c") }),
      call(3, 4, get("/bookmarks/?limit=2"), { body: [bookmark(3, "c"), one] }),
    ],
    "a wrong count": [
      made,
      call(3, 4, get("/bookmarks/?limit=100"), { body: [one], headers: { "x-total-count": "2" } }),
    ],
    "a search without a confirmed bookmark": [
      made,
      call(3, 4, get("/bookmarks/?q=one&limit=100"), { body: [] }),
    ],
    "a search that finds a former word": [
      made,
      replaced,
      call(7, 8, get("/bookmarks/?q=one&limit=100"), { body: [two] }),
    ],
    "a 304 of a list that has changed": [
      made,
      listed,
      replaced,
      call(7, 8, get("/bookmarks/?limit=100", { held: listed }), { status: 304, etag: '"L1"' }),
    ],
    "one tag for two states": [made, replaced, call(7, 8, get("/bookmarks/1"), { etag: '"1"', body: two })],
    "an If-Match that was not compared": [
      made,
      replaced,
      call(7, 8, { ...replaced, body: { title: "three" } }, { body: { ...two, title: "three" } }),
    ],
    "an If-Match that was refused for nothing": [made, call(3, 4, replaced, { status: 412 })],
    "a refused write that took effect": [
      made,
      replaced,
      call(7, 8, { ...replaced, body: { title: "three" } }, { status: 412 }),
      call(9, 10, get("/bookmarks/1"), { body: { ...two, title: "three" } }),
    ],
    "a creation that happened twice": [
      keyed,
      call(3, 4, keyed, { status: 201, body: { ...one, id: 2 } }),
      call(5, 6, get("/bookmarks/"), { body: [{ ...one, id: 2 }, one] }),
    ],
    "another answer to a repeat": [keyed, call(3, 4, keyed, { status: 201, body: two, headers: replay })],
    "a repeat with another body": [
      keyed,
      call(3, 4, { ...keyed, body: fieldsOf(two) }, { status: 201, body: one, headers: replay }),
    ],
    "a creation guarded by the tag of a list that had changed": [
      made,
      listed,
      call(5, 6, { ...made, body: { title: "b" } }, { status: 201, body: bookmark(2, "b") }),
      call(
        7,
        8,
        { ...made, body: { title: "c" }, held: listed, ifMatch: '"L1"' },
        { status: 201, body: bookmark(3, "c") },
      ),
    ],
    "a draft among the posts": [
      draftMade,
      call(3, 4, get("/api/posts/?page_size=100"), { body: { count: 1, results: [draft] } }),
    ],
    "a count that its page contradicts": [
      call(3, 4, get("/api/posts/?page_size=100"), { body: { count: 1, results: [] } }),
    ],
    "a revoked token that still works": [
      call(
        1,
        2,
        { method: "POST", target: "/api/tokens/", body: { name: "t" } },
        { status: 201, body: { id: 7 } },
      ),
      call(3, 4, { method: "DELETE", target: "/api/tokens/7/" }, { status: 204 }),
      call(5, 6, get("/api/tokens/7/"), { body: {} }),
    ],
    "an internal error": [call(1, 2, get("/bookmarks/"), { status: 500 })],
  };
  for (const [name, calls] of Object.entries(bad))
    test(name, () => expect(faultsOf(...calls)).not.toEqual([]));
});

test("What a round leaves is what the next one begins with", () => {
  const checker = new Checker();
  expect(checker.check([made, call(3, 4, get("/bookmarks/"), { body: [one] })])).toEqual([]);
  expect(checker.check([call(11, 12, get("/bookmarks/"), { body: [one] })])).toEqual([]);
  expect(checker.check([call(13, 14, get("/bookmarks/"), { body: [] })])).not.toEqual([]);
});
