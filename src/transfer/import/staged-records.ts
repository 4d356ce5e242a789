import {
  type FinishedRow,
  HIDDEN_THERE,
  type RecordOutcome,
  type RecordResult,
  type ReportRow,
  type StagedRecord,
} from "../../kept/staged-record.ts";
import { REFERENCES_SCHEMA, StagedReferences } from "../../kept/staged-references.ts";
import { type AcceptedImage, acceptImage } from "../../media/accept-image.ts";
import { type MediaVariant, mediaPath, type PlacedVariant } from "../../media/media.ts";
import { ARCHIVED, type ArchivedKind, archived, titleOf } from "../../nouns.ts";
import type { FileMark, PageText } from "../../readers/bookmarks/bookmark-format.ts";
import type { StagedRow } from "../../readers/bookmarks/check-row.ts";
import { shortenedMarksNote } from "../../readers/bookmarks/notes.ts";
import { MissingWordsReport } from "../../readers/html/missing-words.ts";
import type { RecordNote } from "../../readers/remarks.ts";
import type { Staging, UncheckedRecord } from "../../readers/staging.ts";
import type { RecordKind, RecordLocation, RecordOf } from "../../records/record.ts";
import { TemporaryDatabase } from "../../temporary-database.ts";
import { PICTURES_SCHEMA, PictureList } from "../pictures/picture-list.ts";
import { stillOf } from "../pictures/still-gif.ts";
import type { FileFacts } from "./file-facts.ts";
import type { RecordCounts, VisibilityCounts } from "./import-report.ts";
import { MARKS_SCHEMA, StagedMarks } from "./staged-marks.ts";
import { ROWS_SCHEMA, StagedRows } from "./staged-rows.ts";
import { StagedTexts, TEXTS_SCHEMA } from "./staged-texts.ts";

const SCHEMA = `
  create table about (about text not null);
  create table records (position integer primary key, kind integer not null, ref text, parent text, wanted_id integer,
    record text not null);
  create index records_by_kind on records (kind, position);
  create table rows (position integer primary key, kind text not null, file text not null, line integer not null,
    title text not null, is_final integer not null, outcome text not null, reason text, detail text, id integer, key text, version integer,
    path text);
  create table forms (sha text not null, width integer not null, size integer not null, bytes blob, object text,
    primary key (sha, width));
  create table notes (number integer primary key, is_final integer not null, file text not null, line integer not null,
    code text not null, detail text not null);
`;

/** The member of a stored record for what of it is left out; no record has one of this name. */
const HIDES = "hides";

/** A record whose shape is not known before. */
type UncheckedLine = Omit<UncheckedRecord<RecordKind>, "record"> & { readonly record: object };

interface StagedRecordsOptions {
  /** The path of a named file for the records; by default they are in an unnamed one. */
  readonly scratch?: string | undefined;
  /** Called with the number of records so far. */
  readonly onRecord?: ((count: number) => void) | undefined;
}

/**
 * The checked records of a file, whatever it is, and the rows and notes of its report, in an unnamed temporary SQLite database,
 * which ends with its connection: memory does not grow with the file.
 */
export class StagedRecords implements Staging, Disposable {
  readonly #scratch: TemporaryDatabase;
  readonly references: StagedReferences;
  /** The rows of a file of bookmarks. */
  readonly bookmarkRows: StagedRows;
  /** The texts of their pages. */
  readonly texts: StagedTexts;
  /** What is marked in these. */
  readonly marks: StagedMarks;
  /** The pictures of posts at other sites. */
  readonly pictures: PictureList;
  readonly missingWords = new MissingWordsReport();
  readonly #onRecord: (count: number) => void;
  #position = 0;

  constructor(
    { onRecord = () => {}, scratch }: StagedRecordsOptions = {},
    schema = SCHEMA + REFERENCES_SCHEMA + ROWS_SCHEMA + TEXTS_SCHEMA + MARKS_SCHEMA + PICTURES_SCHEMA,
  ) {
    this.#scratch = new TemporaryDatabase(schema, scratch);
    this.references = new StagedReferences(this.#scratch);
    this.bookmarkRows = new StagedRows(this.#scratch);
    this.texts = new StagedTexts(this.#scratch);
    this.marks = new StagedMarks(this.#scratch);
    this.pictures = new PictureList(this.#scratch);
    this.#onRecord = onRecord;
  }

  /** Opens the records that another process has read. */
  static open(scratch: string): StagedRecords {
    // Files that an earlier version has read have no texts or marks.
    const records = new StagedRecords({ scratch }, "");
    records.#scratch.exec(TEXTS_SCHEMA + MARKS_SCHEMA);
    const row = records.#scratch.get("select max(position) as position from rows");
    records.#position = Number(row?.position ?? 0);
    return records;
  }

  /** Ends the work on records in a named file, for another process. */
  keep(): void {
    this.#scratch.keep();
  }

  /** What is known of the file besides its records. */
  get about(): unknown {
    return JSON.parse(String(this.#scratch.get("select about from about")?.about));
  }

  set about(facts: FileFacts) {
    this.#scratch.run("insert into about values (?)", JSON.stringify(facts));
  }

  /** The number of rows of its report. */
  get total(): number {
    return this.#position;
  }

  /** Checks and stores a record; an invalid one is refused. @returns whether it is valid */
  add<K extends RecordKind>(kind: K, unchecked: UncheckedRecord<K>): boolean {
    return this.addLine(kind, unchecked);
  }

  /** The same of a record whose shape is not known before. */
  addLine(kind: string, { record, location, ref, parent, source, hides, id }: UncheckedLine): boolean {
    const title = titleOf(kind, record);
    const checked = archived(kind).archive.shape.safeParse(record);
    if (!checked.success) {
      const [issue] = checked.error.issues;
      const params = issue?.code === "custom" ? (issue.params as { error?: string } | undefined) : undefined;
      const member = issue?.path.join("/") ?? "";
      this.refuse(
        kind,
        location,
        title,
        params?.error ?? "invalid",
        `${member && `${member}: `}${issue?.message ?? ""}`,
      );
      return false;
    }
    const position = this.#addRow(kind, location, title, false, "added", null, null);
    this.#scratch.run(
      "insert into records values (?, ?, ?, ?, ?, ?)",
      ...[position, positionOf(kind), ref ?? null, parent ?? null, id ?? null],
      JSON.stringify(hides === undefined ? checked.data : { ...(checked.data as object), [HIDES]: hides }),
    );
    if (source !== undefined) {
      const { content, publication } = checked.data as RecordOf<"post">;
      this.missingWords.compare(title, location, source, [title, publication?.summary ?? "", content]);
    }
    return true;
  }

  /** Adds a checked row of a file of bookmarks, the text of its page, and what is marked in it. */
  addRow(staged: StagedRow, page: PageText | null = null, marks: readonly FileMark[] = []): void {
    const { row } = staged;
    const refusal = "refusal" in staged ? staged.refusal : undefined;
    const outcome = refusal === undefined ? "added" : "refused";
    const position = this.#addRow(
      ...(["bookmark", { file: "", line: row.line }, row.title.trim()] as const),
      ...([refusal !== undefined, outcome, refusal?.code ?? null, refusal?.detail ?? null] as const),
    );
    this.#scratch.run(
      "insert into records (position, kind, ref, record) values (?, ?, ?, ?)",
      ...[position, positionOf("bookmark"), "bookmark" in staged ? staged.bookmark.url : null],
      JSON.stringify(staged),
    );
    if ("bookmark" in staged && staged.refusalWithTags !== undefined) this.bookmarkRows.addUnfit(position);
    if ("bookmark" in staged && page !== null) this.texts.add(position, page);
    this.addMarks(position, marks);
  }

  /** Adds marks of a row, with a note on those that are longer than marks here. */
  addMarks(position: number, marks: readonly FileMark[]): void {
    const shortened = this.marks.add(position, marks);
    if (shortened > 0)
      this.note({ ...shortenedMarksNote(this.locationOf(position).line, shortened), file: "" });
  }

  async addPicture(bytes: Uint8Array, location: RecordLocation, createdAt: Date): Promise<string> {
    const accepted = await acceptImage(await stillOf(bytes));
    this.addImage(accepted, location, createdAt);
    return mediaPath(accepted.media);
  }

  /** Adds an accepted image, unless it was added before. */
  addImage(
    { media, forms }: AcceptedImage,
    location: RecordLocation,
    createdAt: Date,
    createdBy: string | null = null,
  ): void {
    const { sha, type, width, height } = media;
    if (this.#scratch.get("select 1 from forms where sha = ?", sha) !== undefined) return;
    for (const form of forms)
      this.#scratch.run(
        "insert into forms (sha, width, size, bytes) values (?, ?, ?, ?)",
        ...[sha, form.width, form.bytes.length, form.bytes],
      );
    const record = { sha, type, width, height, created_at: createdAt.toISOString(), created_by: createdBy };
    this.add("image", { record, location });
  }

  /** Adds the bytes of a file that belongs to a record, unless they were added before. */
  addFile(name: string, bytes: Uint8Array): void {
    this.#scratch.run(
      "insert or ignore into forms (sha, width, size, bytes) values (?, 0, ?, ?)",
      ...[name, bytes.length, bytes],
    );
  }

  /** An image at each width, with its bytes or where they were put. */
  forms(sha: string): (PlacedVariant & { readonly size: number })[] {
    const rows = this.#scratch.all(
      "select width, size, bytes, object from forms where sha = ? order by width",
      sha,
    );
    return rows.map(({ width, size, bytes, object }) => ({
      ...{ width: Number(width), size: Number(size) },
      ...(object === null ? { bytes: bytes as Uint8Array } : { object: String(object) }),
    }));
  }

  /** An image at each width, as far as its bytes are here. */
  bytesOf(sha: string): MediaVariant[] {
    return this.forms(sha).filter((form) => "bytes" in form);
  }

  /** Says where the bytes of an image were put; they are no longer here. */
  replaceForms(sha: string, placed: readonly PlacedVariant[]): void {
    for (const form of placed)
      if ("object" in form)
        this.#scratch.run(
          "update forms set bytes = null, object = ? where sha = ? and width = ?",
          ...[form.object, sha, form.width],
        );
  }

  /** Adds a row for a part of the file that is refused. */
  refuse(kind: string, location: RecordLocation, title: string, reason: string, detail: string): void {
    this.#addRow(kind, location, title, true, "refused", reason, detail);
  }

  /** Adds a row for a part of the file that is skipped. */
  skip(kind: string, location: RecordLocation, title: string, reason: string, detail: string): void {
    this.#addRow(kind, location, title, true, "skipped", reason, detail);
  }

  /** @param isFinal whether the note is independent of the database */
  note({ file, line, code, detail }: RecordNote, isFinal = true): void {
    this.#scratch.run(
      "insert into notes (is_final, file, line, code, detail) values (?, ?, ?, ?, ?)",
      isFinal ? 1 : 0,
      file,
      line,
      code,
      detail,
    );
  }

  /** Removes the notes with a code, which no longer hold. */
  forgetNotes(code: string): void {
    this.#scratch.run("delete from notes where code = ?", code);
  }

  /** Changes a valid record. */
  replace<K extends RecordKind>(position: number, record: RecordOf<K>): void {
    this.#scratch.run(
      `update records set record = json_set(?, '$.${HIDES}', record ->> '$.${HIDES}') where position = ?`,
      ...[JSON.stringify(record), position],
    );
  }

  /** The number of records of a kind, without refused ones. */
  count(kind: string): number {
    const row = this.#scratch.get("select count(*) as n from records where kind = ?", positionOf(kind));
    return Number(row?.n);
  }

  /** The former ids of a kind's records, in their order; null for a record without one. */
  *wantedIds(kind: string): Generator<number | null> {
    const query = "select wanted_id from records where kind = ? order by position";
    for (const { wanted_id } of this.#scratch.iterate(query, positionOf(kind)))
      yield wanted_id === null ? null : Number(wanted_id);
  }

  /** Resets the outcomes of an earlier attempt. */
  restart(): void {
    this.references.clear();
    this.bookmarkRows.restart();
    this.#scratch.exec(`delete from notes where is_final = 0;
      update rows set outcome = 'added', reason = null, detail = null, id = null, key = null, version = null, path = null
      where is_final = 0 and (outcome <> 'added' or id is not null or detail is not null or key is not null)`);
  }

  /** The records of a kind in their order, in batches. */
  batches<K extends RecordKind>(kind: K, size: number): Generator<StagedRecord<RecordOf<K>>[]> {
    return this.batchesOf(kind, size) as Generator<StagedRecord<RecordOf<K>>[]>;
  }

  /** The same of any kind. */
  *batchesOf(kind: string, size: number): Generator<StagedRecord<unknown>[]> {
    for (let last = 0; ; ) {
      const rows = this.#scratch.all(
        "select position, ref, parent, wanted_id, record from records where kind = ? and position > ? order by position limit ?",
        ...[positionOf(kind), last, size],
      );
      if (rows.length === 0) return;
      yield rows.map(({ position, ref, parent, wanted_id, record: text }) => {
        const { [HIDES]: hides, ...record } = JSON.parse(String(text));
        return {
          position: Number(position),
          ref: ref === null ? null : String(ref),
          parent: parent === null ? null : String(parent),
          wantedId: wanted_id === null ? null : Number(wanted_id),
          ...(typeof hides === "string" && { hides }),
          record,
        };
      });
      last = Number(rows.at(-1)?.position);
    }
  }

  /** The records of a kind, each with its outcome. */
  *finished<K extends RecordKind>(
    kind: K,
    size: number,
  ): Generator<(StagedRecord<RecordOf<K>> & { readonly result: FinishedRow })[]> {
    const query = `
      select position, kind, file, line, title, outcome, reason, detail, id, key, path, version from rows
      where position = ?`;
    for (const batch of this.batches(kind, size))
      yield batch.map((staged) => ({
        ...staged,
        result: { ...this.#scratch.get(query, staged.position) } as unknown as FinishedRow,
      }));
  }

  locationOf(position: number): RecordLocation {
    const row = this.#scratch.get("select file, line from rows where position = ?", position);
    return { file: String(row?.file), line: Number(row?.line) };
  }

  finish({ position, outcome, reason, detail, id, key, version, path }: RecordResult): void {
    this.#scratch.run(
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

  countOutcomes(): Partial<Record<ArchivedKind, RecordCounts>> {
    const rows = this.#scratch.all("select kind, outcome, count(*) as n from rows group by kind, outcome");
    const counts: Record<string, Record<RecordOutcome, number>> = {};
    for (const { kind, outcome, n } of rows) {
      counts[String(kind)] ??= { added: 0, skipped: 0, refused: 0 };
      const ofKind = counts[String(kind)];
      if (ofKind !== undefined) ofKind[outcome as RecordOutcome] = Number(n);
    }
    return counts;
  }

  /** The numbers of added posts by who will see them. */
  countVisibility(): VisibilityCounts {
    const rows = this.#scratch.all(
      "select reason, count(*) as n from rows where kind = 'post' and outcome = 'added' group by reason",
    );
    const counts = { public: 0, draft: 0, scheduled: 0 };
    return Object.assign(
      counts,
      Object.fromEntries(rows.map(({ reason, n }) => [String(reason), Number(n)])),
    );
  }

  /** The number of posts that are public here and hidden in the file. */
  countHiddenThere(): number {
    const row = this.#scratch.get("select count(*) as n from rows where reason = ?", HIDDEN_THERE);
    return Number(row?.n);
  }

  /** Whether the file is another program's. */
  get isForeign(): boolean {
    const { format } = this.about as { readonly format?: string };
    return format !== "archive" && format !== "everything";
  }

  /** The rows that are not recorded as imported bookmarks. */
  get otherRows(): Iterable<FinishedRow> {
    return this.#scratch.list(`select position, kind, file, line, title, outcome, reason, detail, id, key, path, version
      from rows where kind <> 'bookmark' or is_final = 1 order by position`);
  }

  get rows(): Iterable<ReportRow> {
    return this.#scratch.list(
      "select position, kind, file, line, title, outcome, reason, detail, id, key, path from rows order by position",
    );
  }

  get notesByLine(): Iterable<Omit<RecordNote, "file">> {
    return this.#scratch.list("select line, code, detail from notes order by line, number");
  }

  get notes(): Iterable<RecordNote> {
    return this.#scratch.list("select file, line, code, detail from notes order by number");
  }

  [Symbol.dispose](): void {
    this.#scratch[Symbol.dispose]();
  }

  #addRow(
    kind: string,
    { file, line }: RecordLocation,
    title: string,
    isFinal: boolean,
    outcome: RecordOutcome,
    reason: string | null,
    detail: string | null,
  ): number {
    this.#position++;
    this.#scratch.run(
      "insert into rows (position, kind, file, line, title, is_final, outcome, reason, detail) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      ...[this.#position, kind, file, line, title, isFinal ? 1 : 0, outcome, reason, detail],
    );
    this.#onRecord(this.#position);
    return this.#position;
  }
}

/** What a stored record has instead of its kind. */
function positionOf(kind: string): number {
  return ARCHIVED.findIndex((noun) => noun.kind === kind);
}
