import { contentDigest } from "../database/content-digest.ts";
import type { Sql } from "../database/database.ts";
import { type Fragment, fragment, rowList } from "../database/fragment.ts";
import { insertOne } from "../database/ids/new-ids.ts";
import type { Rows } from "../database/schema/rows.ts";
import type { Mark, Quote } from "./mark.ts";

/** A row of {@link MARK_COLUMNS}. */
export type MarkRow = Omit<Rows["marks"], "digest">;

/** The columns of a mark, of the table `marks`. */
export const MARK_COLUMNS = fragment`marks.id, marks.bookmark_id, quote, prefix, suffix, position, note, marks.version,
  marks.created_at, marks.updated_at, marks.created_by`;

/** The marks of bookmarks, in the order in which they were made. */
export async function marksOf(sql: Sql, bookmarkIds: readonly number[]): Promise<Mark[]> {
  if (bookmarkIds.length === 0) return [];
  const rows = await sql<MarkRow>`
    select ${MARK_COLUMNS} from marks where bookmark_id in ${bookmarkIds} order by created_at, id`;
  return rows.map(markOf);
}

/** Marks by their ids, also those of removed bookmarks. */
export async function findMarks(sql: Sql, ids: readonly number[]): Promise<Map<number, Mark>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<MarkRow>`select ${MARK_COLUMNS} from marks where id in ${ids}`;
  return new Map(rows.map(markOf).map((mark) => [mark.id, mark]));
}

export async function findMark(
  sql: Sql,
  bookmarkId: number | bigint,
  markId: number | bigint,
): Promise<Mark | undefined> {
  if (typeof bookmarkId === "bigint" || typeof markId === "bigint") return undefined;
  const [row] = await sql<MarkRow>`
    select ${MARK_COLUMNS} from marks where id = ${markId} and bookmark_id = ${bookmarkId}`;
  return row && markOf(row);
}

/** How many marks a bookmark has. */
export async function countMarksOf(sql: Sql, bookmarkId: number): Promise<number> {
  const [row] = await sql<{ n: number }>`
    select count(*) as n from marks where bookmark_id = ${bookmarkId}`;
  return Number(row?.n);
}

/** A mark that is to be stored. */
export type NewMark = Omit<Mark, "id">;

/** A mark of its first version. */
export function newMark(
  quote: Quote,
  { bookmarkId, note, accountId }: { bookmarkId: number; note: string; accountId: number | undefined },
  now: Date,
): NewMark {
  return {
    ...{ ...quote, bookmarkId, note, version: 1, createdAt: now, updatedAt: now },
    createdBy: accountId ?? null,
  };
}

const INSERTED = fragment`bookmark_id, quote, prefix, suffix, position, note, version, created_at, updated_at,
  created_by, digest`;

function valuesOf(mark: NewMark): readonly (string | number | Date | null)[] {
  return [
    ...[mark.bookmarkId, mark.quote, mark.prefix, mark.suffix, mark.position, mark.note, mark.version],
    ...[mark.createdAt, mark.updatedAt, mark.createdBy, digestOf(mark)],
  ];
}

function digestOf({ quote, prefix, suffix, note }: NewMark): number {
  return contentDigest(quote, prefix, suffix, note);
}

/** Stores a mark. Its bookmark is held, and what follows is the caller's (`mark-changes.ts`). */
export async function addMark(sql: Sql, mark: NewMark): Promise<Mark> {
  const id = await insertOne(
    sql,
    fragment`insert into marks (${INSERTED}) values ${rowList([valuesOf(mark)])}`,
  );
  return { ...mark, id };
}

/** Stores marks under ids that the caller has assigned. */
export async function placeMarks(sql: Sql, marks: readonly Mark[]): Promise<void> {
  if (marks.length === 0) return;
  const rows = marks.map(({ id, ...mark }) => [id, ...valuesOf(mark)]);
  await sql`insert into marks (id, ${INSERTED}) values ${rowList(rows)}`;
}

/** Stores another note. @returns the mark as it is then */
export async function storeNote(sql: Sql, mark: Mark, note: string, now: Date): Promise<Mark> {
  const changed: Mark = { ...mark, note, version: mark.version + 1, updatedAt: now };
  await sql`
    update marks set note = ${note}, version = ${changed.version}, updated_at = ${now}, digest = ${digestOf(changed)}
    where id = ${mark.id}`;
  return changed;
}

/** Deletes marks. @returns how many there were */
export async function deleteMarks(sql: Sql, which: Fragment): Promise<number> {
  return (await sql`delete from marks where ${which} returning id`).length;
}

/** A row of `marks`. */
export function markOf({ bookmark_id, created_at, updated_at, created_by, ...row }: MarkRow): Mark {
  const { id, position, version } = row;
  return {
    ...{ ...row, id: Number(id), bookmarkId: Number(bookmark_id), version: Number(version) },
    position: position === null ? null : Number(position),
    ...{ createdAt: new Date(created_at), updatedAt: new Date(updated_at) },
    createdBy: created_by === null ? null : Number(created_by),
  };
}
