import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

export interface Page {
  /** The table or index that it is a page of. */
  readonly name: string;
  readonly type: "internal" | "leaf" | "overflow";
  readonly number: number;
}

/** The pages of the tables and indexes of a closed SQLite file whose names begin so, by `dbstat` (sqlite.org/dbstat.html). */
export function pagesOf(path: string, prefix: string): Page[] {
  using database = new DatabaseSync(path, { readOnly: true });
  const rows = database
    .prepare(
      "select name, pagetype as type, pageno as number from dbstat where substr(name, 1, length(?1)) = ?1",
    )
    .all(prefix);
  return rows as unknown as Page[];
}

/** The first page of each kind. */
export function oneOfEachKind(pages: readonly Page[]): Page[] {
  return [...Map.groupBy(pages, ({ name, type }) => `${name} ${type}`).values()].flatMap(
    ([page]) => page ?? [],
  );
}

/** What a disk may make of a page: nothing left of it; other bytes; or something else in the middle of its first part. */
export const DAMAGES = {
  empty: (page: Buffer) => page.fill(0),
  other: (page: Buffer) => page.map((_, index) => (index * 7919) % 251),
  head: (page: Buffer) => page.fill(0xaa, 8, 60),
} as const satisfies Record<string, (page: Buffer) => Uint8Array>;

/** Damages a page of a file that no process writes to. */
export function damagePage(
  path: string,
  { number }: Pick<Page, "number">,
  damage: (page: Buffer) => Uint8Array,
): void {
  const size = pageSizeOf(path);
  const page = Buffer.alloc(size);
  const file = openSync(path, "r+");
  readSync(file, page, 0, size, (number - 1) * size);
  writeSync(file, damage(page), 0, size, (number - 1) * size);
  closeSync(file);
}

function pageSizeOf(path: string): number {
  using database = new DatabaseSync(path, { readOnly: true });
  return Number(database.prepare("pragma page_size").get()?.page_size);
}
