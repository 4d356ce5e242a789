import { readFolderPath } from "../../../bookmarks/export/folder-path.ts";
import { unguardFormula } from "../../../bookmarks/export/formula-guard.ts";
import { exactText, makeRow } from "../file-row.ts";
import { Folder } from "../import-folder.ts";
import type { CsvFormat } from "./csv-table.ts";

/**
 * Our own CSV, of `commonplace export --format csv`. The description has the tags already. Additional tags in the
 * tags column are added to its tag line, so that tags can be added in a spreadsheet.
 */
export const commonplaceCsv: CsvFormat = {
  name: "commonplace-csv",
  isHeader: (has) => ["url", "title", "description", "created_at"].every(has),
  toRow: (field) => {
    const text = (column: string) => unguardFormula(exactText(field(column)));
    const tags = text("tags");
    const isSet = (column: string) => field(column).trim().toLowerCase() === "true";
    return makeRow({
      url: text("url"),
      title: text("title"),
      description: text("description"),
      tags: tags || null,
      tagNames: tags.split(/\s+/),
      date: field("created_at"),
      dateRule: "exact",
      updated: field("updated_at") || null,
      folder: readFolderPath(text("folder")).reduce((folder, name) => folder.inner(name, false), Folder.root),
      states: { unread: isSet("unread"), archived: isSet("archived"), shared: isSet("shared") },
      isOurs: true,
      isExact: true,
    });
  },
};
