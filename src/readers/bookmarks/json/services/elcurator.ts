import { makeRow } from "../../bookmark-format.ts";
import { dateOf, lineOf, listFormat } from "../json-lists.ts";
import { tagsIn } from "../tags.ts";

/** elCurator's export: an array of links. */
export const elcurator = listFormat("elcurator", {
  members: ["url", "title", "description", "tags", "created_at", "is_saved"],
  toRow: (link) =>
    makeRow({
      url: lineOf(link.url),
      title: lineOf(link.title),
      description: lineOf(link.description),
      ...tagsIn(link.tags),
      date: dateOf(link.created_at),
      isImportant: link.is_saved === true,
    }),
});
