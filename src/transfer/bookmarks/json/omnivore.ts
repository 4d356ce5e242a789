import { makeRow, paragraphs, plainText } from "../file-row.ts";
import { dateOf, textOf, textsOf } from "./json-members.ts";
import { listFormat } from "./listed-items.ts";

/** The `metadata_….json` of Omnivore's export, beside which are the texts and highlights of its pages. */
export const omnivore = listFormat("omnivore", [], (page) => {
  const tags = textsOf(page.labels).map(plainText);
  const isArchived = page.state === "Archived";
  return makeRow({
    url: plainText(textOf(page.url)),
    title: plainText(textOf(page.title)),
    description: paragraphs(textOf(page.description)),
    tags: tags.join(","),
    tagNames: tags,
    date: dateOf(page.savedAt),
    states: { unread: !isArchived, archived: isArchived, shared: false },
  });
});
