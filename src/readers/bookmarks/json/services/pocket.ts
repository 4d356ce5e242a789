import { makeRow } from "../../bookmark-format.ts";
import { marksIn } from "../../marks.ts";
import { dateOf, lineOf, listFormat, objectOf } from "../json-lists.ts";

/**
 * What was marked in Pocket: `annotations/part_….json` in its export (annotationsExportService.ts of Pocket/pocket-monorepo). Its CSV
 * has the other links, and these, too.
 */
export const pocketMarks = listFormat("pocket", {
  members: ["url", "title", "highlights"],
  toRow: (page) => {
    const [first] = Array.isArray(page.highlights) ? page.highlights : [];
    return makeRow({
      url: lineOf(page.url),
      title: lineOf(page.title),
      date: dateOf(objectOf(first).created_at),
      marks: marksIn(page.highlights),
    });
  },
});
