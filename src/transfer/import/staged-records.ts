import { DatabaseSync, type StatementSync } from "node:sqlite";
import { noTemporarySpace } from "../../bookmarks/import/temporary-file.ts";
import type { AcceptedImage } from "../../media/accept-image.ts";
import type { MediaForm } from "../../media/media.ts";
import type { RecordCounts, RecordNote, RecordOutcome, ReportRow } from "./import-report.ts";
import {
  type GivenRecord,
  type Place,
  RECORD_KINDS,
  RECORDS,
  type RecordKind,
  type RecordOf,
  titleOf,
} from "./record.ts";

/** SQLITE_FULL (sqlite.org/rescode.html). */
const FULL = 13;

const SCHEMA = `
  pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -4096; pragma page_size = 16384;
  begin;
  create table records (position integer primary key, kind integer not null, ref text, parent text, wanted_id integer,
    record text not null);
  create index records_by_kind on records (kind, position);
  create table rows (position integer primary key, kind text not null, file text not null, line integer not null,
    title text not null, is_final integer not null, outcome text not null, reason text, detail text, id integer, key text, version integer,
    path text);
  create table made (kind text not null, ref text not null, id integer, is_new integer not null, primary key (kind, ref)) without rowid;
  create table slugs (slug text primary key) without rowid;
  create table redirects (path text primary key) without rowid;
  create table forms (sha text not null, width integer not null, bytes blob not null, primary key (sha, width));
  create table notes (number integer primary key, is_final integer not null, file text not null, line integer not null,
    code text not null, detail text not null);
`;

/** A record and what it refers to. */
export interface Given<K extends RecordKind> {
  readonly record: GivenRecord<K>;
  readonly place: Place;
  /** What other records of the file call it. */
  readonly ref?: string;
  /** What the file calls the post that it belongs to; null for a working copy of a new post. */
  readonly parent?: string | null;
  /** The id that it had, when it may have it here. */
  readonly id?: number | undefined;
}

/** A checked record. */
export interface Staged<K extends RecordKind> {
  readonly position: number;
  readonly ref: string | null;
  readonly parent: string | null;
  readonly wantedId: number | null;
  readonly record: RecordOf<K>;
}

/** What became of a record. */
export interface RecordResult {
  readonly position: number;
  readonly outcome: RecordOutcome;
  readonly reason?: string;
  readonly detail?: string;
  readonly id?: number | null;
  readonly key?: string | null;
  readonly version?: number | null;
  readonly path?: string | null;
}

/** A row of the report, with the number that tells a later change of its record. */
export interface FinishedRow extends ReportRow {
  readonly version: number | null;
}

/**
 * The records of a file on their way into the database, and what is to be reported of them. They are in a temporary
 * SQLite database, which has no name and is gone with its connection, so that memory does not grow with the file.
 */
export class StagedRecords implements Disposable {
  readonly #scratch = new DatabaseSync("");
  readonly #statements = new Map<string, StatementSync>();
  #position = 0;

  constructor() {
    this.#scratch.exec(SCHEMA);
  }

  /** Checks a record and keeps it; one that is not valid counts as refused. @returns whether it is valid */
  add<K extends RecordKind>(kind: K, { record, place, ref, parent, id }: Given<K>): boolean {
    const title = titleOf(kind, record);
    const checked = RECORDS[kind].safeParse(record);
    if (!checked.success) {
      const [issue] = checked.error.issues;
      const params = issue?.code === "custom" ? (issue.params as { error?: string } | undefined) : undefined;
      const member = issue?.path.join("/") ?? "";
      this.refuse(
        kind,
        place,
        title,
        params?.error ?? "invalid",
        `${member && `${member}: `}${issue?.message ?? ""}`,
      );
      return false;
    }
    const position = this.#addRow(kind, place, title, false, "added", null, null);
    this.#run(
      "insert into records values (?, ?, ?, ?, ?, ?)",
      ...[position, RECORD_KINDS.indexOf(kind), ref ?? null, parent ?? null, id ?? null],
      JSON.stringify(checked.data),
    );
    return true;
  }

  /** Adds an image that was taken, under its name; the same one again is nothing new. */
  addImage(
    { media, forms }: AcceptedImage,
    place: Place,
    createdAt: Date,
    createdBy: string | null = null,
  ): void {
    const { sha, type, width, height } = media;
    if (this.#prepare("select 1 from forms where sha = ?").get(sha) !== undefined) return;
    for (const form of forms) this.#run("insert into forms values (?, ?, ?)", sha, form.width, form.bytes);
    const record = { sha, type, width, height, created_at: createdAt.toISOString(), created_by: createdBy };
    this.add("image", { record, place });
  }

  forms(sha: string): MediaForm[] {
    const rows = this.#prepare("select width, bytes from forms where sha = ? order by width").all(sha);
    return rows.map(({ width, bytes }) => ({ width: Number(width), bytes: bytes as Uint8Array }));
  }

  /** A part of the file that is not taken, as a row of its own. */
  refuse(kind: string, place: Place, title: string, reason: string, detail: string): void {
    this.#addRow(kind, place, title, true, "refused", reason, detail);
  }

  /** The same of what is left out on purpose. */
  skip(kind: string, place: Place, title: string, reason: string, detail: string): void {
    this.#addRow(kind, place, title, true, "skipped", reason, detail);
  }

  /** @param isFinal whether it holds whatever the database has */
  note({ file, line, code, detail }: RecordNote, isFinal = true): void {
    this.#run(
      "insert into notes (is_final, file, line, code, detail) values (?, ?, ?, ?, ?)",
      isFinal ? 1 : 0,
      file,
      line,
      code,
      detail,
    );
  }

  /** How many records there are, of a kind or of all, refused ones not counted. */
  count(kind: RecordKind): number {
    const row = this.#prepare("select count(*) as n from records where kind = ?").get(
      RECORD_KINDS.indexOf(kind),
    );
    return Number(row?.n);
  }

  /** Forgets what an earlier attempt to import has found. */
  restart(): void {
    this.#scratch.exec(`delete from made; delete from slugs; delete from redirects; delete from notes where is_final = 0;
      update rows set outcome = 'added', reason = null, detail = null, id = null, key = null, version = null, path = null
      where is_final = 0`);
  }

  /** The records of a kind in their order, in batches. */
  *batches<K extends RecordKind>(kind: K, size: number): Generator<Staged<K>[]> {
    const statement = this.#prepare(
      "select position, ref, parent, wanted_id, record from records where kind = ? and position > ? order by position limit ?",
    );
    for (let last = 0; ; ) {
      const rows = statement.all(RECORD_KINDS.indexOf(kind), last, size);
      if (rows.length === 0) return;
      yield rows.map(({ position, ref, parent, wanted_id, record }) => ({
        position: Number(position),
        ref: ref === null ? null : String(ref),
        parent: parent === null ? null : String(parent),
        wantedId: wanted_id === null ? null : Number(wanted_id),
        record: JSON.parse(String(record)) as RecordOf<K>,
      }));
      last = Number(rows.at(-1)?.position);
    }
  }

  /** The records of a kind, each with what became of it. */
  *finished<K extends RecordKind>(
    kind: K,
    size: number,
  ): Generator<(Staged<K> & { readonly result: FinishedRow })[]> {
    const row = this.#prepare(`
      select position, kind, file, line, title, outcome, reason, detail, id, key, path, version from rows
      where position = ?`);
    for (const batch of this.batches(kind, size))
      yield batch.map((staged) => ({
        ...staged,
        result: { ...row.get(staged.position) } as unknown as FinishedRow,
      }));
  }

  placeOf(position: number): Place {
    const row = this.#prepare("select file, line from rows where position = ?").get(position);
    return { file: String(row?.file), line: Number(row?.line) };
  }

  finish({ position, outcome, reason, detail, id, key, version, path }: RecordResult): void {
    this.#run(
      "update rows set outcome = ?, reason = ?, detail = ?, id = ?, key = ?, version = ?, path = ? where position = ?",
      ...[
        outcome,
        reason ?? null,
        detail ?? null,
        id ?? null,
        key ?? null,
        version ?? null,
        path ?? null,
        position,
      ],
    );
  }

  /** Keeps which record one of the file has become. @param id null in a dry run that would only now add it */
  addMade(kind: RecordKind, ref: string, id: number | null, isNew: boolean): void {
    this.#run("insert or ignore into made values (?, ?, ?, ?)", kind, ref, id, isNew ? 1 : 0);
  }

  made(kind: RecordKind, ref: string): { readonly id: number | null; readonly isNew: boolean } | undefined {
    const row = this.#prepare("select id, is_new from made where kind = ? and ref = ?").get(kind, ref);
    return row && { id: row.id === null ? null : Number(row.id), isNew: Number(row.is_new) === 1 };
  }

  /** Takes a name for this import. @returns false when a record before it has taken it */
  take(table: "slugs" | "redirects", name: string): boolean {
    const statement =
      table === "slugs"
        ? "insert or ignore into slugs values (?)"
        : "insert or ignore into redirects values (?)";
    return this.#run(statement, name) > 0;
  }

  counts(): Partial<Record<RecordKind, RecordCounts>> {
    const rows = this.#scratch
      .prepare("select kind, outcome, count(*) as n from rows group by kind, outcome")
      .all();
    const counts: Record<string, Record<RecordOutcome, number>> = {};
    for (const { kind, outcome, n } of rows) {
      counts[String(kind)] ??= { added: 0, skipped: 0, refused: 0 };
      const ofKind = counts[String(kind)];
      if (ofKind !== undefined) ofKind[outcome as RecordOutcome] = Number(n);
    }
    return counts;
  }

  /** The rows of what has no table of its own for what became of it: all but checked bookmarks. */
  get otherRows(): Iterable<FinishedRow> {
    return this.#list(`select position, kind, file, line, title, outcome, reason, detail, id, key, path, version
      from rows where kind <> 'bookmark' or is_final = 1 order by position`);
  }

  get rows(): Iterable<ReportRow> {
    return this.#list(
      "select position, kind, file, line, title, outcome, reason, detail, id, key, path from rows order by position",
    );
  }

  get notes(): Iterable<RecordNote> {
    return this.#list("select file, line, code, detail from notes order by number");
  }

  [Symbol.dispose](): void {
    this.#scratch.close();
  }

  #addRow(
    kind: string,
    { file, line }: Place,
    title: string,
    isFinal: boolean,
    outcome: RecordOutcome,
    reason: string | null,
    detail: string | null,
  ): number {
    this.#position++;
    this.#run(
      "insert into rows (position, kind, file, line, title, is_final, outcome, reason, detail) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      ...[this.#position, kind, file, line, title, isFinal ? 1 : 0, outcome, reason, detail],
    );
    return this.#position;
  }

  #list<T>(query: string): Iterable<T> {
    const prepare = () => this.#scratch.prepare(query);
    return {
      *[Symbol.iterator]() {
        for (const row of prepare().iterate()) yield { ...row } as T;
      },
    };
  }

  #run(statement: string, ...values: (string | number | null | Uint8Array)[]): number {
    try {
      return Number(this.#prepare(statement).run(...values).changes);
    } catch (error) {
      const isFull = error instanceof Error && "errcode" in error && error.errcode === FULL;
      if (!isFull) throw error;
      throw noTemporarySpace(error);
    }
  }

  #prepare(statement: string): StatementSync {
    const known = this.#statements.get(statement) ?? this.#scratch.prepare(statement);
    this.#statements.set(statement, known);
    return known;
  }
}
