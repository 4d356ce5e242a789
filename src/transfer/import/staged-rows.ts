import type { BookmarkVersion } from "../../bookmarks/bookmark-writer.ts";
import type { ExistingBookmark } from "../../bookmarks/bookmarks-by-url.ts";
import type { AcceptedRow, StagedRow } from "../../readers/bookmarks/check-row.ts";
import type { TemporaryDatabase } from "../../temporary-database.ts";
import type { RefusedRow, SkippedRow } from "./import-report.ts";

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

export const ROWS_SCHEMA = `
  create table unfit (position integer primary key);
  create table same_url (position integer primary key, first integer not null);
  create table existing (position integer primary key, id integer not null, version integer not null, bookmark text not null);
`;

/** The rows of a file of bookmarks, each a record of the staging whose reference is its URL. */
export class StagedRows {
  readonly #scratch: TemporaryDatabase;
  #wanted: WantedRows = { now: new Date(0), tags: true };

  constructor(scratch: TemporaryDatabase) {
    this.#scratch = scratch;
  }

  /** Groups the rows by URL, once all of them are added. Those that are refused for their tags are in no group. */
  index(): void {
    this.#scratch.exec(`
      delete from same_url;
      insert into same_url
        select position, first from (
          select position, min(position) over same as first, count(*) over same as n from records
          where ref is not null and position not in (select position from unfit)
          window same as (partition by ref))
        where n > 1;
      create index if not exists same_url_by_first on same_url (first)`);
  }

  /** Adds a row that fits only without its tags. */
  addUnfit(position: number): void {
    this.#scratch.run("insert into unfit values (?)", position);
  }

  /** Chooses how the rows are imported. Without tags, all of them fit. */
  want(wanted: WantedRows): void {
    this.#wanted = wanted;
    if (!wanted.tags && this.#scratch.run("delete from unfit") > 0) this.index();
  }

  /** Forgets the bookmarks that an earlier attempt has found. */
  restart(): void {
    this.#scratch.exec("delete from existing");
  }

  /** Every row in its order. */
  *rows(): Generator<PlacedRow> {
    const rows = this.#scratch.iterate(`
      select s.record, u.first, e.id, e.version, e.bookmark from records s
      left join same_url u on u.position = s.position left join existing e on e.position = s.position
      order by s.position`);
    for (const { record, first, id, version, bookmark } of rows) {
      const existing = id === null ? undefined : existingOf(Number(id), Number(version), bookmark);
      yield { staged: this.#stagedOf(record), first: first === null ? null : Number(first), existing };
    }
  }

  /** The row at a position. */
  at(position: number): StagedRow | undefined {
    const found = this.#scratch.get("select record from records where position = ?", position);
    return found && this.#stagedOf(found.record);
  }

  /** All rows with the URL of a first one, itself included. */
  *sameUrl(first: number): Generator<AcceptedRow> {
    const rows = this.#scratch.iterate(
      "select s.record from same_url u join records s on s.position = u.position where u.first = ? order by s.position",
      first,
    );
    for (const { record } of rows) {
      const staged = this.#stagedOf(record);
      if ("bookmark" in staged) yield staged;
    }
  }

  /** The different URLs, in batches, each with the position of its first row. */
  *urls(atOnce: number): Generator<Map<string, number>> {
    const query = `
      select s.position, s.ref from records s left join same_url u on u.position = s.position
      where s.ref is not null and s.position not in (select position from unfit)
        and s.position = coalesce(u.first, s.position) and s.position > ?
      order by s.position limit ?`;
    for (let last = 0; ; ) {
      const batch = this.#scratch.all(query, last, atOnce);
      if (batch.length === 0) return;
      yield new Map(batch.map(({ position, ref }) => [String(ref), Number(position)]));
      last = Number(batch.at(-1)?.position);
    }
  }

  addExisting(position: number, { id, version, ...bookmark }: ExistingBookmark): void {
    this.#scratch.run(
      "insert into existing values (?, ?, ?, ?)",
      ...[position, id, version, JSON.stringify(bookmark)],
    );
  }

  /** What a row became, once that is known: the bookmark of the first of several rows with one URL. */
  storedAt(position: number): BookmarkVersion | undefined {
    const found = this.#scratch.get(
      "select id, version from rows where position = ? and id is not null",
      position,
    );
    return found && { id: Number(found.id), version: Number(found.version) };
  }

  get refusals(): Iterable<RefusedRow> {
    return this.#scratch.list(`
      select r.position, r.line, r.title, s.record ->> '$.row.url' as url, r.reason as code, r.detail
      from rows r join records s on s.position = r.position where r.outcome = 'refused' order by r.position`);
  }

  get skips(): Iterable<SkippedRow> {
    return this.#scratch.list(`
      select r.position, r.line, s.record ->> '$.row.url' as url, r.reason, r.id as bookmark_id
      from rows r join records s on s.position = r.position where r.outcome = 'skipped' order by r.position`);
  }

  #stagedOf(record: unknown): StagedRow {
    const staged = JSON.parse(String(record)) as StagedRow;
    if (!("bookmark" in staged)) return staged;
    const { now, tags } = this.#wanted;
    if (tags && staged.refusalWithTags !== undefined)
      return { row: staged.row, refusal: staged.refusalWithTags };
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
}

function existingOf(id: number, version: number, bookmark: unknown): ExistingBookmark {
  return { ...(JSON.parse(String(bookmark)) as Omit<ExistingBookmark, "id" | "version">), id, version };
}
