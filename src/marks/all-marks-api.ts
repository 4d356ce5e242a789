import { z } from "zod";
import { collectionState } from "../bookmarks/bookmark-store.ts";
import { listCursor, writeCursor } from "../bookmarks/list-cursor.ts";
import { staleCursor, waitingPart } from "../bookmarks/search/bookmark-matches.ts";
import { indexedBookmarks } from "../bookmarks/search/indexed-bookmarks.ts";
import type { CopyParts } from "../copies/copy-parts.ts";
import { entityTag, isNotModified } from "../http/caching/etags.ts";
import { endpoint, NOT_MODIFIED_RESPONSE, type Routes } from "../http/endpoint.ts";
import { queryInteger, withParameter } from "../http/parameters.ts";
import { notModified, ok, totalCount } from "../http/response-data.ts";
import { queryParameter } from "../search/parameters.ts";
import { tooSlow } from "../search/search.ts";
import { downloadHeaders } from "../web/download.ts";
import { countMarks, findMarked, marksByBookmark, pageOfMarks } from "./all-marks.ts";
import { MARK_EXAMPLE, MARKS_TAG, MarkResponse, toResponse } from "./mark-api.ts";
import { marksAsMarkdown } from "./marks-as-markdown.ts";

const MARKDOWN = "text/markdown";
const LIMIT = 50;
const LIMIT_MAX = 200;

const MarkOfBookmark = MarkResponse.extend({
  bookmark: z.object({ id: z.int().min(1), title: z.string(), url: z.string() }),
}).meta({ id: "MarkOfBookmark" });

const bookmark = { id: 7, title: "Bun", url: "https://bun.sh/docs" };

/** The marks of all bookmarks. */
export function allMarksApi({ database, bookmarks: { search }, readAccess }: CopyParts): Routes {
  const list = endpoint(
    {
      id: "listAllMarks",
      tag: MARKS_TAG,
      summary: "List the marks of all bookmarks",
      description:
        "Newest first. With `q`, those marks of the bookmarks it finds that have its words themselves: in the quote, the note, or the title of the bookmark. `format=markdown` gives all of them in one file, by bookmark, whatever `limit` and `cursor` are.",
      access: readAccess,
      query: z.object({
        q: queryParameter(indexedBookmarks.vocabulary, "fast #dev").optional(),
        limit: queryInteger({
          ...{ min: 1, max: LIMIT_MAX },
          description: `Maximum number of marks; ${LIMIT} by default.`,
        }).optional(),
        cursor: listCursor(database.epoch)
          .optional()
          .meta({ description: "The position to continue from, taken from the `Link` of a page." }),
        format: z.enum(["json", "markdown"]).optional().describe("`json` by default."),
      }),
      headers: ["If-None-Match"],
      responses: {
        200: {
          description: "The marks.",
          schema: z.array(MarkOfBookmark),
          example: [{ ...MARK_EXAMPLE, bookmark }],
          contentType: [MARKDOWN],
          headers: ["ETag", "Link", "X-Total-Count", "Search-Behind", "Content-Disposition"],
        },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [tooSlow()],
    },
    async ({ request, client, path, search: sent, query }) => {
      const { q, limit = LIMIT, cursor } = query;
      if (cursor !== undefined && "sort" in cursor) throw staleCursor();
      if (query.format === "markdown") {
        const body = marksAsMarkdown(marksByBookmark(database.readMany, q && (await findMarked(search, q))));
        return {
          status: 200,
          contentType: `${MARKDOWN}; charset=utf-8`,
          body,
          headers: downloadHeaders("marks.md"),
        };
      }
      const { version } = await collectionState(database.read);
      const behind = q === undefined ? 0 : await search.behind(true);
      const etag = entityTag(database.epoch, version, ...client.originParts, "marks", ...waitingPart(behind));
      if (isNotModified(request, etag)) return notModified(etag, "private");
      const found = q && (await findMarked(search, q));
      const { marks, next } = await pageOfMarks(database.read, found, limit, cursor);
      const link = next && withParameter(sent, "cursor", writeCursor(database.epoch, next));
      const answer = marks.map((mark) => ({ ...toResponse(mark), bookmark: mark.bookmark }));
      return ok(answer, {
        etag,
        headers: {
          ...(q === undefined && totalCount(await countMarks(database.read))),
          ...(behind > 0 && { "search-behind": String(behind) }),
          ...(link && { link: `<${client.origin}${path}${link}>; rel="next"` }),
        },
      });
    },
  );
  return { "/api/marks/": { GET: list } };
}
