import { makeRow, plainText } from "../file-row.ts";
import { Folder } from "../import-folder.ts";
import type { CsvFormat } from "./csv-table.ts";

/** Instapaper's three built-in folders, which are not the user's. */
const UNREAD = "Unread";
const ARCHIVE = "Archive";
const STARRED = "Starred";

/**
 * Instapaper's CSV: `URL,Title,Selection,Folder,Timestamp`, since 2025 with `Tags`, a JSON array. The selection is
 * the text selected on the page.
 */
export const instapaper: CsvFormat = {
  name: "instapaper",
  isHeader: (has) => ["url", "title", "selection", "folder"].every(has),
  toRow: (field) => {
    const folder = plainText(field("folder")).trim();
    const isOwn = [UNREAD, ARCHIVE, STARRED, ""].includes(folder);
    return makeRow({
      url: plainText(field("url")),
      title: plainText(field("title")),
      description: plainText(field("selection")).trim(),
      tags: plainText(field("tags")),
      tagNames: tagsOf(plainText(field("tags"))),
      date: field("timestamp"),
      folder: isOwn ? Folder.root : Folder.root.inner(folder, false),
      states: { unread: folder === UNREAD, archived: folder === ARCHIVE, shared: false },
      isImportant: folder === STARRED,
    });
  },
};

function tagsOf(text: string): string[] {
  try {
    const tags: unknown = JSON.parse(text);
    if (Array.isArray(tags)) return tags.filter((tag) => typeof tag === "string");
  } catch {
    // Not an array: written by hand.
  }
  return text.split(",");
}
