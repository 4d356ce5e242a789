import { makeRow, paragraphs } from "../../bookmark-format.ts";
import { dateOf, lineOf, listFormat, textOf } from "../json-lists.ts";
import { tagsIn } from "../tags.ts";

/** The `metadata_….json` of Omnivore's export, beside which are the texts and highlights of its pages (packages/api/src/jobs/export.ts in its source). */
export const omnivore = listFormat("omnivore", {
  members: [
    ...[
      "id",
      "slug",
      "title",
      "description",
      "url",
      "state",
      "labels",
      "savedAt",
      "updatedAt",
      "readingProgress",
    ],
    ...["thumbnail"],
  ],
  toRow: (page) => {
    const isArchived = page.state === "Archived";
    const slug = textOf(page.slug);
    return makeRow({
      url: lineOf(page.url),
      title: lineOf(page.title),
      description: paragraphs(textOf(page.description)),
      ...tagsIn(page.labels),
      date: dateOf(page.savedAt),
      page: slug === "" ? null : { file: `content/${slug}.html`, marks: `highlights/${slug}.md` },
      isTrashed: lineOf(page.state).toLowerCase() === "deleted",
      states: { unread: !isArchived, archived: isArchived, shared: false },
    });
  },
});
