import { makeRow, plainText } from "../../bookmark-format.ts";
import { lineOf, textOf } from "../json-lists.ts";
import { nestedFormat } from "../nested-lists.ts";
import { tagsIn } from "../tags.ts";

/** The export of the tab manager Toby: lists with their cards. It has no dates. */
export const toby = nestedFormat("toby", {
  outer: "lists",
  inner: "cards",
  members: ["id", "title", "url", "customTitle", "customDescription", "labels", "favIconUrl"],
  listOf: ({ title, labels }, number) => ({
    ...{ id: String(number), name: lineOf(title).trim(), parentId: null },
    tagNames: tagsIn(labels).tagNames,
  }),
  toRow: (card, folder) =>
    makeRow({
      url: lineOf(card.url),
      title: plainText(textOf(card.customTitle) || textOf(card.title)),
      description: lineOf(card.customDescription).trim(),
      ...tagsIn(card.labels),
      folder,
    }),
});
