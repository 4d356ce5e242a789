import type { Database, Sql } from "../../database/database.ts";
import { holdKey } from "../../database/hold-key.ts";
import type { NeededIds, TableWithIds } from "../../database/ids/engine-ids.ts";
import { idsNeeded, reserveIds } from "../../database/ids/new-ids.ts";
import { indexNewPosts } from "../../posts/indexed-posts.ts";
import { PostCounts } from "../../posts/post-counters.ts";
import type { RecordKind } from "../../records/record.ts";
import { importCommentRecords } from "./import-comment-records.ts";
import { importEditRecords, importVersionRecords } from "./import-edit-records.ts";
import { importIconRecords } from "./import-icon-records.ts";
import {
  importBookmarkRecords,
  importImageRecords,
  importSettingRecords,
  importTagRecords,
} from "./import-library-records.ts";
import { importPostRecords } from "./import-post-records.ts";
import type { SiteImportReport } from "./import-report.ts";
import { type Importer, ImportRun, type RunOptions } from "./import-run.ts";
import { recordSiteImport } from "./import-store.ts";
import type { StagedSite } from "./staged-file.ts";

/**
 * Imports a staged file in one transaction: all accepted records or, when it is interrupted or fails, none.
 * Existing records are skipped. An import that adds nothing is not recorded.
 *
 * @param importer the operator unless it is given: pages must give the account
 * @param makesDrafts whether posts become drafts that an earlier import made public, and that are hidden in the file
 * @param onStored does the last work of the same transaction; the id is null when nothing was added
 * @throws Refusal as {@link Database.write} does, and `conflict` when another request took a slug at the same
 * moment
 */
export async function importSite(
  database: Pick<Database, "write" | "engine">,
  site: StagedSite,
  importer: Importer = "operator",
  onStored: (sql: Sql, importId: number | null) => Promise<void> = async () => {},
  makesDrafts = false,
): Promise<SiteImportReport> {
  const reserved = await reserveIds(database, neededIds(site));
  return database.write(async (sql) => {
    // Two imports of the same file would not see each other's records.
    await holdKey(sql, "site-import");
    const run = await start(sql, database, site, { importer, makesDrafts, isDry: false, reserved });
    const counts = await importAllRecords(run);
    const isEmpty = !Object.values(site.records.countOutcomes()).some(({ added }) => added > 0);
    const importId = isEmpty ? null : await recordSiteImport(sql, site);
    await run.finish();
    await onStored(sql, importId);
    // Last: other writers of posts wait for the counters until the transaction ends.
    await counts.store(sql);
    return reportOf(site, importId, run);
  });
}

/** A dry run of {@link importSite}: the same decisions, without changes. */
export async function previewSite(
  database: Pick<Database, "read" | "engine">,
  site: StagedSite,
  importer: Importer = "operator",
  makesDrafts = false,
): Promise<SiteImportReport> {
  const options = { importer, makesDrafts, isDry: true, reserved: new Map() };
  const run = await start(database.read, database, site, options);
  await importAllRecords(run);
  await run.finish();
  return reportOf(site, null, run);
}

/** The ids that the records of a file need in each table. */
function neededIds({ records, lastIds }: StagedSite): ReadonlyMap<TableWithIds, NeededIds> {
  return new Map(
    TABLES.map(([table, kind]) => [table, idsNeeded(records.wantedIds(kind), lastIds[table])] as const),
  );
}

const TABLES = [
  ["bookmarks", "bookmark"],
  ["comments", "comment"],
  ["posts", "post"],
  ["tags", "tag"],
] as const satisfies readonly (readonly [TableWithIds, RecordKind])[];

function start(
  sql: Sql,
  { engine }: Pick<Database, "engine">,
  { records, now, lastIds }: StagedSite,
  options: Pick<RunOptions, "importer" | "makesDrafts" | "isDry" | "reserved">,
): Promise<ImportRun> {
  return ImportRun.start({ sql, staged: records, engine, now, lastIds, ...options });
}

/**
 * Imports all kinds of records, referenced ones first. Counters are stored in the order of their names, those of
 * posts last.
 */
async function importAllRecords(run: ImportRun): Promise<PostCounts> {
  const counts = new PostCounts();
  await importSettingRecords(run);
  await importTagRecords(run);
  await importImageRecords(run);
  await importPostRecords(run, counts);
  await importVersionRecords(run);
  await importEditRecords(run);
  await importBookmarkRecords(run);
  await importIconRecords(run);
  await importCommentRecords(run, counts);
  if (!run.isDry) await indexNewPosts(run.sql);
  return counts;
}

function reportOf(
  { fileName, format, now, records }: StagedSite,
  importId: number | null,
  { isDry, makesDrafts }: ImportRun,
): SiteImportReport {
  const counts = records.countOutcomes();
  const sum = (outcome: "added" | "skipped" | "refused") =>
    Object.values(counts).reduce((total, count) => total + count[outcome], 0);
  return {
    ...{ file: fileName, format, dry_run: isDry, imported_at: now.toISOString(), import_id: importId },
    ...{ added: sum("added"), skipped: sum("skipped"), refused: sum("refused"), counts },
    visibility: records.countVisibility(),
    ...{ hidden_there: records.countHiddenThere(), made_drafts: makesDrafts && !isDry },
    rows: records.rows,
    notes: records.notes,
  };
}
