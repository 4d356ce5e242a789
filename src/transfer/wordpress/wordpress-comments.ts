import { textOfHtml } from "../html/html-content.ts";
import type { StagedRecords } from "../import/staged-records.ts";
import { lineOf, storable } from "../reading/foreign-values.ts";
import { dateIn, type WxrItem } from "./wxr-items.ts";

const COMMENT_MAX = 10_000;

/** Adds comments with their dates, without spam, trash and pingbacks. @returns how many of them reply to another one */
export function addComments(
  records: StagedRecords,
  { comments, path, line }: WxrItem & { readonly path: string },
  parent: string,
  now: Date,
): number {
  let replies = 0;
  for (const comment of comments) {
    const location = { file: path, line };
    const author = lineOf(comment["wp:comment_author"] ?? "", 100) || "Anonymous";
    const approved = comment["wp:comment_approved"] ?? "";
    const type = comment["wp:comment_type"] ?? "";
    if (type !== "" && type !== "comment") {
      records.skip("comment", location, author, "type", `It is a ${type}, not a reader's comment.`);
    } else if (approved !== "1" && approved !== "0") {
      records.skip(
        "comment",
        location,
        author,
        "status",
        approved ? `Its status is “${approved}”.` : "It has no status.",
      );
    } else {
      const text = storable(textOfHtml(comment["wp:comment_content"] ?? ""));
      const characters = [...text];
      const isLong = characters.length > COMMENT_MAX;
      if (isLong)
        records.note({
          ...location,
          code: "comment_shortened",
          detail: `A comment by ${author} was longer than ${COMMENT_MAX} characters and has been shortened.`,
        });
      if (!/^0?$/.test((comment["wp:comment_parent"] ?? "").trim())) replies++;
      const date = dateIn(comment["wp:comment_date_gmt"]) ?? dateIn(comment["wp:comment_date"]) ?? now;
      records.add("comment", {
        location,
        parent,
        record: {
          ...{ author, text: isLong ? `${characters.slice(0, COMMENT_MAX - 1).join("")}…` : text },
          ...{ status: approved === "1" ? "shown" : "waiting", created_at: date.toISOString() },
        },
      });
    }
  }
  return replies;
}
