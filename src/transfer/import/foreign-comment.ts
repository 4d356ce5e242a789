import { textOfHtml } from "../html/html-content.ts";
import { storable } from "../reading/foreign-values.ts";
import type { RecordLocation } from "./record.ts";
import type { StagedRecords } from "./staged-records.ts";

/** The maximum length of a comment, in characters. */
const COMMENT_MAX = 10_000;

/** The text of a comment of another program, which has it as HTML; one that is too long is shortened, with a note. */
export function textOfComment(
  html: string,
  author: string,
  location: RecordLocation,
  records: StagedRecords,
): string {
  const text = storable(textOfHtml(html));
  const characters = [...text];
  if (characters.length <= COMMENT_MAX) return text;
  records.note({
    ...location,
    code: "comment_shortened",
    detail: `A comment by ${author} was longer than ${COMMENT_MAX} characters and has been shortened.`,
  });
  return `${characters.slice(0, COMMENT_MAX - 1).join("")}…`;
}
