import { makeRow, plainText } from "../file-row.ts";
import type { CsvFormat } from "./csv-table.ts";

/**
 * Matter's CSV: `Title,Author,Publisher,URL,Tags,Word Count,In Queue,Favorited,Read,Highlight_Count,Last Interaction
 * Date,File Id`; `;` separates tags.
 */
export const matter: CsvFormat = {
  name: "matter",
  isHeader: (has) => ["url", "in queue", "last interaction date"].every(has),
  toRow: (field) => {
    const tags = plainText(field("tags"));
    const isWaiting = field("in queue").trim().toLowerCase() === "true";
    return makeRow({
      url: plainText(field("url")),
      title: plainText(field("title")),
      tags,
      tagNames: tags.split(";"),
      date: field("last interaction date"),
      states: { unread: isWaiting, archived: !isWaiting, shared: false },
      isImportant: field("favorited").trim().toLowerCase() === "true",
    });
  },
};
