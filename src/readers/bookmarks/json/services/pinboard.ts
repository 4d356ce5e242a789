import { makeRow } from "../../bookmark-format.ts";
import { withoutQuoteMarks } from "../../quote-marks.ts";
import { dateOf, lineOf, listFormat } from "../json-lists.ts";
import { tagsIn } from "../tags.ts";

/**
 * Pinboard's JSON, of its export page and of its API (pinboard.in/api): `description` is the title, `extended` the
 * description, `tags` are separated by spaces.
 */
export const pinboard = listFormat("pinboard", {
  lists: ["posts"],
  members: ["href", "description", "extended", "tags", "time", "shared", "toread", "meta", "hash"],
  toRow: (post) =>
    makeRow({
      url: lineOf(post.href),
      title: lineOf(post.description),
      description: withoutQuoteMarks(lineOf(post.extended)),
      ...tagsIn(post.tags, /\s+/),
      date: dateOf(post.time),
      isPrivate: post.shared === "no",
      states: { unread: post.toread === "yes", archived: false, shared: post.shared === "yes" },
    }),
});
