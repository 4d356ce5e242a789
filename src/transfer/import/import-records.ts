import type { Database, Sql } from "../../database/database.ts";
import { holdIds } from "../../database/ids/new-ids.ts";
import { PostCounts } from "../../posts/post-counters.ts";
import type { SiteFormat, SiteImportReport } from "./import-report.ts";
import { ImportRun, type LastIds } from "./import-run.ts";
import { recordSiteImport } from "./recorded-records.ts";
import type { StagedRecords } from "./staged-records.ts";
import { takeComments, takeEdits, takeVersions } from "./take-belongings.ts";
import { takeBookmarks, takeImages, takeSettings, takeTags } from "./take-library.ts";
import { takePosts } from "./take-posts.ts";

/** A whole file, read and checked: all that an import can do before it needs the database. */
export interface StagedSite extends Disposable {
  readonly fileName: string;
  readonly format: SiteFormat;
  /** The time of the import. */
  readonly now: Date;
  readonly records: StagedRecords;
  readonly lastIds: LastIds;
}

/**
 * Stores the records of a staged file in one transaction: all that are accepted or, when it is interrupted or fails,
 * none. What is there already is skipped. An import that adds nothing leaves no trace.
 *
 * @throws Refusal as {@link Database.write} does, and `conflict` when somebody took a slug at the same moment
 */
export function importSite(
  database: Pick<Database, "write" | "engine">,
  site: StagedSite,
): Promise<SiteImportReport> {
  return database.write(async (sql) => {
    await holdIds(sql, database.engine);
    const run = await start(sql, database, site, false);
    const counts = await takeAll(run);
    const isEmpty = !Object.values(site.records.counts()).some(({ added }) => added > 0);
    const importId = isEmpty ? null : await recordSiteImport(sql, site);
    await counts.store(sql);
    await run.finish();
    return reportOf(site, importId, false);
  });
}

/** What {@link importSite} would do now, decided in the same way; changes nothing. */
export async function previewSite(
  database: Pick<Database, "read" | "engine">,
  site: StagedSite,
): Promise<SiteImportReport> {
  const run = await start(database.read, database, site, true);
  await takeAll(run);
  await run.finish();
  return reportOf(site, null, true);
}

function start(
  sql: Sql,
  { engine }: Pick<Database, "engine">,
  { records, now, lastIds }: StagedSite,
  isDry: boolean,
): Promise<ImportRun> {
  return ImportRun.start({ sql, staged: records, engine, isDry, now, lastIds });
}

/** What others refer to comes first. Counters are stored in the order of their names, those of posts last. */
async function takeAll(run: ImportRun): Promise<PostCounts> {
  const counts = new PostCounts();
  await takeSettings(run);
  await takeTags(run);
  await takeImages(run);
  await takePosts(run, counts);
  await takeVersions(run);
  await takeEdits(run);
  await takeBookmarks(run);
  await takeComments(run);
  return counts;
}

function reportOf(
  { fileName, format, now, records }: StagedSite,
  importId: number | null,
  isDry: boolean,
): SiteImportReport {
  const counts = records.counts();
  const sum = (outcome: "added" | "skipped" | "refused") =>
    Object.values(counts).reduce((total, count) => total + count[outcome], 0);
  return {
    ...{ file: fileName, format, dry_run: isDry, imported_at: now.toISOString(), import_id: importId },
    ...{ added: sum("added"), skipped: sum("skipped"), refused: sum("refused"), counts },
    rows: records.rows,
    notes: records.notes,
  };
}
