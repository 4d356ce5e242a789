import { makeRow, plainText } from "../file-row.ts";
import { dateOf, textOf, textsOf } from "./json-members.ts";
import { listFormat } from "./listed-items.ts";

/** elCurator's export: an array of links, whose dates are written as `2015-09-09 11:10:32 UTC`. */
export const elcurator = listFormat("elcurator", [], (link) => {
  const tags = textsOf(link.tags).map(plainText);
  return makeRow({
    url: plainText(textOf(link.url)),
    title: plainText(textOf(link.title)),
    description: plainText(textOf(link.description)),
    tags: tags.join(","),
    tagNames: tags,
    date: dateOf(link.created_at)?.replace(/^(\S+) (\S+) UTC$/, "$1T$2Z") ?? null,
    isImportant: link.is_saved === true,
  });
});
