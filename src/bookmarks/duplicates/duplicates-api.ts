import { z } from "zod";
import type { Sql } from "../../database/database.ts";
import { cachingFor } from "../../http/access.ts";
import { okWithContentTag } from "../../http/caching/content-response.ts";
import { endpoint, NOT_MODIFIED_RESPONSE, type Routes } from "../../http/endpoint.ts";
import { queryInteger, withParameter } from "../../http/parameters.ts";
import { asIssue } from "../../text.ts";
import { BookmarkResponse, toResponse } from "../bookmark.ts";
import type { BookmarkParts } from "../bookmark-parts.ts";
import { findBookmarks } from "../bookmark-store.ts";
import { DIFFERENCES, differences, findDuplicates, ofOnePage } from "./duplicate-store.ts";
import { DUPLICATES_TAG } from "./merge-api.ts";

const bookmark = {
  ...{ id: 7, title: "Bun", url: "https://bun.sh/docs", description: "A fast runtime. #dev/js" },
  created_at: "2026-11-21T06:40:12.345Z",
};

const DuplicateGroup = z
  .object({
    bookmarks: z.array(BookmarkResponse).describe("Newest first."),
    because: z
      .array(z.enum(DIFFERENCES))
      .describe("The parts in which the URLs of the group differ; `none` if the URLs are equal."),
  })
  .meta({ id: "DuplicateGroup" });

/** The endpoint that lists bookmarks of the same page (contract, section 6). */
export function duplicatesApi({ database, readAccess, search }: BookmarkParts): Routes {
  const list = endpoint(
    {
      id: "listDuplicates",
      tag: DUPLICATES_TAG,
      summary: "List duplicates",
      description:
        "Groups of bookmarks of the same page: http or https, `www.`, a trailing slash, tracking parameters and the order of other parameters make no difference; a fragment does.",
      access: readAccess,
      query: z.object({
        limit: queryInteger({
          min: 1,
          max: 100,
          description: "Maximum number of groups; 20 by default.",
        }).optional(),
        cursor: groupCursor(database.epoch)
          .optional()
          .meta({
            description: "The position to continue from, taken from the `Link` of a page.",
            example: cursorOf("0f9e1d2c", "qx7Zk2vJ0rG3mV5bYf8nLA"),
          }),
      }),
      headers: ["If-None-Match"],
      responses: {
        200: {
          description: "The groups.",
          schema: z.array(DuplicateGroup),
          example: [
            {
              bookmarks: [{ ...bookmark, id: 42, url: "http://www.bun.sh/docs" }, bookmark],
              because: ["scheme", "www"],
            },
          ],
          headers: ["ETag", "Link", "Search-Behind"],
        },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [],
    },
    async ({ request, access, query, client, path, search: sent }) => {
      const limit = query.limit ?? 20;
      const behind = await search.behind();
      const { groups, shown } = await database.snapshot(async (read) => {
        const groups = await findDuplicates(read, limit, query.cursor);
        return { groups, shown: await Promise.all(groups.map(({ ids }) => groupOf(read, ids))) };
      });
      const last = groups.length === limit ? groups.at(-1) : undefined;
      const next = last && withParameter(sent, "cursor", cursorOf(database.epoch, last.page));
      return okWithContentTag(
        request,
        database,
        // Records may have changed since the index knew them.
        shown.filter(({ bookmarks }) => bookmarks.length > 1),
        {
          caching: cachingFor(access),
          headers: {
            ...(next && { link: `<${client.origin}${path}${next}>; rel="next"` }),
            ...(behind > 0 && { "search-behind": String(behind) }),
          },
        },
      );
    },
  );

  return { "/bookmarks/duplicates": { GET: list } };
}

async function groupOf(read: Sql, ids: readonly number[]): Promise<z.input<typeof DuplicateGroup>> {
  const found = await findBookmarks(read, ids);
  const bookmarks = ofOnePage(ids.flatMap((id) => found.get(id) ?? [])).map(toResponse);
  return { bookmarks, because: differences(bookmarks.map(({ url }) => url)) };
}

function cursorOf(epoch: string, page: string): string {
  return Buffer.from(`${epoch}.${page}`).toString("base64url");
}

/** A cursor in the query; its value is the page of the last group. */
function groupCursor(epoch: string) {
  return z.string().transform((word, context): string => {
    const [, page] = /^\w+\.([\w-]{1,100})$/.exec(Buffer.from(word, "base64url").toString()) ?? [];
    if (page !== undefined && cursorOf(epoch, page) === word) return page;
    const detail = "The cursor is invalid or expired. Start again without one.";
    context.issues.push(asIssue({ code: "bad_cursor", detail }, word));
    return z.NEVER;
  });
}
