import { makeRow, plainText } from "../file-row.ts";
import { Folder } from "../import-folder.ts";
import type { CsvFormat } from "./csv-table.ts";

/** A tag in a list as Python writes it: `['old maps', "rye's"]`. */
const TAG = /'((?:[^'\\]|\\.){0,1000})'|"((?:[^"\\]|\\.){0,1000})"/g;

/**
 * Readwise Reader's CSV: `Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen`. What came from
 * feeds by itself gets a folder, so that it can be found and removed.
 */
export const readwise: CsvFormat = {
  name: "readwise",
  isHeader: (has) => ["url", "document tags", "saved date", "location"].every(has),
  toRow: (field) => {
    const tags = plainText(field("document tags"));
    const location = field("location").trim().toLowerCase();
    return makeRow({
      url: plainText(field("url")),
      title: plainText(field("title")),
      tags,
      tagNames: tagsOf(tags),
      date: field("saved date"),
      folder: location === "feed" ? Folder.root.inner("Feed", false) : Folder.root,
      states: {
        unread: ["new", "later", "shortlist"].includes(location),
        archived: location === "archive",
        shared: false,
      },
    });
  },
};

function tagsOf(list: string): string[] {
  const found = [...list.matchAll(TAG)].map(([, single, double]) =>
    (single ?? double ?? "").replaceAll(/\\(.)/g, "$1"),
  );
  return found.length > 0 ? found : list.replaceAll(/[[\]]/g, "").split(",");
}
