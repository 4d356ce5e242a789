/** An answer, parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly etag: string | undefined;
  /** JSON; undefined when there is none. */
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
  /** Path and query. */
  readonly target: string;
  readonly body?: Fields;
  readonly ifMatch?: string;
  /** The answer that a conditional request refers to: its entity tag is sent. */
  readonly held?: Call;
  /** The `Idempotency-Key`. */
  readonly key?: string;
  /** The credentials; none for an anonymous request. */
  readonly token?: string;
  /** Where the page begins that a cursor leads to: after this item. */
  readonly after?: SortKey;
}

/** What was sent, when, and what came back, by the one clock of the process that sends. */
export interface Call extends Request {
  readonly server: number;
  readonly invoked: number;
  /** Infinity when no answer came, or one that leaves the outcome open. */
  readonly completed: number;
  readonly answer: Answer | undefined;
}

/** The place of a record in a list, newest first. */
export interface SortKey {
  readonly created_at: string;
  readonly id: number;
}

/** A record as lists and single reads show it. */
export interface Item extends SortKey {
  readonly title: string;
  readonly description?: string;
  readonly content?: string;
  readonly published?: boolean;
}

/** Bookmarks, published posts, drafts and tokens of the account. */
export type Collection = "bookmarks" | "posts" | "drafts" | "tokens";

/** What a request is about. */
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

/** The name of a record: posts and drafts are the same records. */
export function nameOf(collection: Collection, id: number): string {
  return `${{ bookmarks: "bookmark", posts: "post", drafts: "post", tokens: "token" }[collection]} ${id}`;
}

/** Read on every server at the end of a round: together they show every record. */
export const LAST_READS = [
  "/bookmarks/",
  "/api/posts/?page_size=1000",
  "/api/drafts/?page_size=1000",
] as const;

/** The word that every text contains. */
export const COMMON = "common";

/** No record: not made yet, or deleted. */
export const ABSENT = "";

/** A record's state as a text. */
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

/** Whether a search for a word finds a record in this state. */
export function isMatch(state: string, word: string | undefined): boolean {
  if (word === undefined || word === COMMON) return true;
  const [title, text] = JSON.parse(state) as [string, string];
  return title === word || text.split(" ").includes(word);
}

/** A state after fields are written over it. */
export function merged(state: string, { title, description, content, published }: Fields): string {
  const [oldTitle, oldText, oldPublished] = JSON.parse(state) as [string, string, boolean];
  return JSON.stringify([title ?? oldTitle, description ?? content ?? oldText, published ?? oldPublished]);
}

/** The records that an answer shows: of a page or list those on it, of a single read the one. */
export function itemsOf({ collection, id }: Place, body: unknown): readonly Item[] {
  if (id !== undefined) return [body as Item];
  return collection === "bookmarks" ? (body as Item[]) : (body as { results: Item[] }).results;
}

/** A call in one line. */
export function describe(call: Call): string {
  const { method, target, body, ifMatch, held, key, server, invoked, completed, answer } = call;
  const parts = [
    `[${invoked.toFixed(1)}–${completed === Number.POSITIVE_INFINITY ? "?" : completed.toFixed(1)}]`,
    `server ${server}: ${method} ${target}`,
    ...(body ? [JSON.stringify(body)] : []),
    ...(ifMatch ? [`If-Match: ${ifMatch}`] : []),
    ...(held ? [`If-None-Match: ${held.answer?.etag}`] : []),
    ...(key ? [`Idempotency-Key: ${key}`] : []),
    answer
      ? `→ ${answer.status} ${answer.etag ?? ""} ${JSON.stringify(answer.body ?? "").slice(0, 300)}`
      : "→ no answer",
  ];
  return parts.join(" ");
}
