import { makeRow, plainText } from "../file-row.ts";
import type { CsvFormat } from "./csv-table.ts";

/** Pocket's CSV: `title,url,time_added,tags,status`, with a `cursor` in older ones; `|` separates tags. */
export const pocket: CsvFormat = {
  name: "pocket",
  isHeader: (has) => ["url", "time_added", "status"].every(has),
  toRow: (field) => {
    const tags = plainText(field("tags"));
    const status = field("status").trim().toLowerCase();
    return makeRow({
      url: plainText(field("url")),
      title: plainText(field("title")),
      tags,
      tagNames: tags.split("|"),
      date: field("time_added"),
      states: { unread: status === "unread", archived: status === "archive", shared: false },
    });
  },
};
