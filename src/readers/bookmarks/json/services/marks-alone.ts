import { type BookmarkFormat, type FormatName, makeRow } from "../../bookmark-format.ts";
import { markOf, marksIn } from "../../marks.ts";
import { dateOf, lineOf, listFormat, objectOf, textOf } from "../json-lists.ts";
import type { JsonObject, JsonValue } from "../json-walk.ts";

/** Marks that an API lists without their bookmarks, each with the address and the title of its page in two members. */
function marksAlone(name: FormatName, url: string, title: string, others: readonly string[]): BookmarkFormat {
  return listFormat(name, {
    lists: ["items"],
    members: ["text", "note", "color", "created", "tags", url, title, ...others],
    toRow: (mark) =>
      makeRow({
        url: lineOf(mark[url]),
        title: lineOf(mark[title]),
        date: dateOf(mark.created),
        marks: [markOf(mark)],
      }),
  });
}

/** `/api/bookmarks/annotations` of Readeck. */
export const readeckMarks = marksAlone("readeck", "bookmark_url", "bookmark_title", [
  ...["id", "href", "bookmark_id", "bookmark_href", "bookmark_site_name"],
]);

/** `/rest/v1/highlights` of Raindrop (developer.raindrop.io/v1/highlights). */
export const raindropMarks = marksAlone("raindrop", "link", "title", ["_id", "lastUpdate", "raindropRef"]);

/**
 * What was marked in Pocket: `annotations/part_….json` in its export (annotationsExportService.ts of Pocket/pocket-monorepo), whose CSV
 * has the same links.
 */
export const pocketMarks = listFormat("pocket", {
  members: ["url", "title", "highlights"],
  toRow: ({ url, title, highlights }) =>
    makeRow({
      url: lineOf(url),
      title: lineOf(title),
      date: dateOf(objectOf(first(highlights)).created_at),
      marks: marksIn(highlights),
    }),
});

/** Annotations of Hypothesis: its JSON export (annotations-exporter.tsx in hypothesis/client), or the rows of its API. */
export const hypothesis = listFormat("hypothesis", {
  lists: ["annotations", "rows"],
  members: [
    ...[
      "id",
      "references",
      "created",
      "updated",
      "group",
      "tags",
      "text",
      "uri",
      "user",
      "hidden",
      "flagged",
    ],
    ...["document", "permissions", "target", "moderation", "moderation_status", "links", "user_info"],
  ],
  toRow: (annotation) => {
    const { title } = objectOf(annotation.document);
    const { exact, prefix, suffix } = quoteOf(objectOf(first(annotation.target)).selector);
    const mark = markOf({ ...annotation, quote: textOf(exact) });
    return makeRow({
      url: lineOf(annotation.uri),
      title: lineOf(first(title) ?? title),
      date: dateOf(annotation.created),
      marks: [{ ...mark, prefix: textOf(prefix), suffix: textOf(suffix) }],
    });
  },
});

/** The selector of the words; a note on the whole page has none. */
function quoteOf(selectors: JsonValue | undefined): JsonObject {
  const all = Array.isArray(selectors) ? selectors.map(objectOf) : [];
  return all.find(({ type }) => type === "TextQuoteSelector") ?? {};
}

function first(value: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(value) ? value[0] : undefined;
}
