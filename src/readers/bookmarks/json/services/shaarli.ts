import { makeRow, paragraphs } from "../../bookmark-format.ts";
import { dateOf, lineOf, listFormat, textOf } from "../json-lists.ts";
import { tagsIn } from "../tags.ts";

/** Links of Shaarli's API (shaarli.github.io/api-documentation). */
export const shaarli = listFormat("shaarli", {
  members: ["id", "url", "shorturl", "title", "description", "tags", "private", "created", "updated"],
  toRow: (link) =>
    makeRow({
      url: lineOf(link.url),
      title: lineOf(link.title),
      description: paragraphs(textOf(link.description)),
      ...tagsIn(link.tags, /\s+/),
      date: dateOf(link.created),
      isPrivate: link.private === true,
    }),
});
