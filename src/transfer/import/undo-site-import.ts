import { setImmediate } from "node:timers/promises";
import type { Database, Sql } from "../../database/database.ts";
import { TAKEN_BACK } from "../../nouns.ts";
import { addedRows } from "./recorded-imports.ts";
import { SharedCounters } from "./shared-counters.ts";
import { undoImportWithin } from "./undo-import.ts";

/** The report of undoing an import of posts or of an archive, and the document that `import --undo --json` prints. */
export interface SiteUndoReport {
  readonly import_id: number;
  readonly file: string;
  readonly imported_at: string;
  readonly dry_run: boolean;
  /** Records that the import had added and that are removed, by their kind. */
  readonly removed: Readonly<Record<string, number>>;
  /** The records that were kept, since they or related records have changed. */
  readonly kept: readonly KeptRecord[];
}

export interface KeptRecord {
  readonly kind: string;
  readonly id: number | null;
  readonly key: string | null;
  readonly title: string;
}

/**
 * Undoes an import of posts or of an archive in one transaction. A post stays, with its comments, when it, its
 * publication or its comments have changed since, or when it is being edited; a comment, working copy, setting or
 * bookmark stays when it has changed; an image while it is used.
 *
 * @throws Refusal as {@link Database.write} does; `not_found`; `conflict` when it was already undone
 */
export function undoSiteImport(database: Database, id: number, now: Date): Promise<SiteUndoReport> {
  return database.write((sql) => undo(sql, id, now, false));
}

/** A dry run of {@link undoSiteImport}; changes nothing. @throws Refusal as it does */
export async function previewSiteUndo(database: Database, id: number, now: Date): Promise<SiteUndoReport> {
  try {
    await database.write(async (sql) => {
      throw new Previewed(await undo(sql, id, now, true));
    });
  } catch (error) {
    if (error instanceof Previewed) return error.report;
    throw error;
  }
  throw new Error("a preview must not be stored");
}

/** Thrown to roll back the transaction of a preview. */
class Previewed extends Error {
  readonly report: SiteUndoReport;

  constructor(report: SiteUndoReport) {
    super("previewed");
    this.report = report;
  }
}

async function undo(sql: Sql, id: number, now: Date, isDry: boolean): Promise<SiteUndoReport> {
  const bookmarks = await undoImportWithin(sql, id, now);
  const removed: Record<string, number> = {};
  const kept: KeptRecord[] = [];
  const count = (kind: string, n: number) => {
    if (n > 0) removed[kind] = (removed[kind] ?? 0) + n;
  };
  count("bookmark", bookmarks.removed);
  for (const { bookmark_id, title } of bookmarks.kept)
    kept.push({ kind: "bookmark", id: bookmark_id, key: null, title });
  const counters = new SharedCounters();
  for (const { kind, archive } of TAKEN_BACK)
    await archive.takeBack?.({
      ...{ sql, now, importId: id, shared: (of) => counters.shared(of) },
      count: (n, of = kind) => count(of, n),
      async each(remove) {
        for await (const rows of addedRows(sql, id, kind)) {
          for (const { id, key, title } of await remove(rows)) kept.push({ kind, id, key, title });
          // On SQLite, only this lets other requests of the process run.
          await setImmediate();
        }
      },
    });
  await counters.storeShared(sql);
  const { file, imported_at } = bookmarks;
  return { import_id: id, file, imported_at, dry_run: isDry, removed, kept };
}
