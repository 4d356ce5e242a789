import type { Database, Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { type BookmarkVersion, type BookmarkWriter, INSERT_MAX, writeBookmarks } from "../bookmark-writer.ts";
import { mergeDuplicates } from "./import-repeats.ts";
import type { ImportReport, Note, Outcome, SkipReason } from "./import-report.ts";
import type { Refused, StagedBookmark, StagedImport, StagedRow } from "./import-staging.ts";
import {
  type ExistingBookmark,
  findBookmarksByUrl,
  type RowRecord,
  recordImport,
  recordRows,
} from "./import-store.ts";
import type { FileRow } from "./netscape.ts";

/**
 * What happens to a row whose URL is kept already: it is skipped, added once more, or its title and
 * description take the place of those that are kept. Under `skip` and `update` several rows of one file with
 * the same URL make one bookmark, so that importing a file twice changes nothing.
 */
export type ExistingRule = "skip" | "add" | "update";

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
  existing: ExistingRule,
): Promise<ImportReport> {
  return writeBookmarks(database, staged.now, async (writer, sql) => {
    const decisions = await decide(sql, staged.rows, existing);
    const changes = decisions.filter(({ outcome }) => outcome === "added" || outcome === "updated").length;
    if (changes === 0) return report(staged, decisions, { isDryRun: false, importId: null });
    await add(writer, decisions);
    await update(writer, decisions);
    const importId = await recordImport(sql, staged);
    for (let start = 0; start < decisions.length; start += INSERT_MAX)
      await recordRows(sql, importId, decisions.slice(start, start + INSERT_MAX).map(recordOf));
    return report(staged, decisions, { isDryRun: false, importId });
  });
}

/** What {@link importBookmarks} would do now, decided in the same way; changes nothing. */
export async function previewImport(
  read: Sql,
  staged: StagedImport,
  existing: ExistingRule,
): Promise<ImportReport> {
  return report(staged, await decide(read, staged.rows, existing), { isDryRun: true, importId: null });
}

/** A row and what is to become of it. */
interface Decision {
  readonly row: FileRow;
  readonly outcome: Outcome;
  readonly refusal?: Refused;
  readonly skip?: SkipReason;
  /** What is to be added, or to take the place of `kept`. */
  readonly bookmark?: StagedBookmark;
  /** What is told of it when it is added or updated. */
  readonly notes?: readonly Note[];
  /** The bookmark that was there before the import. */
  readonly kept?: ExistingBookmark;
  /** The earlier row of the file that this one is skipped for. */
  readonly repeats?: Decision;
  /** The bookmark that was added or updated, once it is. */
  stored?: BookmarkVersion;
}

async function decide(sql: Sql, rows: readonly StagedRow[], existing: ExistingRule): Promise<Decision[]> {
  const urls = new Set(rows.flatMap((staged) => ("bookmark" in staged ? [staged.bookmark.url] : [])));
  const kept = existing === "add" ? new Map() : await findBookmarksByUrl(sql, [...urls]);
  const decisions: Decision[] = [];
  const byUrl = new Map<string, Decision>();
  for (const staged of existing === "add" ? rows : mergeDuplicates(rows)) {
    if ("refusal" in staged) {
      decisions.push({ row: staged.row, outcome: "refused", refusal: staged.refusal });
      continue;
    }
    const { url } = staged.bookmark;
    const decision = decideOn(staged, existing, byUrl.get(url), kept.get(url));
    decisions.push(decision);
    if (!byUrl.has(url)) byUrl.set(url, decision);
  }
  return decisions;
}

function decideOn(
  { row, bookmark, notes }: Extract<StagedRow, { bookmark: StagedBookmark }>,
  existing: ExistingRule,
  earlier: Decision | undefined,
  kept: ExistingBookmark | undefined,
): Decision {
  if (existing === "add") return { row, outcome: "added", bookmark, notes };
  if (earlier) return { row, outcome: "skipped", skip: "repeated", repeats: earlier };
  if (kept === undefined) return { row, outcome: "added", bookmark, notes };
  if (existing === "skip") return { row, outcome: "skipped", skip: "kept_already", kept };
  if (kept.title === bookmark.title && kept.description === bookmark.description)
    return { row, outcome: "skipped", skip: "unchanged", kept };
  // An updated bookmark keeps its date, so what the file's is does not matter.
  const told = notes.filter(({ code }) => !code.startsWith("date_"));
  return { row, outcome: "updated", bookmark, kept, notes: told };
}

async function add(writer: BookmarkWriter, decisions: readonly Decision[]): Promise<void> {
  let batch = new Map<string, Decision>();
  for (const decision of decisions) {
    if (decision.outcome !== "added" || decision.bookmark === undefined) continue;
    if (batch.size === INSERT_MAX || batch.has(decision.bookmark.url)) {
      await addBatch(writer, batch);
      batch = new Map();
    }
    batch.set(decision.bookmark.url, decision);
  }
  if (batch.size > 0) await addBatch(writer, batch);
}

async function addBatch(writer: BookmarkWriter, batch: ReadonlyMap<string, Decision>): Promise<void> {
  const bookmarks = [...batch.values()].flatMap(({ bookmark }) => bookmark ?? []);
  const ids = await writer.insertMany(bookmarks);
  for (const [url, decision] of batch) {
    const id = ids.get(url);
    if (id === undefined) throw new Error("an insert returned no row");
    decision.stored = { id, version: 1 };
  }
}

async function update(writer: BookmarkWriter, decisions: readonly Decision[]): Promise<void> {
  for (const decision of decisions) {
    const { outcome, kept, bookmark } = decision;
    if (outcome !== "updated" || kept === undefined || bookmark === undefined) continue;
    const version = await writer.update(kept, bookmark);
    if (version === undefined)
      throw new Refusal(
        "conflict",
        `${kept.url} was changed by somebody else just now; nothing was imported.`,
      );
    decision.stored = { id: kept.id, version };
  }
}

/** The bookmark that a row stands for after the import; undefined when it was refused or not yet added. */
function bookmarkOf({ stored, repeats, kept }: Decision): BookmarkVersion | undefined {
  return stored ?? (repeats && bookmarkOf(repeats)) ?? kept;
}

function recordOf(decision: Decision): RowRecord {
  const { row, outcome, refusal, kept } = decision;
  const before = outcome === "updated" && kept ? kept : null;
  return { row, outcome, reason: refusal?.code ?? null, bookmark: bookmarkOf(decision) ?? null, before };
}

function report(
  { fileName, encoding, now, notes }: StagedImport,
  decisions: readonly Decision[],
  { isDryRun, importId }: { isDryRun: boolean; importId: number | null },
): ImportReport {
  const count = (wanted: Outcome) => decisions.filter(({ outcome }) => outcome === wanted).length;
  return {
    file: fileName,
    format: "netscape",
    encoding,
    dry_run: isDryRun,
    imported_at: now.toISOString(),
    import_id: importId,
    added: count("added"),
    updated: count("updated"),
    skipped: count("skipped"),
    refused: count("refused"),
    refusals: decisions.flatMap(({ row: { position, line, title, url }, refusal }) =>
      refusal
        ? [{ position, line, title: title.trim(), url, code: refusal.code, detail: refusal.detail }]
        : [],
    ),
    skips: decisions.flatMap((decision) => {
      const { position, line, url } = decision.row;
      const bookmark_id = bookmarkOf(decision)?.id ?? null;
      return decision.skip ? [{ position, line, url, reason: decision.skip, bookmark_id }] : [];
    }),
    notes: [...notes, ...decisions.flatMap((decision) => decision.notes ?? [])].sort(
      (a, b) => a.line - b.line,
    ),
  };
}
