import { z } from "zod";
import { UNDO_EXAMPLE, UndoPath, undoPath } from "../../changes/undo-path.ts";
import { retryOnConflict } from "../../database/compare-and-set.ts";
import type { Database, Sql } from "../../database/database.ts";
import { notFound, orNotFound } from "../../errors.ts";
import { cachingFor } from "../../http/access.ts";
import { okWithContentTag } from "../../http/caching/content-response.ts";
import { checkPreconditions, entityTag, isNotModified } from "../../http/caching/etags.ts";
import { type Call, endpoint, NOT_MODIFIED_RESPONSE, type Routes } from "../../http/endpoint.ts";
import { DryRun, PathId, queryInteger } from "../../http/parameters.ts";
import { notModified, ok, totalCount } from "../../http/response-data.ts";
import { tagsOf } from "../../tags/description-tags.ts";
import { Timestamp, text } from "../../text.ts";
import type { Bookmark } from "../bookmark.ts";
import type { BookmarkParts } from "../bookmark-parts.ts";
import { findBookmark } from "../bookmark-store.ts";
import { writeBookmarks } from "../bookmark-writer.ts";
import type { ManyChanged } from "../bulk/change-many.ts";
import { deleteTag, noSuchTag, renameTags, retaggedDescription } from "./change-tags.ts";
import { listTags, TAG_SORTS, type UsedTag } from "./tag-list.ts";
import { TagName, TagNames } from "./tag-names.ts";

const tag = {
  name: "Tags",
  description: "The tags of the bookmarks: their hashtags, and the names on their tag lines.",
};
const params = z.object({ id: PathId });
const missing = notFound("Bookmark", 7);
const ofBookmark = {
  description: "The bookmark's tags, in the order of its description.",
  schema: z.object({ tags: z.array(z.string()) }).meta({ id: "TagsOfBookmark" }),
  example: { tags: ["dev/js", "2024"] },
};
const TagResponse = z
  .object({
    name: z.string(),
    count: z.int().describe("Number of bookmarks with the tag."),
    with_below: z
      .int()
      .describe("Number of bookmarks with the tag or one below it, as `dev/js` is below `dev`."),
    last_used: Timestamp.describe("The creation time of its newest bookmark."),
  })
  .meta({ id: "Tag" });
const changed = {
  description: "Number of changed bookmarks; with `dry_run`, the number that would change.",
  schema: z
    .object({ changed: z.int().describe("Number of changed bookmarks."), undo: UndoPath })
    .meta({ id: "TagChanged" }),
  example: { changed: 12, undo: undoPath(UNDO_EXAMPLE) },
};
const query = z.object({ name: TagName.meta({ description: "The tag." }), dry_run: DryRun });

/** The endpoints of tags, and of one bookmark's tags (contract, section 6). */
export function tagApi({ database, readAccess, writeAccess, search }: BookmarkParts): Routes {
  const list = endpoint(
    {
      id: "listTags",
      tag,
      summary: "List tags",
      description: "The tags that bookmarks have, each in its most frequent spelling.",
      access: readAccess,
      query: z.object({
        q: text()
          .optional()
          .meta({ description: "Only tags with this text in their names.", example: "dev" }),
        sort: z.enum(TAG_SORTS).optional().describe("The sort order; `name` by default."),
        limit: queryInteger({
          min: 1,
          max: 10_000,
          description: "Maximum number of tags; 1,000 by default.",
        }).optional(),
      }),
      headers: ["If-None-Match"],
      responses: {
        200: {
          description: "The tags.",
          schema: z.array(TagResponse),
          example: [{ name: "dev/js", count: 12, with_below: 14, last_used: "2026-11-21T06:40:12.345Z" }],
          headers: ["ETag", "X-Total-Count", "Search-Behind"],
        },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [],
    },
    async ({ request, access, query: { q, sort = "name", limit = 1_000 } }) => {
      const behind = await search.behind();
      const { tags, total } = await database.snapshot((read) => listTags(read, { q, sort, limit }));
      return okWithContentTag(request, database, tags.map(toTagResponse), {
        caching: cachingFor(access),
        headers: {
          ...totalCount(total),
          ...(behind > 0 && { "search-behind": String(behind) }),
        },
      });
    },
  );

  const rename = endpoint(
    {
      id: "renameTag",
      tag,
      summary: "Rename a tag",
      description:
        "Renames the tag, and the tags below it, in all bookmarks. If the new name already exists, the two tags are merged.",
      access: writeAccess,
      reads: readAccess,
      query,
      body: z.object({ name: TagName.meta({ description: "The new name." }) }).meta({ id: "TagRename" }),
      example: { name: "javascript" },
      responses: { 200: changed },
      refusals: [noSuchTag(["dev/js"])],
    },
    (call) =>
      answer(renameTags(database, [call.query.name], call.body.name, options(database, call)), call.mayRead),
  );

  const remove = endpoint(
    {
      id: "deleteTag",
      tag,
      summary: "Delete a tag",
      description: "Removes the tag from all bookmarks; the tags below it stay.",
      access: writeAccess,
      reads: readAccess,
      query,
      responses: { 200: changed },
      refusals: [noSuchTag(["dev/js"])],
    },
    (call) => answer(deleteTag(database, call.query.name, options(database, call)), call.mayRead),
  );

  const readTags = endpoint(
    {
      id: "readTagsOfBookmark",
      tag,
      summary: "Read a bookmark's tags",
      description:
        "The hashtags in its description, and the names on its tag line. The ETag is the bookmark's.",
      access: readAccess,
      params,
      headers: ["If-None-Match"],
      responses: { 200: { ...ofBookmark, headers: ["ETag"] }, 304: NOT_MODIFIED_RESPONSE },
      refusals: [missing],
    },
    async ({ request, params, access }) => {
      const bookmark = await existing(database.read, params.id);
      const caching = cachingFor(access);
      const etag = entityTag(database.epoch, bookmark.version);
      if (isNotModified(request, etag)) return notModified(etag, caching);
      return ok({ tags: tagsOf(bookmark.description) }, { etag, caching });
    },
  );

  const replaceTags = endpoint(
    {
      id: "replaceTagsOfBookmark",
      tag,
      summary: "Replace a bookmark's tags",
      description:
        "Sets exactly these tags. Other tags are removed from the tag line and lose their `#` in the text; missing ones are added to the tag line.",
      access: writeAccess,
      reads: readAccess,
      params,
      body: z.object({ tags: TagNames }).meta({ id: "TagsReplace" }),
      example: { tags: ["dev/js", "2024"] },
      headers: ["If-Match", "If-None-Match"],
      responses: { 200: ofBookmark },
      refusals: [missing],
    },
    ({ request, params, body, mayRead }) =>
      writeBookmarks(database, database.clock.now(), (writer, sql) =>
        retryOnConflict(async () => {
          const bookmark = await existing(sql, params.id);
          checkPreconditions(request, entityTag(database.epoch, bookmark.version));
          const { description } = retaggedDescription(bookmark, () => body.tags);
          const isStored =
            description === bookmark.description ||
            (await writer.update(bookmark, { ...bookmark, description })) !== undefined;
          return isStored ? ok({ tags: mayRead ? tagsOf(description) : body.tags }) : undefined;
        }),
      ),
  );

  return {
    "/bookmarks/{id}/tags": { GET: readTags, PUT: replaceTags },
    "/api/tags/": { GET: list, PATCH: rename, DELETE: remove },
  };
}

function toTagResponse({ name, count, withBelow, lastUsed }: UsedTag): z.input<typeof TagResponse> {
  return { name, count, with_below: withBelow, last_used: lastUsed.toISOString() };
}

function options(
  { clock }: Database,
  call: Pick<Call<undefined, typeof query>, "caller" | "mayRead" | "query">,
) {
  return {
    accountId: call.caller.account?.id,
    now: clock.now(),
    dryRun: call.query.dry_run,
    evenIfNothing: !call.mayRead,
  };
}

/** To a caller who may not read, the response is the same whether or not there is such a tag. */
async function answer(change: Promise<ManyChanged>, mayRead: boolean) {
  const { changed, undo } = await change;
  const path = undo && undoPath(undo);
  return ok(mayRead ? { changed, undo: path } : { undo: path });
}

async function existing(sql: Sql, id: number | bigint): Promise<Bookmark> {
  return orNotFound(await findBookmark(sql, id), "Bookmark", id);
}
