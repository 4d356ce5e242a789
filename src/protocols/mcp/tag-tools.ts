import { z } from "zod";
import { webUrl } from "../../bookmarks/bookmark.ts";
import type { BookmarkParts } from "../../bookmarks/bookmark-parts.ts";
import { findBookmark } from "../../bookmarks/bookmark-store.ts";
import { suggestTags } from "../../bookmarks/tags/suggest-tags.ts";
import { listTags, TAG_SORTS } from "../../bookmarks/tags/tag-list.ts";
import { orNotFound, Refusal } from "../../errors.ts";
import { tagsOf, textOf } from "../../tags/description-tags.ts";
import { TAG_NAME_MAX, tagKey } from "../../tags/tag-name.ts";
import { text } from "../../text.ts";
import { type Tool, tool } from "./tool.ts";

const READING = ["bookmarks:read"] as const;
/** The most frequent tags, which a suggestion looks at. */
const LOOKED_AT = 1_000;
const SUGGESTIONS = 12;

/** What agents can ask of tags. */
export function tagTools(bookmarks: BookmarkParts): readonly Tool[] {
  const { database } = bookmarks;

  const list = tool({
    name: "list_tags",
    title: "List tags",
    description: "Lists the tags of the library with the numbers of their links. A / nests tags: dev/js.",
    scopes: READING,
    input: z.strictObject({
      query: text({ max: TAG_NAME_MAX }).optional().describe("Only tags whose names contain this."),
      sort: z.enum(TAG_SORTS).default("count"),
      limit: z.int().min(1).max(200).default(50),
    }),
    async answer(_, { query, sort, limit }) {
      const { tags, total } = await listTags(database.read, { q: query, sort, limit });
      const isAll = tags.length === total;
      return {
        message: `${tags.length} of ${total} tags. ${isAll ? "These are all." : "To see others, pass a query, or a higher limit."}`,
        data: {
          total,
          quoted: {
            source: "the tags of the library",
            tags: tags.map(({ name, count }) => ({ name, links: count })),
          },
        },
      };
    },
  });

  const suggest = tool({
    name: "suggest_tags",
    title: "Suggest tags",
    description:
      "Suggests tags that exist, for a link of the library (id) or for a page to be added (url, title, note): those whose words are in its texts, and those of other links of its site.",
    scopes: READING,
    input: z.strictObject({
      id: z.int().min(1).optional(),
      url: webUrl.optional(),
      title: text({ max: 1_000 }).default(""),
      note: text({ max: 10_000 }).default(""),
    }),
    async answer(_, { id, ...page }) {
      if (id === undefined && page.url === undefined) throw new Refusal("invalid", "Give an id, or a url.");
      const link =
        id === undefined ? undefined : orNotFound(await findBookmark(database.read, id), "Link", id);
      const { url = "", title, note } = link ? { ...link, note: textOf(link.description) } : page;
      const has = new Set(tagsOf(link?.description ?? "").map(tagKey));
      const words = new Set(wordsOf(`${title} ${note}`));
      const { tags } = await listTags(database.read, { sort: "count", limit: LOOKED_AT });
      const named = tags.flatMap(({ name }) => {
        const own = wordsOf(name.split("/").at(-1) ?? "");
        return own.length > 0 && own.every((word) => words.has(word)) ? [name] : [];
      });
      const all = [...named, ...(await suggestTags(bookmarks, url))].filter((name) => !has.has(tagKey(name)));
      const suggested = [...new Map(all.map((name) => [tagKey(name), name])).values()].slice(0, SUGGESTIONS);
      return {
        message: `${suggested.length} tags may fit. ${link ? "tag_links adds them" : "Pass them to add_link"}, if they do.`,
        data: { quoted: { source: "the tags of the library", tags: suggested } },
      };
    },
  });

  return [list, suggest];
}

function wordsOf(text: string): string[] {
  return tagKey(text).match(/[\p{L}\p{M}\p{N}+#]+/gu) ?? [];
}
