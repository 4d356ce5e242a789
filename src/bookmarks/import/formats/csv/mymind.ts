import { makeRow, paragraphs, plainText } from "../file-row.ts";
import type { CsvFormat } from "./csv-table.ts";

/** mymind's CSV: `id,type,title,url,content,note,tags,created`. A card without an address is refused. */
export const mymind: CsvFormat = {
  name: "mymind",
  isHeader: (has) => ["id", "type", "url", "content", "note", "created"].every(has),
  toRow: (field) => {
    const tags = plainText(field("tags"));
    return makeRow({
      url: plainText(field("url")),
      title: plainText(field("title")),
      description: paragraphs(field("note"), field("content")),
      tags,
      tagNames: tags.split(","),
      date: field("created"),
    });
  },
};
