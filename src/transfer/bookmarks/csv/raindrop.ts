import { makeRow, paragraphs, plainText } from "../file-row.ts";
import { Folder } from "../import-folder.ts";
import type { CsvFormat } from "./csv-table.ts";

/** Raindrop's name for bookmarks outside any collection. */
const UNSORTED = "Unsorted";

/**
 * Raindrop's CSV: `id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite`. Nested collection
 * names are joined by ` / `. The note is the user's, the excerpt is from the page.
 */
export const raindrop: CsvFormat = {
  name: "raindrop",
  isHeader: (has) => ["url", "folder", "created", "excerpt"].every(has),
  toRow: (field) => {
    const tags = plainText(field("tags"));
    return makeRow({
      url: plainText(field("url")),
      title: plainText(field("title")),
      description: paragraphs(field("note"), field("excerpt"), field("highlights")),
      tags,
      tagNames: tags.split(","),
      date: field("created"),
      folder: folderOf(plainText(field("folder"))),
      isImportant: field("favorite").trim().toLowerCase() === "true",
    });
  },
};

function folderOf(path: string): Folder {
  const names = path.split(" / ").map((name) => name.trim());
  if (path.trim() === "" || path.trim() === UNSORTED) return Folder.root;
  return names.reduce((folder, name) => folder.inner(name, false), Folder.root);
}
