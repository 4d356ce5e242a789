import type { Database, Sql } from "../../database/database.ts";
import { holdKey } from "../../database/hold-key.ts";
import type { NeededIds } from "../../database/ids/engine-ids.ts";
import { idsNeeded, reserveIds } from "../../database/ids/new-ids.ts";
import { ARCHIVED, IMPORTED } from "../../nouns.ts";
import type { SiteImportReport } from "./import-report.ts";
import { type Importer, type RunOptions, SiteImportRun } from "./import-run.ts";
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
    await importAllRecords(run);
    const isEmpty = !Object.values(site.records.countOutcomes()).some(({ added }) => added > 0);
    const importId = isEmpty ? null : await recordSiteImport(sql, site);
    await run.finish();
    await onStored(sql, importId);
    // Last: other writers wait for the counters until the transaction ends.
    await run.storeShared(sql);
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
function neededIds({ records, lastIds }: StagedSite): ReadonlyMap<string, NeededIds> {
  return new Map(
    ARCHIVED.flatMap(({ kind, archive: { table } }) =>
      table === undefined ? [] : [[table, idsNeeded(records.wantedIds(kind), lastIds[table])]],
    ),
  );
}

function start(
  sql: Sql,
  { engine }: Pick<Database, "engine">,
  { records, now, lastIds }: StagedSite,
  options: Pick<RunOptions, "importer" | "makesDrafts" | "isDry" | "reserved">,
): Promise<SiteImportRun> {
  return SiteImportRun.start({ sql, staged: records, engine, now, lastIds, ...options });
}

async function importAllRecords(run: SiteImportRun): Promise<void> {
  for (const { kind, archive } of IMPORTED) await archive.bringIn(run, run.ofKind(kind));
}

function reportOf(
  { fileName, format, now, records }: StagedSite,
  importId: number | null,
  { isDry, makesDrafts }: SiteImportRun,
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
