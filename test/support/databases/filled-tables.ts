import { expect } from "bun:test";
import type { DatabaseSync } from "node:sqlite";

/** Values of columns that take only some; a new such column belongs here, and those of earlier schemas stay. */
const VALUES: Readonly<Record<string, string | number>> = {
  "import_rows.outcome": "added",
  "comments.status": "waiting",
  // A post that is scheduled is no published one.
  "posts.published": 0,
  "bookmark_states.unread": 1,
  "bookmark_states.archived": 1,
  "bookmark_states.shared": 1,
  "bookmarks.unread": 1,
  "bookmarks.archived": 1,
  "bookmarks.shared": 1,
  "keys.kind": "shared-list",
  "keys.with_notes": 1,
  "changes.record": "post",
  "change_rows.record": "version",
  "change_rows.outcome": "deleted",
  "posts.kind": "link",
  "media.type": "webp",
  "post_versions.published": 1,
  "import_uploads.kind": "blog",
  "import_uploads.state": "ready",
  "import_uploads.with_tags": 1,
  "import_pieces.part": "records",
  "copies.origin": "fetched",
  "copies.direction": "rtl",
  "copies.is_article": 1,
  "reading.progress": 62,
  "reading.finished": 1,
  "page_pictures.is_public": 1,
};

/** What is hard on a copy: every kind of quote and separator, control characters, the edges of Unicode. */
const TEXT = `~ 3:abc, "double" 'single' \\ \\u0041 \t\r\n\u0001\u007f\u2028 é é 😀 \u{10ffff}\uffff`;

/**
 * Stores two rows in every table of a SQLite database: one without a null, and one with every null that there may be. In
 * some tables the last one is deleted again.
 */
export function fillEveryTable(database: DatabaseSync): void {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
  database.exec("pragma foreign_keys = off; begin");
  for (const { name } of tables.filter(
    ({ name }) => !/^sqlite_|^search_|^rendered_posts$|^migrations$/.test(String(name)),
  )) {
    const columns = database.prepare(`pragma table_info("${name}")`).all() as unknown as ColumnInfo[];
    const insert = database.prepare(
      `insert into "${name}" (${columns.map((column) => `"${column.name}"`).join(", ")})
         values (${columns.map(() => "?").join(", ")})`,
    );
    for (const n of [1, 2]) insert.run(...columns.map((column) => sampleOf(String(name), column, n)));
  }
  expect(database.prepare("pragma foreign_key_check").all()).toEqual([]);
  // The highest ids are gone, and must not be given again.
  if (tables.some(({ name }) => name === "bookmark_states"))
    database.exec("delete from bookmark_states where bookmark_id = 2");
  database.exec(`delete from comments where id = 2; delete from bookmarks where id = 2;
       delete from import_rows where import_id = 2; delete from imports where id = 2; commit`);
}

interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

function sampleOf(
  table: string,
  { name, type, notnull, pk }: ColumnInfo,
  n: number,
): string | number | Buffer | null {
  if (n === 2 && notnull === 0 && pk === 0) return null;
  const value = VALUES[`${table}.${name}`];
  if (value !== undefined) return typeof value === "number" ? value * (2 - n) : value;
  if (type === "BLOB") return Buffer.from(Array.from({ length: 256 }, (_, byte) => byte * n));
  if (type === "TEXT") return n === 2 && pk === 0 && !/key|^sha256$/.test(name) ? "x" : `${name}${n} ${TEXT}`;
  if (name.endsWith("_at")) return 1_700_000_000_123 + n;
  // An account that a row cannot be without is there, too.
  const refers = name.endsWith("_id") || (name.endsWith("_by") && notnull === 1);
  return pk > 0 || refers ? n : 70_000 + n;
}
