import type { Database, Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { type BookmarkVersion, type BookmarkWriter, INSERT_MAX, writeBookmarks } from "../bookmark-writer.ts";
import { type Decision, decide, type ExistingRule } from "./import-decisions.ts";
import type { ImportReport, OutcomeCounts } from "./import-report.ts";
import {
  findBookmarksByUrl,
  hasBookmarks,
  type RowRecord,
  recordImport,
  recordRows,
} from "./import-store.ts";
import type { StagedImport } from "./staging/import-staging.ts";

/** How many URLs are looked for at once: each time the whole collection is read. */
const URLS_AT_ONCE = 20_000;

/**
 * Stores the bookmarks of a staged file in one transaction: all that are accepted, or, when it is
 * interrupted or fails, none. An import that adds or updates nothing leaves no trace.
 *
 * @throws Refusal as {@link Database.write} does, and `conflict` when somebody else changed a bookmark
 *   that was just being updated
 */
export async function importBookmarks(
  database: Database,
  staged: StagedImport,
  rule: ExistingRule,
): Promise<ImportReport> {
  return writeBookmarks(database, staged.now, async (writer, sql) => {
    await findExisting(sql, staged, rule);
    const run = new ImportRun(staged, rule, { writer, sql });
    return run.complete();
  });
}

/** What {@link importBookmarks} would do now, decided in the same way; changes nothing. */
export async function previewImport(
  read: Sql,
  staged: StagedImport,
  rule: ExistingRule,
): Promise<ImportReport> {
  await findExisting(read, staged, rule);
  return new ImportRun(staged, rule, undefined).complete();
}

/** Before anything is added: what the import itself adds was not there before. */
async function findExisting(sql: Sql, { rows }: StagedImport, rule: ExistingRule): Promise<void> {
  rows.restart();
  if (rule === "add" || !(await hasBookmarks(sql))) return;
  for (const positions of rows.urls(URLS_AT_ONCE))
    for (const [url, existing] of await findBookmarksByUrl(sql, [...positions.keys()])) {
      const position = positions.get(url);
      if (position !== undefined) rows.addExisting(position, existing);
    }
}

/** What an import writes with; a preview writes nothing. */
interface Target {
  readonly writer: BookmarkWriter;
  readonly sql: Sql;
}

class ImportRun {
  readonly #staged: StagedImport;
  readonly #rule: ExistingRule;
  readonly #target: Target | undefined;
  readonly #counts: OutcomeCounts = { added: 0, updated: 0, skipped: 0, refused: 0 };
  #batch: Decision[] = [];
  /** The URLs that the batch adds: no two of them may be the same. */
  #urls = new Set<string>();
  /** Set with the first change; rows from `recordedFrom` on are recorded with it. */
  #importId: number | null = null;
  #recordedFrom = 0;

  constructor(staged: StagedImport, rule: ExistingRule, target: Target | undefined) {
    this.#staged = staged;
    this.#rule = rule;
    this.#target = target;
  }

  async complete(): Promise<ImportReport> {
    const { rows, fileName, format, countedBy, encoding, now, notes } = this.#staged;
    for (const note of notes) rows.addNote(note);
    for (const decision of decide(this.#staged, this.#rule)) await this.#take(decision);
    await this.#finishBatch();
    await this.#recordEarlier();
    return {
      file: fileName,
      format,
      counted_by: countedBy,
      encoding,
      dry_run: this.#target === undefined,
      imported_at: now.toISOString(),
      import_id: this.#importId,
      ...this.#counts,
      refusals: rows.refusals,
      skips: rows.skips,
      notes: rows.notes,
    };
  }

  async #take(decision: Decision): Promise<void> {
    const url = decision.outcome === "added" ? decision.bookmark.url : undefined;
    if (this.#batch.length === INSERT_MAX || (url !== undefined && this.#urls.has(url)))
      await this.#finishBatch();
    if (url !== undefined) this.#urls.add(url);
    this.#batch.push(decision);
  }

  async #finishBatch(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#urls = new Set();
    if (this.#target !== undefined) {
      await add(this.#target.writer, batch);
      await update(this.#target.writer, batch);
    }
    for (const decision of batch) this.#report(decision);
    if (this.#target === undefined) return;
    const { sql } = this.#target;
    if (
      this.#importId === null &&
      batch.some(({ outcome }) => outcome === "added" || outcome === "updated")
    ) {
      this.#importId = await recordImport(sql, this.#staged);
      this.#recordedFrom = batch[0]?.row.position ?? 0;
    }
    if (this.#importId !== null) await recordRows(sql, this.#importId, batch.map(this.#recordOf));
  }

  /** The rows before the first one that changed anything, all of them skipped or refused. */
  async #recordEarlier(): Promise<void> {
    if (this.#target === undefined || this.#importId === null) return;
    let batch: Decision[] = [];
    for (const decision of decide(this.#staged, this.#rule, this.#recordedFrom)) {
      batch.push(decision);
      if (batch.length < INSERT_MAX) continue;
      await recordRows(this.#target.sql, this.#importId, batch.map(this.#recordOf));
      batch = [];
    }
    if (batch.length > 0) await recordRows(this.#target.sql, this.#importId, batch.map(this.#recordOf));
  }

  #report(decision: Decision): void {
    const { rows } = this.#staged;
    const { row, outcome } = decision;
    const { position, line, url } = row;
    this.#counts[outcome]++;
    if (outcome === "refused") {
      const { code, detail } = decision.refusal;
      rows.addRefusal({ position, line, title: row.title.trim(), url, code, detail });
      return;
    }
    const bookmark = this.#bookmarkOf(decision);
    if (decision.first === position && bookmark !== undefined) rows.addStored(position, bookmark);
    if (outcome === "skipped")
      rows.addSkip({ position, line, url, reason: decision.reason, bookmark_id: bookmark?.id ?? null });
    else for (const note of decision.notes) rows.addNote(note);
  }

  readonly #recordOf = (decision: Decision): RowRecord => {
    const { row, outcome } = decision;
    return {
      row,
      outcome,
      reason: outcome === "refused" ? decision.refusal.code : null,
      bookmark: this.#bookmarkOf(decision) ?? null,
      before: outcome === "updated" ? decision.existing : null,
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
    const version = await writer.update(existing, bookmark);
    if (version === undefined)
      throw new Refusal(
        "conflict",
        `${existing.url} was changed by somebody else just now; nothing was imported.`,
      );
    decision.stored = { id: existing.id, version };
  }
}
