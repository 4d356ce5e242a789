import { setImmediate } from "node:timers/promises";
import { inBatches } from "../../batches.ts";
import {
  type BookmarkVersion,
  type BookmarkWriter,
  INSERT_MAX,
  writeBookmarks,
} from "../../bookmarks/bookmark-writer.ts";
import { existingIn, type FindExisting, URLS_AT_ONCE } from "../../bookmarks/bookmarks-by-url.ts";
import type { Database, Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import type { Note } from "../../readers/remarks.ts";
import type { ImportReport, OutcomeCounts } from "./import-report.ts";
import { type RowRecord, recordImport, recordRows } from "./import-store.ts";
import { type Decision, decide, type ExistingRule } from "./plan-bookmarks.ts";
import type { StagedBookmarks } from "./staged-file.ts";

/** Rows per transaction of a chunked import: few, so that other writes do not wait long. */
const PIECE = 500;
/**
 * Imports the bookmarks of a staged file in one transaction: all accepted ones or, when it is interrupted or fails,
 * none. An import that adds or updates nothing, and brings no texts or marks, is not recorded. These are kept after it, by `keepTexts` and `keepMarks`.
 *
 * @throws Refusal as {@link Database.write} does, and `conflict` if a bookmark was changed while it was being
 * updated
 */
export async function importBookmarks(
  database: Database,
  staged: StagedBookmarks,
  rule: ExistingRule,
  onStored: (sql: Sql, importId: number | null) => Promise<void> = async () => {},
): Promise<ImportReport> {
  return writeBookmarks(database, staged.now, async (writer, sql) => {
    await findExisting(existingIn(sql), staged, rule);
    const report = await new BookmarkRun(staged, rule, (work) => work({ writer, sql })).complete();
    await onStored(sql, report.import_id);
    return report;
  });
}

/** The options of an import in chunks. */
export interface ChunkedImportOptions {
  /** What an interrupted run of the same import has recorded. */
  readonly begun: { readonly importId: number; readonly lastPosition: number } | undefined;
  /** Called in the transaction of each chunk. */
  readonly onPiece: (sql: Sql, importId: number, lastPosition: number) => Promise<void>;
  /** Stops the import between two chunks. */
  readonly signal: AbortSignal;
}

/**
 * {@link importBookmarks} in several transactions of a few rows, so that other writes do not wait: for long files.
 * Every row is recorded with its chunk. Another call continues an interrupted import.
 *
 * @returns the report of the rows that this run has imported
 * @throws as {@link importBookmarks}, and the signal's reason
 */
export async function importInPieces(
  database: Database,
  staged: StagedBookmarks,
  rule: ExistingRule,
  pieces: ChunkedImportOptions,
): Promise<ImportReport> {
  await findExisting(existingIn(database.read), staged, rule);
  const write: Write = async (work) => {
    await setImmediate();
    pieces.signal.throwIfAborted();
    return writeBookmarks(database, staged.now, (writer, sql) => work({ writer, sql }), run.written);
  };
  const run = new BookmarkRun(staged, rule, write, pieces);
  return run.complete();
}

/**
 * A dry run of {@link importBookmarks}: the same decisions, without changes.
 * @param find looks up what exists; {@link existingIn} a database, if there is one
 */
export async function previewImport(
  find: FindExisting,
  staged: StagedBookmarks,
  rule: ExistingRule,
): Promise<ImportReport> {
  await findExisting(find, staged, rule);
  return new BookmarkRun(staged, rule, undefined).complete();
}

/** Before anything is added, so that the import's own additions do not count as existing. */
async function findExisting(
  find: FindExisting,
  { records, rows }: StagedBookmarks,
  rule: ExistingRule,
): Promise<void> {
  records.restart();
  if (rule === "add") return;
  for (const positions of rows.urls(URLS_AT_ONCE))
    for (const [url, existing] of await find([...positions.keys()])) {
      const position = positions.get(url);
      if (position !== undefined) rows.addExisting(position, existing);
    }
}

/** The writing part of an import; a preview has none. */
interface Target {
  readonly writer: BookmarkWriter;
  readonly sql: Sql;
}

/** Runs a batch of an import in a transaction: in the one of the whole import, or in its own. */
type Write = <T>(work: (target: Target) => Promise<T>) => Promise<T>;

class BookmarkRun {
  readonly #staged: StagedBookmarks;
  readonly #rule: ExistingRule;
  readonly #write: Write | undefined;
  readonly #pieces: ChunkedImportOptions | undefined;
  readonly #counts: OutcomeCounts = { added: 0, updated: 0, skipped: 0, refused: 0 };
  #batch: Decision[] = [];
  /** The URLs that the batch adds: no two of them may be the same. */
  #urls = new Set<string>();
  /** An import that changes nothing is not recorded. */
  #isRecorded = true;
  /** Set with the first batch. */
  #importId: number | null = null;

  constructor(
    staged: StagedBookmarks,
    rule: ExistingRule,
    write: Write | undefined,
    pieces: ChunkedImportOptions | undefined = undefined,
  ) {
    this.#staged = staged;
    this.#rule = rule;
    this.#write = write;
    this.#pieces = pieces;
    this.#importId = pieces?.begun?.importId ?? null;
  }

  /** The number of bookmarks that were added or updated by now; of an interrupted run, the rows that it has done. */
  get written(): number {
    return (this.#pieces?.begun?.lastPosition ?? 0) + this.#counts.added + this.#counts.updated;
  }

  async complete(): Promise<ImportReport> {
    const { records, rows, fileName, format, rowUnit, encoding, now, notes } = this.#staged;
    for (const note of notes) this.#note(note);
    const [texts, marks] = [this.#staged.texts.count, this.#staged.marks.count];
    // Whether a text or a mark is there already, is known once it is looked at.
    this.#isRecorded =
      this.#importId !== null || texts + marks > 0 || decide(this.#staged, this.#rule).some(isChange);
    const last = this.#pieces?.begun?.lastPosition ?? 0;
    for (const decision of decide(this.#staged, this.#rule))
      if (decision.row.position > last) await this.#take(decision);
    await this.#finishBatch();
    const nothing = { there_already: 0, refused: 0, reasons: {} };
    return {
      file: fileName,
      format,
      counted_by: rowUnit,
      encoding,
      dry_run: this.#write === undefined,
      imported_at: now.toISOString(),
      import_id: this.#importId,
      ...this.#counts,
      ...(texts > 0 && { texts: { found: texts, kept: 0, ...nothing } }),
      ...(marks > 0 && { marks: { found: marks, kept: 0, without_copy: 0, in_notes: 0, ...nothing } }),
      refusals: rows.refusals,
      skips: rows.skips,
      notes: records.notesByLine as Iterable<Note>,
    };
  }

  async #take(decision: Decision): Promise<void> {
    const url = decision.outcome === "added" ? decision.bookmark.url : undefined;
    const max = this.#pieces === undefined ? INSERT_MAX : PIECE;
    if (this.#batch.length === max || (url !== undefined && this.#urls.has(url))) await this.#finishBatch();
    if (url !== undefined) this.#urls.add(url);
    this.#batch.push(decision);
  }

  async #finishBatch(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#urls = new Set();
    if (batch.length === 0) return;
    // Lets other requests run during a long preview.
    if (this.#write === undefined) await setImmediate();
    const importId = (await this.#write?.((target) => this.#store(batch, target))) ?? null;
    for (const decision of batch) this.#report(decision);
    // Known only once it is committed: a transaction that conflicts with another one is run again.
    this.#importId ??= importId;
  }

  /** Stores what a batch adds and updates, and records its rows. @returns the import's id */
  async #store(batch: readonly Decision[], { writer, sql }: Target): Promise<number | null> {
    for (const few of inBatches(batch, INSERT_MAX)) {
      await add(writer, few);
      await update(writer, few);
      for (const decision of few) this.#finish(decision);
    }
    if (!this.#isRecorded) return null;
    const importId = this.#importId ?? (await recordImport(sql, this.#staged));
    for (const few of inBatches(batch, INSERT_MAX)) await recordRows(sql, importId, few.map(this.#recordOf));
    await this.#pieces?.onPiece(sql, importId, batch.at(-1)?.row.position ?? 0);
    return importId;
  }

  /** Stores what becomes of a row, unless it is simply added. */
  #finish(decision: Decision): void {
    const { row, outcome } = decision;
    const { position } = row;
    const { records } = this.#staged;
    if (outcome === "refused") {
      const { code, detail } = decision.refusal;
      records.finish({ position, outcome, reason: code, detail });
    } else if (outcome !== "added" || decision.first === position) {
      const { id = null, version = null } = this.#bookmarkOf(decision) ?? {};
      const reason = outcome === "skipped" ? { reason: decision.reason } : {};
      records.finish({ position, outcome, id, version, ...reason });
    }
  }

  #report(decision: Decision): void {
    const { outcome } = decision;
    // A row without an address is of no link.
    if (outcome !== "skipped" || decision.reason !== "marks_alone") this.#counts[outcome]++;
    if (this.#write === undefined) this.#finish(decision);
    if ("notes" in decision) for (const note of decision.notes) this.#note(note);
  }

  #note(note: Note): void {
    this.#staged.records.note({ ...note, file: "" }, false);
  }

  readonly #recordOf = (decision: Decision): RowRecord => {
    const { row, outcome } = decision;
    return {
      row,
      outcome,
      reason: outcome === "refused" ? decision.refusal.code : null,
      bookmark: this.#bookmarkOf(decision) ?? null,
      before: outcome === "updated" ? (decision.existing.fields ?? null) : null,
    };
  };

  /** The bookmark that a row stands for after the import; undefined when it was refused or not yet added. */
  #bookmarkOf(decision: Decision): BookmarkVersion | undefined {
    switch (decision.outcome) {
      case "refused":
        return undefined;
      case "skipped": {
        const { reason, first, existing } = decision;
        return reason === "repeated" && first !== undefined ? this.#staged.rows.storedAt(first) : existing;
      }
      case "added":
        return decision.stored;
      case "updated":
        return decision.stored ?? decision.existing;
    }
  }
}

function isChange({ outcome }: Decision): boolean {
  return outcome === "added" || outcome === "updated";
}

async function add(writer: BookmarkWriter, batch: readonly Decision[]): Promise<void> {
  const added = batch.filter((decision) => decision.outcome === "added");
  if (added.length === 0) return;
  const ids = await writer.insertMany(added.map(({ bookmark }) => bookmark));
  for (const decision of added) {
    const id = ids.get(decision.bookmark.url);
    if (id === undefined) throw new Error("an insert returned no row");
    decision.stored = { id, version: 1 };
  }
}

async function update(writer: BookmarkWriter, batch: readonly Decision[]): Promise<void> {
  for (const decision of batch) {
    if (decision.outcome !== "updated") continue;
    const { existing, bookmark } = decision;
    const version = await writer.update({ ...existing, url: bookmark.url }, bookmark);
    if (version === undefined)
      throw new Refusal(
        "conflict",
        `${bookmark.url} was changed in the meantime; nothing was imported. Try again.`,
      );
    decision.stored = { id: existing.id, version };
  }
}
