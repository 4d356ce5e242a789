import type { Scope } from "../../../src/accounts/scope.ts";
import { insertBookmark } from "../../../src/bookmarks/bookmark-writer.ts";
import { removeBookmarks } from "../../../src/bookmarks/undo/removed-bookmarks.ts";
import type { Database } from "../../../src/database/database.ts";
import { insertMedia } from "../../../src/media/media-store.ts";
import { insertComment } from "../../../src/posts/comments/comment-store.ts";
import { insertEdit } from "../../../src/posts/editing/edit-store.ts";
import { findPost, insertPost, updatePost } from "../../../src/posts/post-store.ts";
import type { CallerKind } from "./callers.ts";

/** The access settings. */
export interface Access {
  readonly bookmarks: "open" | "read" | "private";
  readonly posts: "open" | "read" | "private";
  readonly comments: "accounts" | "moderated" | "open";
}

/** One row of the matrix: an endpoint. */
export interface Row {
  /** The scope that a token needs; if absent, any token is accepted. */
  readonly scope?: Scope;
  /** Further scopes that the token needs. */
  readonly besides?: readonly Scope[];
  /** Whether anonymous callers have access; then a token needs no scope either. */
  readonly anyone: boolean | ((access: Access) => boolean);
  /** The status when access is granted. */
  readonly answers: number | ((kind: CallerKind, access: Access) => number);
  /** Statuses for callers that deviate from the rules of the matrix. */
  readonly except?: Partial<Record<CallerKind, number>>;
  readonly json?: unknown;
  /** Makes the record for `{id}`, and returns its id. */
  readonly record?: (database: Database) => Promise<number | string>;
}

const PASSWORD = "correct horse battery";
const bookmark = { title: "Example", url: "https://example.com/", description: "" };
const post = { title: "First light", content: "Hello." };
const credentials = { username: "editor", password: PASSWORD };
const comment = { author: "Ada", text: "Welcome!" };

const makeBookmark = async (database: Database) =>
  (await database.write((sql) => insertBookmark(sql, bookmark, undefined, new Date()))).id;
const makeOtherBookmark = async (database: Database) =>
  (
    await database.write((sql) =>
      insertBookmark(
        sql,
        { ...bookmark, url: `https://example.com/${crypto.randomUUID()}` },
        undefined,
        new Date(),
      ),
    )
  ).id;
const makeChange = async (database: Database) => {
  const id = await makeBookmark(database);
  return String((await removeBookmarks(database, [id], undefined, new Date())).undo);
};
const makePost = (published: boolean) => async (database: Database) =>
  (await database.write((sql) => insertPost(sql, { ...post, published }, undefined, new Date()))).id;
const makeVersion = (published: boolean) => async (database: Database) => {
  const id = await makePost(published)(database);
  await database.write(async (sql) => {
    const read = await findPost(sql, published ? "posts" : "drafts", id);
    if (read !== undefined) await updatePost(sql, read, { ...read, content: "Changed." }, new Date());
  });
  return id;
};
const makeEdit = async (database: Database) => {
  const key = crypto.randomUUID();
  const edit = { post: null, base_version: null, title: "", content: "", fields: {} };
  await database.write((sql) => insertEdit(sql, key, edit, undefined, new Date()));
  return key;
};
const makeMedia = async (database: Database) => {
  const bytes = new TextEncoder().encode(crypto.randomUUID());
  const sha = new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 40);
  const media = { sha, type: "jpg", width: 1, height: 1, size: bytes.length } as const;
  await database.write((sql) =>
    insertMedia(sql, { media, forms: [{ width: 1, bytes }] }, undefined, new Date()),
  );
  return sha;
};
const makeComment = async (database: Database) => {
  const postId = await makePost(true)(database);
  const waiting = { ...comment, postId, status: "waiting", accountId: undefined } as const;
  return (await database.write((sql) => insertComment(sql, waiting, new Date()))).id;
};

const bookmarksRead = {
  scope: "bookmarks:read",
  anyone: ({ bookmarks }: Access) => bookmarks !== "private",
} as const;
const bookmarksWrite = {
  scope: "bookmarks:write",
  anyone: ({ bookmarks }: Access) => bookmarks === "open",
} as const;
const postsRead = { scope: "posts:read", anyone: ({ posts }: Access) => posts !== "private" } as const;
const postsWrite = { scope: "posts:write", anyone: ({ posts }: Access) => posts === "open" } as const;
const draftsRead = { scope: "posts:read", anyone: false } as const;
const draftsWrite = { scope: "posts:write", anyone: false } as const;
const moderate = { scope: "comments:moderate", anyone: false } as const;
/** The ids in these paths belong to no record of the account, so an authorized caller gets 404. */
const ownAccount = { scope: "account", anyone: false } as const;
const public_ = { anyone: true } as const;

const KNOWN: ReadonlySet<CallerKind> = new Set(["token", "session", "foreign page with a token"]);
const commenting = {
  scope: "posts:write",
  anyone: ({ posts, comments }: Access) => comments !== "accounts" && posts !== "private",
} as const;
const waitsUnlessKnown = (kind: CallerKind, { comments }: Access) =>
  comments === "moderated" && !KNOWN.has(kind) ? 202 : 201;

/** Every endpoint of both services. A new one must be added here. */
export const serviceRows: Readonly<Record<string, Row>> = {
  "GET /bookmarks/": { ...bookmarksRead, answers: 200 },
  "POST /bookmarks/": { ...bookmarksWrite, answers: 201, json: bookmark },
  // The request has no URL, so nothing is fetched.
  "GET /bookmarks/page": { scope: "bookmarks:write", anyone: false, answers: 422 },
  "GET /bookmarks/{id}": { ...bookmarksRead, answers: 200, record: makeBookmark },
  "PUT /bookmarks/{id}": { ...bookmarksWrite, answers: 200, json: bookmark, record: makeBookmark },
  "PATCH /bookmarks/{id}": { ...bookmarksWrite, answers: 200, json: { title: "x" }, record: makeBookmark },
  "DELETE /bookmarks/{id}": { ...bookmarksWrite, answers: 204, record: makeBookmark },
  "GET /bookmarks/{id}/tags": { ...bookmarksRead, answers: 200, record: makeBookmark },
  "PUT /bookmarks/{id}/tags": {
    ...bookmarksWrite,
    answers: 200,
    json: { tags: ["a"] },
    record: makeBookmark,
  },
  "GET /bookmarks/search": { ...bookmarksRead, answers: 200 },
  // The request has neither a query nor a URL.
  "GET /bookmarks/suggest": { ...bookmarksRead, answers: 422 },
  "GET /bookmarks/check": { ...bookmarksRead, answers: 422 },
  "POST /bookmarks/{id}/publish": {
    ...draftsWrite,
    answers: 201,
    json: {},
    record: makeOtherBookmark,
    besides: ["bookmarks:read"],
  },
  "POST /bookmarks/bulk": {
    ...bookmarksWrite,
    answers: 200,
    json: { select: { ids: [1_000_000] }, delete: true },
  },
  "GET /bookmarks/duplicates": { ...bookmarksRead, answers: 200 },
  "POST /bookmarks/merge": { ...bookmarksWrite, answers: 404, json: { keep: 1_000_000, drop: [1_000_001] } },
  "GET /api/tags/": { ...bookmarksRead, answers: 200 },
  // The request does not name a tag.
  "PATCH /api/tags/": { ...bookmarksWrite, answers: 422, json: { name: "a" } },
  "DELETE /api/tags/": { ...bookmarksWrite, answers: 422 },
  "GET /api/undo/": { ...bookmarksWrite, answers: 200 },
  "POST /api/undo/{key}/": { ...bookmarksWrite, answers: 200, record: makeChange },

  "GET /api/posts/": { ...postsRead, answers: 200 },
  "POST /api/posts/": { ...postsWrite, answers: 201, json: post },
  "GET /api/posts/{id}/": { ...postsRead, answers: 200, record: makePost(true) },
  "PUT /api/posts/{id}/": { ...postsWrite, answers: 200, json: post, record: makePost(true) },
  "PATCH /api/posts/{id}/": { ...postsWrite, answers: 200, json: { title: "x" }, record: makePost(true) },
  "DELETE /api/posts/{id}/": { ...postsWrite, answers: 204, record: makePost(true) },

  "GET /api/posts/{id}/publication/": { ...postsRead, answers: 200, record: makePost(true) },
  "PUT /api/posts/{id}/publication/": { ...postsWrite, answers: 200, json: {}, record: makePost(true) },
  "PATCH /api/posts/{id}/publication/": { ...postsWrite, answers: 200, json: {}, record: makePost(true) },
  "GET /api/drafts/{id}/publication/": { ...draftsRead, answers: 200, record: makePost(false) },
  "PUT /api/drafts/{id}/publication/": { ...draftsWrite, answers: 200, json: {}, record: makePost(false) },
  "PATCH /api/drafts/{id}/publication/": { ...draftsWrite, answers: 200, json: {}, record: makePost(false) },

  "GET /api/posts/{id}/versions/": { ...draftsRead, answers: 200, record: makePost(true) },
  "GET /api/posts/{id}/versions/{number}/": { ...draftsRead, answers: 200, record: makeVersion(true) },
  "GET /api/drafts/{id}/versions/": { ...draftsRead, answers: 200, record: makePost(false) },
  "GET /api/drafts/{id}/versions/{number}/": { ...draftsRead, answers: 200, record: makeVersion(false) },
  "GET /api/edits/": { ...draftsRead, answers: 200 },
  "GET /api/edits/{key}/": { ...draftsRead, answers: 200, record: makeEdit },
  "PUT /api/edits/{key}/": { ...draftsWrite, answers: 200, json: { title: "x" }, record: makeEdit },
  "DELETE /api/edits/{key}/": { ...draftsWrite, answers: 204, record: makeEdit },
  "POST /api/edits/{key}/previews/": { ...draftsWrite, answers: 201, record: makeEdit },
  "DELETE /api/edits/{key}/previews/": { ...draftsWrite, answers: 204, record: makeEdit },
  "POST /api/media/": { ...draftsWrite, answers: 415, json: {} },
  "GET /media/{name}": {
    ...postsRead,
    answers: 200,
    record: async (database) => `${await makeMedia(database)}.jpg`,
  },
  "GET /api/media/": { ...draftsWrite, answers: 200 },
  "GET /api/media/{sha}/": { ...draftsWrite, answers: 200, record: makeMedia },
  "DELETE /api/media/{sha}/": { ...draftsWrite, answers: 204, record: makeMedia },

  "GET /api/drafts/": { ...draftsRead, answers: 200 },
  "POST /api/drafts/": { ...draftsWrite, answers: 201, json: post },
  "GET /api/drafts/{id}/": { ...draftsRead, answers: 200, record: makePost(false) },
  "PUT /api/drafts/{id}/": { ...draftsWrite, answers: 200, json: post, record: makePost(false) },
  "PATCH /api/drafts/{id}/": {
    ...draftsWrite,
    answers: 200,
    json: { published: true },
    record: makePost(false),
  },
  "DELETE /api/drafts/{id}/": { ...draftsWrite, answers: 204, record: makePost(false) },

  "GET /api/posts/{id}/comments/": { ...postsRead, answers: 200, record: makePost(true) },
  "POST /api/posts/{id}/comments/": {
    ...commenting,
    answers: waitsUnlessKnown,
    json: comment,
    record: makePost(true),
  },
  "GET /api/comments/": { ...moderate, answers: 200 },
  "GET /api/comments/{id}/": { ...moderate, answers: 200, record: makeComment },
  "PUT /api/comments/{id}/": { ...moderate, answers: 200, json: { status: "shown" }, record: makeComment },
  "DELETE /api/comments/{id}/": { ...moderate, answers: 204, record: makeComment },
};

/**
 * All other endpoints. Signing in ignores the caller's current credentials; signing in with a session must
 * not come from another site.
 */
export const otherRows: Readonly<Record<string, Row>> = {
  "POST /api/token/": {
    ...public_,
    answers: 200,
    json: credentials,
    except: { impostor: 200, "foreign page with a session": 200 },
  },
  "DELETE /api/token/": { anyone: false, answers: 204, except: { session: 401 } },
  "GET /api/session/": { anyone: false, answers: 200 },
  "GET /api/tokens/": { ...ownAccount, answers: 200 },
  "POST /api/tokens/": { ...ownAccount, answers: 201, json: { name: "backup" } },
  "GET /api/tokens/{id}/": { ...ownAccount, answers: 404, record: async () => 999_999_999 },
  "DELETE /api/tokens/{id}/": { ...ownAccount, answers: 404, record: async () => 999_999_999 },
  "GET /api/sessions/": { ...ownAccount, answers: 200 },
  "DELETE /api/sessions/{id}/": { ...ownAccount, answers: 404, record: async () => "0123456789abcdef" },
  "PUT /api/account/password/": { ...ownAccount, answers: 422, json: {} },
  "POST /api/session/": {
    ...public_,
    answers: 200,
    json: credentials,
    except: { impostor: 200, "foreign page": 403, "foreign page with a token": 403 },
  },
  "DELETE /api/session/": {
    ...public_,
    answers: 204,
    except: { "foreign page": 403, "foreign page with a token": 403 },
  },
  "GET /api/": { ...public_, answers: 200 },
  "GET /docs": { ...public_, answers: 200 },
  "GET /docs/{name}": { ...public_, answers: 200, record: async () => "style.css" },
  "GET /openapi.json": { ...public_, answers: 200 },
  "GET /healthz": { ...public_, answers: 200, except: { impostor: 200 } },
  "GET /readyz": { ...public_, answers: 200, except: { impostor: 200 } },
};

/** The expected status for a kind of caller, by the rules of docs/accounts.md and docs/decisions/004. */
export function expectedStatus(endpoint: string, row: Row, kind: CallerKind, access: Access): number {
  const exception = row.except?.[kind];
  if (exception !== undefined) return exception;
  const anyone = typeof row.anyone === "boolean" ? row.anyone : row.anyone(access);
  const granted = typeof row.answers === "number" ? row.answers : row.answers(kind, access);
  switch (kind) {
    case "nobody":
    case "foreign page":
      return anyone ? granted : 401;
    case "token":
    case "session":
    case "foreign page with a token":
      return granted;
    case "unscoped":
      return anyone || row.scope === undefined ? granted : 403;
    case "impostor":
      return 401;
    case "foreign page with a session":
      return endpoint.startsWith("GET ") ? granted : 403;
  }
}
