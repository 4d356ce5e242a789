import { z } from "zod";
import { type Awaitable, thenSync } from "../awaitable.ts";
import { retryOnConflict } from "../database/compare-and-set.ts";
import type { Sql } from "../database/database.ts";
import { invalid, notFound, orNotFound } from "../errors.ts";
import { cachingFor } from "../http/access.ts";
import { JSON_BODY, MERGE_PATCH_BODY } from "../http/body/body-decoders.ts";
import { checkPreconditions, entityTag, isNotModified } from "../http/caching/etags.ts";
import { type Call, endpoint, NOT_MODIFIED_RESPONSE, type Routes } from "../http/endpoint.ts";
import { runOnce } from "../http/idempotency.ts";
import { nameList, PathId, queryInteger, withParameter } from "../http/parameters.ts";
import { created, noContent, notModified, ok, type ResponseData, totalCount } from "../http/response-data.ts";
import { queryParameter, sortParameter } from "../search/parameters.ts";
import type { ParsedQuery } from "../search/query/query.ts";
import { tooSlow } from "../search/search.ts";
import {
  BOOKMARK_EXTRAS,
  BOOKMARKS_TAG,
  type Bookmark,
  BookmarkCreate,
  BookmarkDetails,
  BookmarkPatch,
  BookmarkResponse,
  toResponse,
} from "./bookmark.ts";
import { BookmarkBodyCache, withoutCopyPart } from "./bookmark-body-cache.ts";
import { listAsJson, pageAsJson } from "./bookmark-list.ts";
import type { BookmarkParts } from "./bookmark-parts.ts";
import {
  collectionState,
  collectionVersion,
  findBookmark,
  type ListPosition,
  lockCollection,
} from "./bookmark-store.ts";
import { hasFields, insertBookmark, writeBookmarks } from "./bookmark-writer.ts";
import { listCursor, writeCursor } from "./list-cursor.ts";
import { answerMatches, staleCursor } from "./search/bookmark-matches.ts";
import { indexedBookmarks } from "./search/indexed-bookmarks.ts";
import { checkCopies, checkedQuery, mayReadCopies } from "./search/inside-copies.ts";

const tag = BOOKMARKS_TAG;
const params = z.object({ id: PathId });
const missing = notFound("Bookmark", 7);
const draft = { title: "Bun", url: "https://bun.sh/docs", description: "A fast runtime. #dev/js" };
const example = { id: 7, ...draft, created_at: "2026-11-21T06:40:12.345Z" };
const one = { description: "The bookmark.", schema: BookmarkResponse, example };

/** The maximum number of bookmarks on a page; longer lists are streamed. */
const PAGE_MAX = 1_000;

/** The endpoints of the bookmark service (bookmark specification, section 4). */
export function bookmarkApi(parts: BookmarkParts): Routes {
  const { database, cache, search, copies, readAccess, writeAccess } = parts;
  const bodies = new BookmarkBodyCache(database);

  const list = endpoint(
    {
      id: "listBookmarks",
      tag,
      summary: "List bookmarks",
      access: readAccess,
      description:
        "All bookmarks, newest first, as one streamed array. With `limit`, a page of them with a `Link` to the next page. With `q`, the matches, best first: all words in the title, then in title, tags and host, then all others; newest first within each group. Last come those with the words only in the copy of their page, for callers who may read copies.",
      query: z.object({
        limit: queryInteger({
          min: 1,
          max: PAGE_MAX,
          description: "Maximum number of bookmarks.",
        })
          // The documentation page would freeze on an array of a hundred thousand.
          .meta({ prefilled: true })
          .optional(),
        q: queryParameter(indexedBookmarks.vocabulary, "fast #dev").optional(),
        sort: sortParameter,
        include: nameList(BOOKMARK_EXTRAS, "Additional members to include, separated by commas.").optional(),
        cursor: listCursor(database.epoch).optional().meta({
          description: "The position to continue from, taken from the `Link` of a page.",
        }),
      }),
      headers: ["If-None-Match"],
      responses: {
        200: {
          description: "The bookmarks.",
          schema: z.array(BookmarkDetails),
          example: [example],
          headers: ["ETag", "Link", "X-Total-Count", "Search-Matches", "Search-Behind"],
        },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [tooSlow()],
    },
    (call) =>
      thenSync(mayFindInside(call), (inside) => {
        const { client, access, path, search: sent, query } = call;
        const { limit, cursor, q, include } = query;
        const url = client.origin + path;
        const sort = query.sort ?? (q === undefined ? "newest" : "relevance");
        const ofPages = include?.some(isOfPages) === true;
        const caching = ofPages || inside ? "private" : cachingFor(access);
        const tagParts = ofPages ? [...client.originParts, "copies"] : client.originParts;
        const extras = include && { names: include, copies };
        if (q !== undefined || sort === "oldest" || sort === "title") {
          if (cursor !== undefined && !("sort" in cursor)) throw staleCursor();
          const common = { call, caching, url, sent, tagParts, extras, inside } as const;
          return answerMatches(
            { database, cache, search },
            { ...common, query: q, sort, limit, after: cursor },
          );
        }
        if (cursor !== undefined && "sort" in cursor) throw staleCursor();
        const after = cursor;
        return cache.answer(call, url + sent, {
          caching,
          async version(read) {
            const { count, version } = await collectionState(read);
            const etag = entityTag(database.epoch, version, ...tagParts);
            return { count, etag, isLong: limit === undefined && count > PAGE_MAX };
          },
          async body({ count }, read) {
            const headers = totalCount(count);
            if (limit === undefined) return { text: listAsJson(read, after, extras), headers };
            const { text, next } = await pageAsJson(read, limit, after, extras);
            const link = next && { link: nextLink(url, sent, next) };
            return { text, headers: { ...headers, ...link } };
          },
        });
      }),
  );

  const create = endpoint(
    {
      id: "createBookmark",
      tag,
      summary: "Create a bookmark",
      description:
        "The URL is stored in the text form of the WHATWG URL standard. The same URL can be stored more than once.",
      access: writeAccess,
      reads: readAccess,
      body: BookmarkCreate,
      example: draft,
      headers: ["Idempotency-Key", "If-Match", "If-None-Match"],
      responses: {
        201: {
          ...one,
          description: "The new bookmark.",
          headers: ["Location", "ETag", "Idempotency-Replayed"],
        },
      },
      refusals: [],
    },
    (call) =>
      runOnce(database, call, async (sql) => {
        await checkCollection(sql, call);
        const accountId = call.caller.account?.id;
        const bookmark = await insertBookmark(sql, call.body, accountId, database.clock.now());
        await copies.onAdded(sql, bookmark.id, accountId);
        return created(`${call.path}${bookmark.id}`, toResponse(bookmark), tagOf(bookmark));
      }),
  );

  const read = endpoint(
    {
      id: "readBookmark",
      tag,
      summary: "Read a bookmark",
      description: "One bookmark, by its id.",
      access: readAccess,
      params,
      query: z.object({
        include: nameList(BOOKMARK_EXTRAS, "Members to add, separated by commas.").optional(),
      }),
      headers: ["If-None-Match"],
      responses: {
        200: { ...one, schema: BookmarkDetails, headers: ["ETag"] },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [missing],
    },
    (call) =>
      thenSync(checkInclude(call), () => {
        const { request, access, stamp, params, query } = call;
        const extras = query.include && { names: query.include, copies };
        return thenSync(bodies.find(params.id, extras, stamp), (found) => {
          const { etag, body } = orNotFound(found, "Bookmark", params.id);
          const caching = query.include?.some(isOfPages) ? "private" : cachingFor(access);
          return isNotModified(request, etag)
            ? notModified(etag, caching)
            : { status: 200, body, etag, caching };
        });
      }),
  );

  const replace = endpoint(
    {
      id: "replaceBookmark",
      tag,
      summary: "Replace a bookmark",
      access: writeAccess,
      reads: readAccess,
      description:
        "Replaces the title, the URL and the description. An omitted description becomes empty. Never creates a bookmark.",
      params,
      body: BookmarkCreate,
      example: draft,
      headers: ["If-Match", "If-None-Match"],
      responses: { 200: one },
      refusals: [missing],
    },
    (call) => change(call, () => call.body).then(({ etag: _, ...answer }) => answer),
  );

  const patch = endpoint(
    {
      id: "changeBookmark",
      tag,
      summary: "Change a bookmark",
      access: writeAccess,
      reads: readAccess,
      description: "Changes the given members and leaves the others unchanged (RFC 7396).",
      params,
      body: BookmarkPatch,
      takes: [MERGE_PATCH_BODY, JSON_BODY],
      example: { title: "Bun, the runtime" },
      headers: ["If-Match", "If-None-Match"],
      responses: { 200: { ...one, example: { ...example, title: "Bun, the runtime" }, headers: ["ETag"] } },
      refusals: [missing],
    },
    (call) =>
      change(call, (bookmark) => ({
        title: call.body.title ?? bookmark.title,
        url: call.body.url ?? bookmark.url,
        description: call.body.description ?? bookmark.description,
      })),
  );

  const remove = endpoint(
    {
      id: "deleteBookmark",
      tag,
      summary: "Delete a bookmark",
      access: writeAccess,
      reads: readAccess,
      description: "Deletes the bookmark permanently, with the copies of its page and its marks.",
      params,
      headers: ["If-Match", "If-None-Match"],
      responses: { 204: { description: "Deleted." } },
      refusals: [missing],
    },
    ({ request, params }) =>
      writeBookmarks(database, database.clock.now(), (writer, sql) =>
        retryOnConflict(async () => {
          const bookmark = await existing(sql, params.id);
          checkPreconditions(request, tagOf(bookmark), withoutCopyPart);
          if (!(await writer.delete(bookmark))) return undefined;
          await copies.forget(sql, [bookmark], database.clock.now());
          return noContent();
        }),
      ),
  );

  /** @throws Refusal `invalid` for copies and pictures of pages, unless the caller may know of them */
  function checkInclude(
    call: Pick<Call, "request" | "stamp" | "caller"> & {
      readonly query: { readonly include?: readonly string[] | undefined };
    },
  ): Awaitable<void> {
    const { include } = call.query;
    if (!include?.some(isOfPages)) return;
    return thenSync(mayReadCopies(parts, call), (mayRead) => {
      if (mayRead) return;
      const what = include.includes("copy") ? "Copies" : "Pictures of pages";
      const detail = `${what} are for accounts, and for tokens that may read bookmarks.`;
      throw invalid([{ parameter: "include", code: "unknown_value", detail }]);
    });
  }

  /**
   * Whether the matches of a search are those inside copies, too.
   * @throws Refusal `invalid` for what only those may ask who may read copies
   */
  function mayFindInside(
    call: Parameters<typeof checkInclude>[0] & { readonly query: { readonly q?: ParsedQuery | undefined } },
  ) {
    const { q } = call.query;
    return thenSync(checkInclude(call), () =>
      q === undefined
        ? false
        : thenSync(mayReadCopies(parts, call), (mayRead) => {
            checkedQuery(() => checkCopies(q, mayRead));
            return mayRead;
          }),
    );
  }

  /**
   * Stores the fields that `fieldsOf` derives from the current bookmark, unless a precondition fails or nothing
   * changes.
   */
  function change(
    {
      request,
      params: { id },
      body,
      mayRead,
    }: Pick<Call<typeof params, undefined, typeof BookmarkPatch>, "request" | "params" | "body" | "mayRead">,
    fieldsOf: (bookmark: Bookmark) => BookmarkCreate,
  ): Promise<ResponseData> {
    return writeBookmarks(database, database.clock.now(), (writer, sql) =>
      retryOnConflict(async () => {
        const bookmark = await existing(sql, id);
        checkPreconditions(request, tagOf(bookmark), withoutCopyPart);
        const fields = fieldsOf(bookmark);
        const isSame = hasFields(bookmark, fields);
        const version = isSame ? bookmark.version : await writer.update(bookmark, fields);
        if (version === undefined) return undefined;
        if (!mayRead) return ok({ id: bookmark.id, ...body });
        const changed = { ...bookmark, ...fields, version };
        return ok(toResponse(changed), { etag: tagOf(changed) });
      }),
    );
  }

  async function checkCollection(sql: Sql, { request, client }: Pick<Call, "request" | "client">) {
    if (!request.headers.has("if-match") && !request.headers.has("if-none-match")) return;
    await lockCollection(sql);
    const version = await collectionVersion(sql);
    checkPreconditions(request, entityTag(database.epoch, version, ...client.originParts));
  }

  function tagOf(bookmark: Bookmark): string {
    return entityTag(database.epoch, bookmark.version);
  }

  function nextLink(url: string, search: string, place: ListPosition): string {
    return `<${url}${withParameter(search, "cursor", writeCursor(database.epoch, place))}>; rel="next"`;
  }

  return {
    "/bookmarks/": { GET: list, POST: create },
    "/bookmarks/{id}": { GET: read, PUT: replace, PATCH: patch, DELETE: remove },
  };
}

async function existing(sql: Sql, id: number | bigint): Promise<Bookmark> {
  return orNotFound(await findBookmark(sql, id), "Bookmark", id);
}

/** Whether an additional member describes the page of a bookmark, which takes the right to read copies. */
function isOfPages(name: string): boolean {
  return name === "copy" || name === "picture";
}
