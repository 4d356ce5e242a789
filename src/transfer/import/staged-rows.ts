import type { BookmarkVersion } from "../../bookmarks/bookmark-writer.ts";
import { TemporaryDatabase } from "../../temporary-database.ts";
import type { AcceptedRow, ExistingBookmark, StagedRow } from "../bookmarks/staged-row.ts";
import type { Note, RefusedRow, SkippedRow } from "./bookmark-report.ts";

/** A staged row, with its position among the rows of the same URL. */
export interface PlacedRow {
  readonly staged: StagedRow;
  /** The position of the first of several rows with the same URL; null when there is only one. */
  readonly first: number | null;
  /** The bookmark that had this URL before the import; of the first of several rows only. */
  readonly existing: ExistingBookmark | undefined;
}

/** How rows are imported, which is chosen once they are read. */
export interface WantedRows {
  /** The time of the import: the date of the bookmarks without one. */
  readonly now: Date;
  /** Whether tags and folders go on the tag line of the description. */
  readonly tags: boolean;
}

const SCHEMA = `
  create table staged (position integer primary key, url_hash integer, url text, row text not null);
  create table same_url (position integer primary key, first integer not null);
  create table existing (position integer primary key, id integer not null, version integer not null, bookmark text);
  create table stored (position integer primary key, id integer not null, version integer not null);
  create table refusals (position integer primary key, refusal text not null);
  create table skips (position integer primary key, skip text not null);
  create table notes (number integer primary key, line integer not null, note text not null);
`;

/**
 * The rows of a file before they are stored, and the entries of their report. They are in a temporary SQLite
 * database, which is deleted with its connection, so that memory does not grow with the file.
 */
export class StagedRows implements Disposable {
  readonly #scratch: TemporaryDatabase;
  #isIndexed = false;
  /** How the rows are imported. */
  wanted: WantedRows = { now: new Date(0), tags: true };

  /** @param path of a named file; by default they are in an unnamed one */
  constructor(path?: string, schema = SCHEMA) {
    this.#scratch = new TemporaryDatabase(schema, path);
  }

  /** Opens the rows that another process has read and indexed. */
  static open(path: string): StagedRows {
    const rows = new StagedRows(path, "");
    rows.#isIndexed = true;
    return rows;
  }

  /** Ends the work on rows in a named file, for another process. @param about what is known of the file */
  keep(about: unknown): void {
    this.#scratch.keep(about);
  }

  /** What is known of a file whose rows were kept. */
  get about(): unknown {
    return this.#scratch.about;
  }

  /** The number of rows. */
  get count(): number {
    return Number(this.#scratch.get("select max(position) as n from staged")?.n ?? 0);
  }

  add(staged: StagedRow): void {
    const url = "bookmark" in staged ? staged.bookmark.url : null;
    const hash = url === null ? null : Bun.hash.xxHash32(url);
    const row = JSON.stringify(staged);
    this.#scratch.run("insert into staged values (?, ?, ?, ?)", staged.row.position, hash, url, row);
  }

  /** Groups the rows by URL, once all of them are added. */
  index(): void {
    if (this.#isIndexed) return;
    this.#isIndexed = true;
    this.#scratch.exec(`
        create index staged_by_hash on staged (url_hash) where url_hash is not null;
        insert into same_url
          select position, first from (
            select position, min(position) over same as first, count(*) over same as n from staged
            where url_hash in (
              select url_hash from staged where url_hash is not null group by url_hash having count(*) > 1)
            window same as (partition by url))
          where n > 1;
        create index same_url_by_first on same_url (first)`);
  }

  /** Discards the notes of an earlier attempt. */
  restart(): void {
    for (const table of ["existing", "stored", "refusals", "skips", "notes"])
      this.#scratch.exec(`delete from ${table}`);
  }

  /** Every row in its order. @param before the position to stop at */
  *rows(before = Number.MAX_SAFE_INTEGER): Generator<PlacedRow> {
    const rows = this.#scratch.iterate(
      `
      select s.row, u.first, e.id, e.version, e.bookmark from staged s
      left join same_url u on u.position = s.position left join existing e on e.position = s.position
      where s.position < ? order by s.position`,
      before,
    );
    for (const { row, first, id, version, bookmark } of rows) {
      const existing = id === null ? undefined : existingOf(Number(id), Number(version), bookmark);
      yield { staged: this.#stagedOf(row), first: first === null ? null : Number(first), existing };
    }
  }

  /** All rows with the URL of a first one, itself included. */
  *sameUrl(first: number): Generator<AcceptedRow> {
    const rows = this.#scratch.iterate(
      "select s.row from same_url u join staged s on s.position = u.position where u.first = ? order by s.position",
      first,
    );
    for (const { row } of rows) {
      const staged = this.#stagedOf(row);
      if ("bookmark" in staged) yield staged;
    }
  }

  /** The different URLs, in batches, each with the position of its first row. */
  *urls(atOnce: number): Generator<Map<string, number>> {
    const query = `
      select s.position, s.url from staged s left join same_url u on u.position = s.position
      where s.url is not null and s.position = coalesce(u.first, s.position) and s.position > ?
      order by s.position limit ?`;
    for (let last = 0; ; ) {
      const batch = this.#scratch.all(query, last, atOnce);
      if (batch.length === 0) return;
      yield new Map(batch.map(({ position, url }) => [String(url), Number(position)]));
      last = Number(batch.at(-1)?.position);
    }
  }

  addExisting(position: number, { id, version, ...bookmark }: ExistingBookmark): void {
    this.#scratch.run(
      "insert into existing values (?, ?, ?, ?)",
      position,
      id,
      version,
      JSON.stringify(bookmark),
    );
  }

  /** Stores the bookmark of the first of several rows with one URL. */
  addStored(position: number, { id, version }: BookmarkVersion): void {
    this.#scratch.run("insert or replace into stored values (?, ?, ?)", position, id, version);
  }

  storedAt(position: number): BookmarkVersion | undefined {
    const found = this.#scratch.get("select id, version from stored where position = ?", position);
    return found && { id: Number(found.id), version: Number(found.version) };
  }

  addRefusal(refusal: RefusedRow): void {
    this.#scratch.run("insert into refusals values (?, ?)", refusal.position, JSON.stringify(refusal));
  }

  addSkip(skip: SkippedRow): void {
    this.#scratch.run("insert into skips values (?, ?)", skip.position, JSON.stringify(skip));
  }

  addNote(note: Note): void {
    this.#scratch.run("insert into notes (line, note) values (?, ?)", note.line, JSON.stringify(note));
  }

  get refusals(): Iterable<RefusedRow> {
    return this.#list("select refusal as item from refusals order by position");
  }

  get skips(): Iterable<SkippedRow> {
    return this.#list("select skip as item from skips order by position");
  }

  /** In the order of the lines. */
  get notes(): Iterable<Note> {
    return this.#list("select note as item from notes order by line, number");
  }

  [Symbol.dispose](): void {
    this.#scratch[Symbol.dispose]();
  }

  #stagedOf(row: unknown): StagedRow {
    const staged = JSON.parse(String(row)) as StagedRow;
    if (!("bookmark" in staged)) return staged;
    const { now, tags } = this.wanted;
    const { createdAt, updatedAt, ...bookmark } = staged.bookmark;
    const isDated = !staged.notes.some(({ code }) => code.startsWith("date_"));
    return {
      ...staged,
      bookmark: {
        ...bookmark,
        ...(!tags && { tags: [], description: bookmark.text }),
        // JSON has no dates.
        createdAt: isDated ? new Date(createdAt) : now,
        ...(updatedAt !== undefined && { updatedAt: new Date(updatedAt) }),
      },
    };
  }

  #list<T>(query: string): Iterable<T> {
    const scratch = this.#scratch;
    return {
      *[Symbol.iterator]() {
        for (const { item } of scratch.iterate(query)) yield JSON.parse(String(item)) as T;
      },
    };
  }
}

function existingOf(id: number, version: number, bookmark: unknown): ExistingBookmark {
  return { ...(JSON.parse(String(bookmark)) as Omit<ExistingBookmark, "id" | "version">), id, version };
}
