import type { Awaitable } from "../awaitable.ts";
import { inBatches } from "../batches.ts";
import { contentDigest } from "../database/content-digest.ts";
import type { Database, Instant, Sql } from "../database/database.ts";
import { fragment, joined } from "../database/fragment.ts";
import { insertOne } from "../database/ids/new-ids.ts";
import { type BookmarkStates, hasAnyState, NO_STATES } from "../records/bookmark-members.ts";
import { removeEntries, requestIndexing, WORDS_AT_ONCE, writeEntries } from "../search/index/entries.ts";
import type { IndexedRecord } from "../search/text/document.ts";
import type { Bookmark, BookmarkCreate } from "./bookmark.ts";
import { insertionOf, placementOf, statesOf } from "./bookmark-row.ts";
import { countChange } from "./bookmark-store.ts";
import { indexedBookmark, indexedBookmarks } from "./search/indexed-bookmarks.ts";

/** Which bookmark, in which state. */
export interface BookmarkVersion {
  readonly id: number;
  readonly version: number;
}

/** Title, URL and description. */
export type BookmarkFields = Pick<Bookmark, "title" | "url" | "description">;

/** Whether a bookmark has these fields already, so that nothing is to be stored. */
export function hasFields(bookmark: BookmarkFields, fields: Partial<BookmarkFields>): boolean {
  const { title = bookmark.title, url = bookmark.url, description = bookmark.description } = fields;
  return title === bookmark.title && url === bookmark.url && description === bookmark.description;
}

/** A bookmark with its own creation date. */
export interface DatedBookmark extends BookmarkFields {
  readonly createdAt: Date;
  /** The time of the change when absent. */
  readonly updatedAt?: Date;
  /** None of them when absent. */
  readonly states?: BookmarkStates;
}

/** The maximum number of rows of one {@link BookmarkWriter.insertMany}. */
export const INSERT_MAX = 50;

/** How many bookmarks one statement updates, deletes or puts back. */
const ROWS_AT_ONCE = 100;

/**
 * The only way to change bookmarks. What follows from a change is written in the same transaction: the entries of the
 * search index at once, the version of the collection, which list ETags are made of, at the end of the work.
 */
export async function changeBookmarks<T>(
  sql: Sql,
  now: Date,
  work: (writer: BookmarkWriter) => Awaitable<T>,
  indexed = 0,
): Promise<T> {
  const writer = new BookmarkWriter(sql, now, indexed);
  const result = await work(writer);
  await writer.finish();
  return result;
}

/**
 * {@link changeBookmarks} in a transaction of its own.
 * @param indexed the number of bookmarks whose words earlier transactions of the same work have written
 */
export function writeBookmarks<T>(
  database: Database,
  now: Date,
  work: (writer: BookmarkWriter, sql: Sql) => Awaitable<T>,
  indexed = 0,
): Promise<T> {
  return database.write((sql) => changeBookmarks(sql, now, (writer) => work(writer, sql), indexed));
}

/** Stores one new bookmark, created at `now`. */
export function insertBookmark(
  sql: Sql,
  fields: BookmarkCreate,
  accountId: number | undefined,
  now: Date,
  dates?: BookmarkDates,
): Awaitable<Bookmark> {
  return changeBookmarks(sql, now, (writer) => writer.insert(fields, accountId, dates));
}

/** When a bookmark from elsewhere was created and changed there; by default now. */
export interface BookmarkDates {
  readonly createdAt?: Date | undefined;
  readonly updatedAt?: Date | undefined;
}

/** Changes bookmarks in a transaction; {@link changeBookmarks} makes one. */
export class BookmarkWriter {
  readonly #sql: Sql;
  readonly #now: Date;
  #changes = 0;
  /** The change of the number of bookmarks. */
  #added = 0;
  /** The number of bookmarks whose entries in the search index were written. */
  #indexed: number;
  #hasRequestedIndexing = false;

  constructor(sql: Sql, now: Date, indexed: number) {
    this.#sql = sql;
    this.#now = now;
    this.#indexed = indexed;
  }

  /** Stores a new bookmark. */
  async insert(
    fields: BookmarkCreate & Pick<DatedBookmark, "states">,
    accountId: number | undefined,
    { createdAt = this.#now, updatedAt = createdAt }: BookmarkDates = {},
  ): Promise<Bookmark> {
    const row = newBookmark({ ...fields, createdAt, updatedAt }, this.#now, accountId);
    const id = await insertOne(this.#sql, insertionOf([row]));
    this.#changes++;
    this.#added++;
    await this.#index([indexedBookmark(id, fields, createdAt)], { isNew: true });
    return { ...row, id };
  }

  /** Writes entries of the search index. Of very many, only the first get their words here. */
  async #index(records: readonly IndexedRecord[], { isNew }: { readonly isNew: boolean }): Promise<void> {
    this.#indexed += records.length;
    const hasWords = this.#indexed <= WORDS_AT_ONCE;
    await writeEntries(this.#sql, indexedBookmarks, records, { isNew, hasWords });
    if (hasWords || this.#hasRequestedIndexing) return;
    this.#hasRequestedIndexing = true;
    await requestIndexing(this.#sql, indexedBookmarks);
  }

  /**
   * Stores new bookmarks, at most {@link INSERT_MAX} and no two with the same URL.
   * @returns the new ids by URL
   */
  async insertMany(bookmarks: readonly DatedBookmark[]): Promise<Map<string, number>> {
    const added = bookmarks.map((bookmark) => newBookmark(bookmark, this.#now));
    // In SQLite, `returning` costs time per statement, not per row: fifty rows at once take a fifth of the time.
    const rows = await this.#sql<{ id: number; url: string }>`${insertionOf(added)} returning id, url`;
    const ids = new Map(rows.map(({ id, url }) => [url, Number(id)]));
    this.#changes += ids.size;
    this.#added += ids.size;
    const records = bookmarks.flatMap((bookmark) => {
      const id = ids.get(bookmark.url);
      return id === undefined ? [] : [indexedBookmark(id, bookmark, bookmark.createdAt)];
    });
    await this.#index(records, { isNew: true });
    return ids;
  }

  /**
   * Stores new fields over the version of a bookmark that was read.
   * @returns the new version; undefined if it was changed or deleted since
   */
  async update(
    read: BookmarkVersion & Pick<Bookmark, "url">,
    fields: BookmarkFields,
  ): Promise<number | undefined> {
    const { title, url, description } = fields;
    const [row] = await this.#sql<{ version: number; created_at: Instant }>`
      update bookmarks
      set title = ${title}, url = ${url}, description = ${description}, updated_at = ${this.#now},
        version = version + 1, digest = ${contentDigest(title, url, description)}
      where id = ${read.id} and version = ${read.version} returning version, created_at`;
    if (row === undefined) return undefined;
    this.#changes++;
    if (url !== read.url) await this.#forgetFailures([read.id]);
    await this.#index([indexedBookmark(read.id, fields, new Date(row.created_at))], { isNew: false });
    return Number(row.version);
  }

  /** {@link update} for many. @returns the ids of the unchanged bookmarks */
  async updateMany(updates: readonly (BookmarkVersion & BookmarkFields)[]): Promise<Set<number>> {
    const updated = new Set<number>();
    for (const batch of inBatches(updates, ROWS_AT_ONCE)) {
      const values = joined(
        batch.map(
          ({ id, version, title, url, description }) => fragment`
            (cast(${id} as bigint), cast(${version} as bigint), cast(${title} as text), cast(${url} as text),
              cast(${description} as text), cast(${contentDigest(title, url, description)} as bigint))`,
        ),
        fragment`, `,
      );
      const before = await this.#sql<{ id: number; url: string }>`
        select id, url from bookmarks where id in ${batch.map(({ id }) => id)}`;
      const urls = new Map(before.map(({ id, url }) => [Number(id), url]));
      const rows = await this.#sql<{ id: number; created_at: Instant }>`
        with changed (id, version, title, url, description, digest) as (values ${values})
        update bookmarks
        set title = changed.title, url = changed.url, description = changed.description,
          digest = changed.digest, updated_at = ${this.#now}, version = bookmarks.version + 1
        from changed where bookmarks.id = changed.id and bookmarks.version = changed.version
        returning bookmarks.id, bookmarks.created_at`;
      for (const { id } of rows) updated.add(Number(id));
      const moved = batch.filter(({ id, url }) => updated.has(id) && urls.get(id) !== url);
      await this.#forgetFailures(moved.map(({ id }) => id));
      const dates = new Map(rows.map(({ id, created_at }) => [Number(id), new Date(created_at)]));
      const records = batch.flatMap((fields) => {
        const createdAt = dates.get(fields.id);
        return createdAt === undefined ? [] : [indexedBookmark(fields.id, fields, createdAt)];
      });
      await this.#index(records, { isNew: false });
    }
    this.#changes += updated.size;
    return updated;
  }

  /** Why a page could not be kept says nothing of another URL. */
  async #forgetFailures(ids: readonly number[]): Promise<void> {
    if (ids.length > 0) await this.#sql`delete from copy_failures where bookmark_id in ${ids}`;
  }

  /** Deletes the version of a bookmark that was read; false if it was changed or deleted since. */
  async delete(read: BookmarkVersion): Promise<boolean> {
    return (await this.deleteMany([read])).has(read.id);
  }

  /** {@link delete} for many. @returns the ids of the unchanged bookmarks */
  async deleteMany(reads: readonly BookmarkVersion[]): Promise<Set<number>> {
    const deleted = new Set<number>();
    for (const [version, ofVersion] of Map.groupBy(reads, (read) => read.version))
      for (const batch of inBatches(ofVersion, ROWS_AT_ONCE)) {
        const rows = await this.#sql<{ id: number }>`
          delete from bookmarks where id in ${batch.map(({ id }) => id)} and version = ${version} returning id`;
        const ids = rows.map(({ id }) => Number(id));
        await removeEntries(this.#sql, indexedBookmarks, ids);
        for (const id of ids) deleted.add(id);
      }
    this.#changes += deleted.size;
    this.#added -= deleted.size;
    return deleted;
  }

  /**
   * Puts bookmarks in their places, whole and under their own ids: deleted ones, and those of an archive.
   * @param changes by how much the version of the collection grows
   */
  async placeMany(bookmarks: readonly Bookmark[], changes: number): Promise<void> {
    for (const batch of inBatches(bookmarks, ROWS_AT_ONCE)) {
      await this.#sql`${placementOf(batch)}`;
      const records = batch.map((bookmark) => indexedBookmark(bookmark.id, bookmark, bookmark.createdAt));
      await this.#index(records, { isNew: true });
      // Their copies and marks were kept. The index was perhaps made again meanwhile, without them.
      const ids = batch.map(({ id }) => id);
      const [text] = await this.#sql`
        select 1 from copies where bookmark_id in ${ids} union all
        select 1 from marks where bookmark_id in ${ids} limit 1`;
      if (text !== undefined) await requestIndexing(this.#sql, { name: "copies" });
    }
    this.#changes += changes;
    this.#added += bookmarks.length;
  }

  /** The last step of the transaction, as {@link countChange} requires. */
  finish(): Awaitable<void> {
    if (this.#changes > 0) return countChange(this.#sql, this.#changes, this.#added);
  }
}

/** The first version of a bookmark. */
function newBookmark(
  bookmark: DatedBookmark,
  now: Date,
  createdBy: number | null = null,
): Omit<Bookmark, "id"> {
  const { title, url, description, createdAt, updatedAt = now, states = NO_STATES } = bookmark;
  const statesUpdatedAt = hasAnyState(states) ? now : null;
  return {
    ...{ version: 1, title, url, description, createdAt, updatedAt, createdBy },
    ...{ ...statesOf(states), statesUpdatedAt, notBefore: null },
  };
}
