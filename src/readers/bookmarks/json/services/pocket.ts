import { makeRow } from "../../bookmark-format.ts";
import { marksIn } from "../../marks.ts";
import { lineOf, listFormat } from "../json-lists.ts";

/**
 * What was marked in Pocket: `annotations/part_….json` in its export (annotationsExportService.ts of Pocket/pocket-monorepo), whose CSV
 * has the same links.
 */
export const pocketMarks = listFormat("pocket", {
  members: ["url", "title", "highlights"],
  toRow: ({ url, title, highlights }) => {
    const marks = marksIn(highlights);
    return makeRow({ url: lineOf(url), title: lineOf(title), date: marks[0]?.date ?? null, marks });
  },
});
