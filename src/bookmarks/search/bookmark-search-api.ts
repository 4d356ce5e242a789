import { z } from "zod";
import { cachingFor } from "../../http/access.ts";
import { endpoint, type Routes } from "../../http/endpoint.ts";
import { queryInteger, withParameter } from "../../http/parameters.ts";
import { ok, totalCount } from "../../http/response-data.ts";
import { queryParameter, sortParameter } from "../../search/parameters.ts";
import { lengthError, QUERY_MAX } from "../../search/query/parser.ts";
import { COUNT_MAX, tooSlow } from "../../search/search.ts";
import { writeSearchCursor } from "../../search/search-cursor.ts";
import { asIssue } from "../../text.ts";
import { BookmarkResponse, BOOKMARKS_TAG as tag, toResponse, webUrl } from "../bookmark.ts";
import type { BookmarkParts } from "../bookmark-parts.ts";
import { findBookmarks } from "../bookmark-store.ts";
import { listCursor } from "../list-cursor.ts";
import { staleCursor } from "./bookmark-matches.ts";
import { findOfPage } from "./bookmark-of-url.ts";
import { indexedBookmarks } from "./indexed-bookmarks.ts";
import { checkCopies, checkedQuery, mayReadCopies } from "./inside-copies.ts";
import { searchBookmarks, TAGGED_MAX } from "./search-results.ts";
import { suggest } from "./suggestions.ts";

const example = {
  id: 7,
  title: "Bun",
  url: "https://bun.sh/docs",
  description: "A fast runtime. #dev/js",
  created_at: "2026-11-21T06:40:12.345Z",
};
const count = z.int().min(0);
const typedText = z
  .string()
  .check((context) => {
    const error = lengthError(context.value);
    if (error !== undefined) context.issues.push(asIssue(error, context.value));
  })
  .meta({ description: "The text typed so far.", example: "bu", maxLength: QUERY_MAX });
const TagCounts = z.array(z.object({ name: z.string(), count }));
const Highlight = z
  .object({ field: z.enum(["title", "url", "text"]), start: count, end: count })
  .describe("A matching part, in code points: from `start` up to, but not including, `end`.");
const Inside = z.object({
  text: z.string().describe("The sentence and what surrounds it, in one line of about 400 characters."),
  highlights: z.array(z.object({ start: count, end: count })).describe("As above, in `text`."),
});
const SearchResults = z
  .object({
    matches: count.describe(`Number of matches, at most ${COUNT_MAX}.`),
    more: z.boolean().describe("Whether there are more matches than that."),
    tags: TagCounts.describe(
      `The tags of the matches, the most frequent first; only the newest ${TAGGED_MAX} matches are counted.`,
    ),
    results: z.array(
      z.object({
        bookmark: BookmarkResponse,
        tags: z.array(z.string()),
        text: z.string().describe("The description without its tag line."),
        highlights: z.array(Highlight),
        inside: Inside.nullable().describe(
          "The sentence in the copy of the page, if the words were found there; otherwise null.",
        ),
      }),
    ),
  })
  .meta({ id: "SearchResults" });
const Suggestions = z
  .object({
    tags: TagCounts,
    sites: z.array(z.object({ host: z.string(), count })),
    bookmarks: z.array(BookmarkResponse).describe("The newest bookmarks with these words in their titles."),
  })
  .meta({ id: "Suggestions" });
const KnownPages = z
  .object({
    exact: z.int().nullable().describe("The newest bookmark with exactly this URL; null if there is none."),
    same: z.array(BookmarkResponse).describe("The bookmarks of the same page, the newest first."),
  })
  .meta({ id: "KnownPages" });

/** The endpoints that find bookmarks for pages and extensions (contract, section 6). */
export function bookmarkSearchApi(parts: BookmarkParts): Routes {
  const { database, search, readAccess } = parts;
  const operation = { tag, access: readAccess };
  const found = endpoint(
    {
      ...operation,
      id: "searchBookmarks",
      summary: "Search bookmarks for a page of results",
      description:
        "A page of matches with the parts to highlight, and the tags of all matches with their counts.",
      query: z.object({
        q: queryParameter(indexedBookmarks.vocabulary, "fast #dev").optional(),
        sort: sortParameter,
        limit: queryInteger({
          min: 1,
          max: 100,
          description: "Maximum number of results; 20 by default.",
        }).optional(),
        cursor: listCursor(database.epoch)
          .optional()
          .meta({ description: "The position to continue from, taken from the `Link` of a page." }),
      }),
      responses: {
        200: {
          description: "The results.",
          schema: SearchResults,
          example: {
            matches: 1,
            more: false,
            tags: [{ name: "dev/js", count: 1 }],
            results: [
              {
                bookmark: example,
                tags: ["dev/js"],
                text: "A fast runtime. #dev/js",
                highlights: [{ field: "text", start: 2, end: 6 }],
                inside: null,
              },
            ],
          },
          headers: ["Link", "X-Total-Count", "Search-Behind"],
        },
      },
      refusals: [tooSlow()],
    },
    async (call) => {
      const { client, access, path, search: sent, query } = call;
      const { q, limit = 20, cursor } = query;
      const inside = q !== undefined && (await mayReadCopies(parts, call));
      checkedQuery(() => checkCopies(q, inside));
      const sort = query.sort ?? (q === undefined ? "newest" : "relevance");
      if (cursor !== undefined && !("sort" in cursor && cursor.sort === sort)) throw staleCursor();
      const after = cursor !== undefined && "sort" in cursor ? cursor : undefined;
      const behind = await search.behind(inside);
      const wanted = { query: q, sort, limit, after, inside };
      const { next, ...results } = await searchBookmarks(parts, wanted);
      const link = next && withParameter(sent, "cursor", writeSearchCursor(database.epoch, sort, next));
      return ok(results, {
        caching: inside ? "private" : cachingFor(access),
        headers: {
          // Above COUNT_MAX matches are not counted.
          ...(!results.more && totalCount(results.matches)),
          ...(behind > 0 && { "search-behind": String(behind) }),
          ...(link && { link: `<${client.origin}${path}${link}>; rel="next"` }),
        },
      });
    },
  );

  const suggestions = endpoint(
    {
      ...operation,
      id: "suggestBookmarks",
      summary: "Suggest tags, sites and bookmarks",
      description: "Suggestions while a query is typed.",
      query: z.object({
        q: typedText,
      }),
      responses: {
        200: {
          description: "The suggestions.",
          schema: Suggestions,
          example: {
            tags: [{ name: "build", count: 3 }],
            sites: [{ host: "bun.sh", count: 1 }],
            bookmarks: [example],
          },
        },
      },
      refusals: [tooSlow()],
    },
    async ({ access, query }) => {
      const { bookmarks: ids, ...others } = await suggest(search, query.q);
      return ok({ ...others, bookmarks: await responses(ids) }, { caching: cachingFor(access) });
    },
  );

  const check = endpoint(
    {
      ...operation,
      id: "checkUrl",
      summary: "Check whether a page is bookmarked",
      description:
        "The bookmarks of the same page: http or https, `www.`, a trailing slash, tracking parameters and the order of other parameters make no difference; a fragment does.",
      query: z.object({ url: webUrl.meta({ example: "https://bun.sh/docs?utm_source=mail" }) }),
      responses: {
        200: {
          description: "The bookmarks of the page.",
          schema: KnownPages,
          example: { exact: null, same: [example] },
          headers: ["Search-Behind"],
        },
      },
      refusals: [tooSlow()],
    },
    async ({ access, query: { url } }) => {
      const behind = await search.behind();
      const { exact, ids } = await search.apart((sql) => findOfPage(sql, url));
      return ok(
        { exact: exact ?? null, same: await responses(ids) },
        {
          caching: cachingFor(access),
          ...(behind > 0 && { headers: { "search-behind": String(behind) } }),
        },
      );
    },
  );

  async function responses(ids: readonly number[]): Promise<BookmarkResponse[]> {
    if (ids.length === 0) return [];
    const bookmarks = await findBookmarks(database.readMany, ids);
    return ids.flatMap((id) => {
      const bookmark = bookmarks.get(id);
      return bookmark === undefined ? [] : [toResponse(bookmark)];
    });
  }

  return {
    "/bookmarks/search": { GET: found },
    "/bookmarks/suggest": { GET: suggestions },
    "/bookmarks/check": { GET: check },
  };
}
