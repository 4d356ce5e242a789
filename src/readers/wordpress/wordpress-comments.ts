import { textOfComment } from "../foreign-records.ts";
import { textOfTitle } from "../html/html-content.ts";
import { lineOf } from "../reading/foreign-values.ts";
import type { Tally } from "../reading/tally.ts";
import type { Staging } from "../staging.ts";
import { dateIn, LIMITED, type WxrItem } from "./wxr-items.ts";

/** Adds comments with their dates, without spam, trash and pingbacks. @param leftOut what of them does not come in */
export function addComments(
  records: Staging,
  { comments, path, line }: WxrItem & { readonly path: string },
  parent: string,
  now: Date,
  leftOut: Tally,
): void {
  for (const comment of comments) {
    const location = { file: path, line };
    const author = lineOf(textOfTitle(comment["wp:comment_author"] ?? ""), 100) || "Anonymous";
    const approved = (comment["wp:comment_approved"] ?? "").trim();
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
      const text = textOfComment(comment["wp:comment_content"] ?? "", author, location, records);
      if ((comment["wp:comment_author_url"] ?? "").trim() !== "")
        leftOut.add("Websites of commenters are", location);
      if (/<img\b/i.test(comment["wp:comment_content"] ?? ""))
        leftOut.add("Pictures in comments are", location);
      const repliesTo = (comment["wp:comment_parent"] ?? "").trim();
      const date = dateIn(comment["wp:comment_date_gmt"]) ?? dateIn(comment["wp:comment_date"]) ?? now;
      records.add("comment", {
        location,
        parent,
        ref: `${parent}/${(comment["wp:comment_id"] ?? "").trim()}`,
        record: {
          ...{ author, text },
          status: approved === "1" && comment[LIMITED] === undefined ? "shown" : "waiting",
          created_at: date.toISOString(),
          parent: /^0?$/.test(repliesTo) ? null : `${parent}/${repliesTo}`,
        },
      });
    }
  }
}
