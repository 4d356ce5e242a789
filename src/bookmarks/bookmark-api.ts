import { z } from "zod";
import { type Awaitable, thenSync } from "../awaitable.ts";
import { untilStored } from "../database/compare-and-set.ts";
import type { Database, Sql } from "../database/database.ts";
import { notFound } from "../errors.ts";
import type { Access } from "../http/access.ts";
import { type Answer, created, noContent, notModified, ok } from "../http/answer.ts";
import { JSON_BODY, MERGE_PATCH_BODY } from "../http/body-codecs.ts";
import { checkPreconditions, entityTag, isNotModified } from "../http/caching/etags.ts";
import type { ResponseCache } from "../http/caching/response-cache.ts";
import { endpoint, NOT_MODIFIED_ANSWER } from "../http/endpoint.ts";
import { once } from "../http/idempotency.ts";
import { PathId, queryInteger } from "../http/parameters.ts";
import { type Bookmark, BookmarkCreate, BookmarkPatch, BookmarkResponse, toResponse } from "./bookmark.ts";
import { listAsJson, pageAsJson } from "./bookmark-list.ts";
import { collectionVersion, findBookmark, type ListPosition, lockCollection } from "./bookmark-store.ts";
import { insertBookmark, writeBookmarks } from "./bookmark-writer.ts";
import { listCursor, writeCursor } from "./list-cursor.ts";

const tag = {
  name: "Bookmarks",
  description: "The links you keep: each with a title, a URL and a description, whose hashtags are its tags.",
};
const params = z.object({ id: PathId });
const missing = notFound("Bookmark", 7);
const draft = { title: "Bun", url: "https://bun.sh/docs?utm=1", description: "A fast runtime. #dev/js" };
const example = { id: 7, ...draft, created_at: "2026-11-21T06:40:12.345Z" };
const one = { description: "The bookmark.", schema: BookmarkResponse, example };

export interface BookmarkApiParts {
  readonly database: Database;
  readonly cache: ResponseCache;
  readonly reading: Access;
  readonly writing: Access;
}

/** The endpoints of the bookmark service (bookmark specification, section 4). */
export function bookmarkApi({ database, cache, reading, writing }: BookmarkApiParts) {
  const caching = reading.anonymous ? "public" : "private";

  const list = endpoint(
    {
      id: "listBookmarks",
      tag,
      summary: "List bookmarks",
      access: reading,
      description:
        "All bookmarks, newest first, as one array that is streamed. With `limit`, a page of them and a `Link` to the next.",
      query: z.object({
        limit: queryInteger({ min: 1, max: 1_000, description: "How many at most." }).optional(),
        cursor: listCursor(database.epoch).optional().meta({
          description: "Where to go on, from the `Link` of a page.",
          example: "WzE3OTU3ODg4MDAwMDAsN10",
        }),
      }),
      headers: ["If-None-Match"],
      answers: {
        200: {
          description: "The bookmarks.",
          schema: z.array(BookmarkResponse),
          example: [example],
          headers: ["ETag", "Link"],
        },
        304: NOT_MODIFIED_ANSWER,
      },
      refusals: [],
    },
    ({ request, path, search, query }) => {
      const { limit, cursor: after } = query;
      return cache.answer(request, path + search, {
        caching,
        inBatches: true,
        current: async () => ({
          etag: entityTag(database.epoch, await collectionVersion(database.read)),
          render: async () => {
            if (limit === undefined) return { body: listAsJson(database, after) };
            const { text, next } = await pageAsJson(database, limit, after);
            return { body: text, ...(next && { headers: { link: nextLink(path, search, next) } }) };
          },
        }),
      });
    },
  );

  const create = endpoint(
    {
      id: "createBookmark",
      tag,
      summary: "Create a bookmark",
      description:
        "The URL is cache in the text form of the WHATWG URL standard; the same one may be cache twice.",
      access: writing,
      body: BookmarkCreate,
      example: draft,
      headers: ["Idempotency-Key", "If-Match", "If-None-Match"],
      answers: {
        201: { ...one, description: "The new bookmark.", headers: ["Location", "Idempotency-Replayed"] },
      },
      refusals: [],
    },
    (call) =>
      once(database, call, async (sql) => {
        await checkCollection(sql, call.request);
        const bookmark = await insertBookmark(sql, call.body, call.caller.account?.id, new Date());
        return created(`${call.path}${bookmark.id}`, toResponse(bookmark));
      }),
  );

  const read = endpoint(
    {
      id: "readBookmark",
      tag,
      summary: "Read a bookmark",
      description: "One bookmark, by its id.",
      access: reading,
      params,
      headers: ["If-None-Match"],
      answers: {
        200: { ...one, headers: ["ETag"] },
        304: NOT_MODIFIED_ANSWER,
      },
      refusals: [missing],
    },
    ({ request, params }) =>
      thenSync(existing(database.read, params.id), (bookmark) => {
        const etag = tagOf(bookmark);
        if (isNotModified(request, etag)) return notModified(etag, caching);
        return ok(toResponse(bookmark), { etag, caching });
      }),
  );

  const replace = endpoint(
    {
      id: "replaceBookmark",
      tag,
      summary: "Replace a bookmark",
      access: writing,
      description:
        "Replaces title, URL and description; an omitted description becomes empty. Never creates.",
      params,
      body: BookmarkCreate,
      example: draft,
      headers: ["If-Match", "If-None-Match"],
      answers: { 200: one },
      refusals: [missing],
    },
    ({ request, params, body }) => change(request, params.id, () => body),
  );

  const patch = endpoint(
    {
      id: "changeBookmark",
      tag,
      summary: "Change a bookmark",
      access: writing,
      description: "Changes the members that are sent, and leaves the others (RFC 7396).",
      params,
      body: BookmarkPatch,
      takes: [MERGE_PATCH_BODY, JSON_BODY],
      example: { title: "Bun, the runtime" },
      headers: ["If-Match", "If-None-Match"],
      answers: { 200: one },
      refusals: [missing],
    },
    ({ request, params, body }) =>
      change(request, params.id, (bookmark) => ({
        title: body.title ?? bookmark.title,
        url: body.url ?? bookmark.url,
        description: body.description ?? bookmark.description,
      })),
  );

  const remove = endpoint(
    {
      id: "deleteBookmark",
      tag,
      summary: "Delete a bookmark",
      access: writing,
      description: "Removes it permanently.",
      params,
      headers: ["If-Match", "If-None-Match"],
      answers: { 204: { description: "It is gone." } },
      refusals: [missing],
    },
    ({ request, params }) =>
      writeBookmarks(database, new Date(), (writer, sql) =>
        untilStored(async () => {
          const bookmark = await existing(sql, params.id);
          checkPreconditions(request, tagOf(bookmark));
          return (await writer.delete(bookmark)) ? noContent() : undefined;
        }),
      ),
  );

  /** Writes the fields that `fieldsOf` makes of the bookmark as it is, unless a precondition fails. */
  function change(
    request: Request,
    id: number | bigint,
    fieldsOf: (bookmark: Bookmark) => BookmarkCreate,
  ): Promise<Answer> {
    return writeBookmarks(database, new Date(), (writer, sql) =>
      untilStored(async () => {
        const bookmark = await existing(sql, id);
        checkPreconditions(request, tagOf(bookmark));
        const fields = fieldsOf(bookmark);
        const version = await writer.update(bookmark, fields);
        return version === undefined ? undefined : ok(toResponse({ ...bookmark, ...fields, version }));
      }),
    );
  }

  async function checkCollection(sql: Sql, request: Request): Promise<void> {
    if (!request.headers.has("if-match") && !request.headers.has("if-none-match")) return;
    await lockCollection(sql);
    checkPreconditions(request, entityTag(database.epoch, await collectionVersion(sql)));
  }

  function tagOf(bookmark: Bookmark): string {
    return entityTag(database.epoch, bookmark.version);
  }

  function nextLink(path: string, search: string, place: ListPosition): string {
    const query = new URLSearchParams(search);
    query.set("cursor", writeCursor(database.epoch, place));
    return `<${path}?${query}>; rel="next"`;
  }

  return { list, create, read, replace, patch, remove };
}

function existing(sql: Sql, id: number | bigint): Awaitable<Bookmark> {
  return thenSync(findBookmark(sql, id), (bookmark) => {
    if (bookmark === undefined) throw notFound("Bookmark", id);
    return bookmark;
  });
}
