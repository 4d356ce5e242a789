import { makeRow, plainText } from "../file-row.ts";
import { dateOf, textOf } from "./json-members.ts";
import { listFormat } from "./listed-items.ts";

/**
 * Pinboard's JSON, of its export page and of its API (pinboard.in/api): `description` is the title, `extended` the
 * description, `tags` are separated by spaces.
 */
export const pinboard = listFormat("pinboard", ["posts"], (post) =>
  makeRow({
    url: plainText(textOf(post.href)),
    title: plainText(textOf(post.description)),
    description: plainText(textOf(post.extended)),
    tags: plainText(textOf(post.tags)),
    tagNames: plainText(textOf(post.tags)).split(/\s+/),
    date: dateOf(post.time),
    isPrivate: post.shared === "no",
    states: { unread: post.toread === "yes", archived: false, shared: post.shared === "yes" },
  }),
);
