import { lockCounter } from "../../database/counters.ts";
import type { Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import type { IndexedTexts, InsideText } from "../../search/collection.ts";
import { readCopies } from "../read-copies.ts";
import { searchedText } from "./text-of-copy.ts";

/**
 * How copies are indexed: of each bookmark the one that is read, with the title, the author and the site of its page. The words
 * of its marks stand before, so that they have room in the index; they are there without a copy, too.
 */
export const indexedCopies: IndexedTexts = {
  name: "copies",
  hasText: fragment`(e.id in (select bookmark_id from copies) or e.id in (select bookmark_id from marks))`,

  async texts(sql, ids) {
    const texts: InsideText[] = [];
    await eachText(sql, ids, (id, marks, copy) => {
      const ofCopy = copy === undefined ? [] : [copy.title, copy.byline, copy.site, copy.text];
      texts.push({ id, copyId: copy?.id ?? 0, text: [...marks, ...ofCopy].join("\n") });
    });
    return texts;
  },

  // As `lockCopies`, which stands above.
  lock: (sql) => lockCounter(sql, "copies:changes"),
};

/**
 * Passes the texts of bookmarks by which they are found: the words of their marks, and the beginning of the copy that is read, as
 * far as it is searched.
 */
export function eachTextOfCopies(
  sql: Sql,
  bookmarkIds: readonly number[],
  take: (bookmarkId: number, text: string) => void,
): Promise<void> {
  return eachText(sql, bookmarkIds, (id, marks, copy) =>
    // A sentence is shown with what follows it.
    take(id, [...marks, ...(copy ? [copy.text] : [])].join(" ·\n")),
  );
}

interface ReadCopy {
  readonly id: number;
  readonly title: string;
  readonly byline: string | null;
  readonly site: string | null;
  readonly text: string;
}

/** One by one: copies are long. */
async function eachText(
  sql: Sql,
  bookmarkIds: readonly number[],
  take: (bookmarkId: number, marks: readonly string[], copy: ReadCopy | undefined) => void,
): Promise<void> {
  const marks = await wordsOfMarks(sql, bookmarkIds);
  const read = await readCopies(sql, bookmarkIds);
  const ids = [...read.values()].map(({ id }) => id);
  const rows =
    ids.length === 0
      ? []
      : await sql<Omit<ReadCopy, "text"> & { bookmark_id: number; text: Uint8Array }>`
          select id, bookmark_id, title, byline, site, text from copies where id in ${ids}`;
  for (const { id, bookmark_id, title, byline, site, text } of rows) {
    const html = (await Bun.zstdDecompress(text)).toString();
    const copy = { id: Number(id), title, byline, site, text: searchedText(html) };
    take(Number(bookmark_id), marks.get(Number(bookmark_id)) ?? [], copy);
  }
  for (const [bookmarkId, words] of marks) if (!read.has(bookmarkId)) take(bookmarkId, words, undefined);
}

/** The notes of the marks of bookmarks, which stand nowhere else, before their quotes; bookmarks without marks are absent. */
async function wordsOfMarks(sql: Sql, bookmarkIds: readonly number[]): Promise<Map<number, string[]>> {
  const rows = await sql<{ bookmark_id: number; quote: string; note: string }>`
    select bookmark_id, quote, note from marks where bookmark_id in ${bookmarkIds} order by id`;
  return new Map(
    [...Map.groupBy(rows, (row) => Number(row.bookmark_id))].map(([id, marks]) => [
      id,
      [...marks.map(({ note }) => note), ...marks.map(({ quote }) => quote)].filter((text) => text !== ""),
    ]),
  );
}
