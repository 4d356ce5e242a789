import type { Instant, Sql } from "../database/database.ts";

/** How far the copy of a bookmark is read. */
export interface ReadingPlace {
  /** Where the reader stopped, in characters of the text. */
  readonly place: number;
  /** In hundredths of the text. */
  readonly progress: number;
  readonly finished: boolean;
}

/** A bookmark whose copy is read in part. */
export interface Begun {
  readonly bookmarkId: number;
  readonly progress: number;
}

interface PlaceRow {
  readonly place: number;
  readonly progress: number;
  readonly finished: boolean | number;
}

export async function findPlace(sql: Sql, bookmarkId: number): Promise<ReadingPlace | undefined> {
  const [row] = await sql<PlaceRow>`
    select place, progress, finished from reading where bookmark_id = ${bookmarkId}`;
  return row && { place: Number(row.place), progress: Number(row.progress), finished: Boolean(row.finished) };
}

/** Keeps where a reader stopped. At the end, the text is finished; what is begun again is not. */
export async function keepPlace(
  sql: Sql,
  bookmarkId: number,
  { place, progress }: Pick<ReadingPlace, "place" | "progress">,
  now: Date,
): Promise<void> {
  const finished = progress === 100;
  await sql`
    insert into reading (bookmark_id, copy_id, place, progress, begun_at, updated_at, finished)
    values (${bookmarkId}, ${null}, ${place}, ${progress}, ${now}, ${now}, ${finished})
    on conflict (bookmark_id) do update set
      place = excluded.place, progress = excluded.progress, updated_at = excluded.updated_at, finished = excluded.finished`;
}

/** Reads another copy from now on, from its beginning: a place in one text is none in another. */
export async function chooseCopy(sql: Sql, bookmarkId: number, copyId: number, now: Date): Promise<void> {
  await sql`
    insert into reading (bookmark_id, copy_id, place, progress, begun_at, updated_at, finished)
    values (${bookmarkId}, ${copyId}, 0, 0, ${now}, ${now}, ${false})
    on conflict (bookmark_id) do update set
      copy_id = excluded.copy_id, place = 0, progress = 0, updated_at = excluded.updated_at,
      finished = excluded.finished`;
}

/** Whether what was begun of a bookmark is done with. */
export async function finishReading(sql: Sql, bookmarkId: number, finished = true): Promise<void> {
  await sql`update reading set finished = ${finished} where bookmark_id = ${bookmarkId}`;
}

/** What is begun and not archived, what was read last first. */
export async function listBegun(sql: Sql, limit: number): Promise<Begun[]> {
  const rows = await sql<{ id: number; progress: number; updated_at: Instant }>`
    select r.bookmark_id as id, r.progress, r.updated_at from reading r join bookmarks b on b.id = r.bookmark_id
    where r.finished is not true and r.place > 0 and b.archived is not true
      and exists (select 1 from copies c where c.bookmark_id = r.bookmark_id)
    order by r.updated_at desc, r.bookmark_id desc limit ${limit}`;
  return rows.map(({ id, progress }) => ({ bookmarkId: Number(id), progress: Number(progress) }));
}
