/** A parsed response. */
export interface ParsedResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly etag: string | undefined;
  /** The JSON body; undefined if there is none. */
  readonly body: unknown;
}

/** Fields of a bookmark or a post, as clients send them. */
export interface Fields {
  readonly title?: string;
  readonly url?: string;
  readonly description?: string;
  readonly content?: string;
  readonly published?: boolean;
  /** The name of a new token. */
  readonly name?: string;
}

export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query of the target. */
  readonly target: string;
  readonly body?: Fields;
  readonly ifMatch?: string;
  /** The response whose entity tag a conditional request sends. */
  readonly held?: Call;
  /** The `Idempotency-Key`. */
  readonly key?: string;
  /** The credentials; undefined for an anonymous request. */
  readonly token?: string;
  /** The item after which the page of a cursor begins. */
  readonly after?: SortKey;
}

/** What was sent and received, and when, by the clock of the sending process. */
export interface Call extends Request {
  readonly server: number;
  readonly invoked: number;
  /** Infinity if no response came, or one that leaves the outcome open. */
  readonly completed: number;
  readonly response: ParsedResponse | undefined;
}

/** The position of a record in a list, newest first. */
export interface SortKey {
  readonly created_at: string;
  readonly id: number;
}

/** A record as shown by lists and single reads. */
export interface Item extends SortKey {
  readonly title: string;
  readonly description?: string;
  readonly content?: string;
  readonly published?: boolean;
}

/** Bookmarks, published posts, drafts, and the account's tokens. */
export type Collection = "bookmarks" | "posts" | "drafts" | "tokens";

/** The resource that a request is about. */
export interface Place {
  readonly collection: Collection;
  /** Undefined for the whole collection. */
  readonly id: number | undefined;
  readonly query: URLSearchParams;
}

const PLACES: readonly (readonly [RegExp, Collection])[] = [
  [/^\/bookmarks\/(\d+)?$/, "bookmarks"],
  [/^\/api\/posts\/(?:(\d+)\/)?$/, "posts"],
  [/^\/api\/drafts\/(?:(\d+)\/)?$/, "drafts"],
  [/^\/api\/tokens\/(?:(\d+)\/)?$/, "tokens"],
];

export function placeOf(target: string): Place {
  const { pathname, searchParams } = new URL(target, "http://localhost");
  for (const [pattern, collection] of PLACES) {
    const match = pattern.exec(pathname);
    if (match)
      return { collection, id: match[1] === undefined ? undefined : Number(match[1]), query: searchParams };
  }
  throw new Error(`no place: ${target}`);
}

/** The name of a record. Posts and drafts share their names. */
export function nameOf(collection: Collection, id: number): string {
  return `${{ bookmarks: "bookmark", posts: "post", drafts: "post", tokens: "token" }[collection]} ${id}`;
}

/** Reads on every server at the end of a round. Together they show every record. */
export const LAST_READS = [
  "/bookmarks/",
  "/api/posts/?page_size=1000",
  "/api/drafts/?page_size=1000",
] as const;

/** A word in every text. */
export const COMMON = "common";

/** The state of a record that does not exist, before its creation or after its deletion. */
export const ABSENT = "";

/** The state of a record as a string. */
export function stateOf({
  title,
  description,
  content,
  published = true,
}: Omit<Item, keyof SortKey>): string {
  return JSON.stringify([title, description ?? content, published]);
}

/** Whether a collection shows a record in this state. */
export function isShown(state: string, collection: Collection): boolean {
  if (state === ABSENT) return false;
  if (collection === "bookmarks" || collection === "tokens") return true;
  return (JSON.parse(state) as unknown[])[2] === (collection === "posts");
}

/** Whether a search for the word finds a record in this state. */
export function isMatch(state: string, word: string | undefined): boolean {
  if (word === undefined || word === COMMON) return true;
  const [title, text] = JSON.parse(state) as [string, string];
  return title === word || text.split(" ").includes(word);
}

/** The state after a write of these fields. */
export function merged(state: string, { title, description, content, published }: Fields): string {
  const [oldTitle, oldText, oldPublished] = JSON.parse(state) as [string, string, boolean];
  return JSON.stringify([title ?? oldTitle, description ?? content ?? oldText, published ?? oldPublished]);
}

/** The records in a response: those of a page or list, or the one of a single read. */
export function itemsOf({ collection, id }: Place, body: unknown): readonly Item[] {
  if (id !== undefined) return [body as Item];
  return collection === "bookmarks" ? (body as Item[]) : (body as { results: Item[] }).results;
}

/** A call as one line of text. */
export function describe(call: Call): string {
  const { method, target, body, ifMatch, held, key, server, invoked, completed, response } = call;
  const parts = [
    `[${invoked.toFixed(1)}–${completed === Number.POSITIVE_INFINITY ? "?" : completed.toFixed(1)}]`,
    `server ${server}: ${method} ${target}`,
    ...(body ? [JSON.stringify(body)] : []),
    ...(ifMatch ? [`If-Match: ${ifMatch}`] : []),
    ...(held ? [`If-None-Match: ${held.response?.etag}`] : []),
    ...(key ? [`Idempotency-Key: ${key}`] : []),
    response
      ? `→ ${response.status} ${response.etag ?? ""} ${JSON.stringify(response.body ?? "").slice(0, 300)}`
      : "→ no answer",
  ];
  return parts.join(" ");
}
