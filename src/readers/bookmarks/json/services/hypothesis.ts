import { makeRow } from "../../bookmark-format.ts";
import { markOf } from "../../marks.ts";
import { dateOf, lineOf, listFormat, objectOf, textOf } from "../json-lists.ts";
import type { JsonObject, JsonValue } from "../json-walk.ts";

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
    const { exact, prefix, suffix } = quoteOf(annotation.target);
    return makeRow({
      url: lineOf(annotation.uri),
      title: lineOf(Array.isArray(title) ? title[0] : title),
      date: dateOf(annotation.created),
      marks: [
        {
          ...markOf({ ...annotation, quote: textOf(exact) }),
          prefix: textOf(prefix),
          suffix: textOf(suffix),
        },
      ],
    });
  },
});

/** The selector of the words; a note on the whole page has none. */
function quoteOf(targets: JsonValue | undefined): JsonObject {
  const { selector } = objectOf(Array.isArray(targets) ? targets[0] : undefined);
  const selectors = Array.isArray(selector) ? selector.map(objectOf) : [];
  return selectors.find(({ type }) => type === "TextQuoteSelector") ?? {};
}
