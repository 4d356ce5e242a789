import { makeRow, plainText } from "../file-row.ts";
import { dateOf, textOf, textsOf } from "./json-members.ts";
import { listFormat } from "./listed-items.ts";

/** elCurator's export: an array of links. */
export const elcurator = listFormat("elcurator", [], (link) => {
  const tags = textsOf(link.tags).map(plainText);
  return makeRow({
    url: plainText(textOf(link.url)),
    title: plainText(textOf(link.title)),
    description: plainText(textOf(link.description)),
    tags: tags.join(","),
    tagNames: tags,
    date: dateOf(link.created_at),
    isImportant: link.is_saved === true,
  });
});
