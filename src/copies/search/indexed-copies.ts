import { lockCounter } from "../../database/counters.ts";
import type { Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import type { IndexedTexts, InsideText } from "../../search/collection.ts";
import { readCopies } from "../read-copies.ts";
import { searchedText } from "./text-of-copy.ts";

/** How copies are indexed: of each bookmark the one that is read, with the title, the author and the site of its page. */
export const indexedCopies: IndexedTexts = {
  name: "copies",
  holders: fragment`select bookmark_id from copies`,

  async texts(sql, ids) {
    const texts: InsideText[] = [];
    await eachReadCopy(sql, ids, ({ id, bookmarkId, title, byline, site, text }) => {
      texts.push({ id: bookmarkId, copyId: id, text: [title, byline, site, text].join("\n") });
    });
    return texts;
  },

  // As `lockCopies`, which stands above.
  lock: (sql) => lockCounter(sql, "copies:changes"),
};

/** Passes the beginnings of the texts of the copies that are read, as far as they are searched, one by one. */
export function eachTextOfCopies(
  sql: Sql,
  bookmarkIds: readonly number[],
  take: (bookmarkId: number, text: string) => void,
): Promise<void> {
  return eachReadCopy(sql, bookmarkIds, ({ bookmarkId, text }) => take(bookmarkId, text));
}

interface ReadCopy {
  readonly id: number;
  readonly bookmarkId: number;
  readonly title: string;
  readonly byline: string | null;
  readonly site: string | null;
  readonly text: string;
}

async function eachReadCopy(
  sql: Sql,
  bookmarkIds: readonly number[],
  take: (copy: ReadCopy) => void,
): Promise<void> {
  const read = await readCopies(sql, bookmarkIds);
  const ids = [...read.values()].map(({ id }) => id);
  if (ids.length === 0) return;
  const rows = await sql<Omit<ReadCopy, "bookmarkId" | "text"> & { bookmark_id: number; text: Uint8Array }>`
    select id, bookmark_id, title, byline, site, text from copies where id in ${ids}`;
  for (const { id, bookmark_id, title, byline, site, text } of rows) {
    const html = (await Bun.zstdDecompress(text)).toString();
    take({
      ...{ id: Number(id), bookmarkId: Number(bookmark_id), title, byline, site },
      text: searchedText(html),
    });
  }
}
