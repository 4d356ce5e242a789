import { makeRow, paragraphs } from "../../bookmark-format.ts";
import { marksIn } from "../../marks.ts";
import { lineOf, listFormat, objectOf, textOf } from "../json-lists.ts";
import { tagsIn } from "../tags.ts";

/**
 * Readwise's API (`/api/v2/export/`, readwise.io/api_deets): books and articles with what is marked in them. Books have no address:
 * their marks go to the bookmark with their title. A mark that was deleted there is left out.
 */
export const readwiseApi = listFormat("readwise", {
  lists: ["results"],
  members: [
    ...["user_book_id", "title", "readable_title", "source", "source_url", "unique_url", "readwise_url"],
    ...["cover_image_url", "asin", "category", "book_tags", "document_note", "highlights", "is_deleted"],
    ...["external_id"],
  ],
  toRow: (book) => {
    const all = Array.isArray(book.highlights) ? book.highlights : [];
    const marks = marksIn(all.filter((highlight) => objectOf(highlight).is_deleted !== true));
    return makeRow({
      url: lineOf(book.source_url),
      title: lineOf(book.readable_title) || lineOf(book.title),
      description: paragraphs(textOf(book.document_note)),
      ...tagsIn(book.book_tags),
      date: marks[0]?.date ?? null,
      marks,
    });
  },
});
