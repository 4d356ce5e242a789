import { basename, resolve } from "node:path";
import { readObjects } from "../../config/configured-objects.ts";
import type { Sql } from "../../database/database.ts";
import { openDatabase } from "../../database/open.ts";
import { Refusal, StartError } from "../../errors.ts";
import { indexedCollections } from "../../indexed-collections.ts";
import { indexWaiting } from "../../search/index/entries.ts";
import { importSite, previewSite } from "../../transfer/import/import-records.ts";
import type { SiteImportReport } from "../../transfer/import/import-report.ts";
import { placePictures } from "../../transfer/import/place-pictures.ts";
import { reportJson } from "../../transfer/import/report-json.ts";
import type { StagedSite } from "../../transfer/import/staged-site.ts";
import { stageFolder } from "../../transfer/stage-site.ts";
import { unreadable } from "../files/input-file.ts";
import { gathered, printPieces } from "../terminal/print.ts";
import { siteReportText } from "../terminal/site-report-text.ts";
import { type DatabaseFlags, databaseUrlOf, isDatabaseFileMissing, openOrCreate } from "../with-database.ts";

interface Flags extends DatabaseFlags {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Stores a staged file of posts or of everything, or shows what that would do, and prints the report. */
export async function storeSite(site: StagedSite, flags: Flags): Promise<void> {
  try {
    const { report, location } = await store(site, flags);
    const done = report.import_id === null ? undefined : `Import ${report.import_id} is done.`;
    await printPieces(gathered(flags.json ? reportJson(report) : textOf(report, location)), done);
    if (report.refused > 0) process.exitCode = 1;
  } catch (error) {
    throw error instanceof Refusal ? new StartError(error.message, 1, error) : error;
  }
}

/** Imports the posts of a folder. @throws StartError when it has none */
export async function importFolder(path: string, flags: Flags): Promise<void> {
  using site = await stageFolder(path, { fileName: basename(resolve(path)), now: new Date() });
  if (site === undefined) throw unreadable(path, "is a folder without posts: it has no Markdown files");
  await storeSite(site, flags);
}

async function store(
  site: StagedSite,
  flags: Flags,
): Promise<{ readonly report: SiteImportReport; readonly location: string }> {
  const url = databaseUrlOf(flags);
  if (flags.dryRun && isDatabaseFileMissing(url))
    return { report: await previewSite({ read: NOTHING, engine: "sqlite" }, site), location: url };
  const database = flags.dryRun ? await openDatabase(url) : await openOrCreate(url);
  try {
    if (!flags.dryRun) await placePictures({ database, objects: readObjects(process.env) }, site.records);
    const report = flags.dryRun ? await previewSite(database, site) : await importSite(database, site);
    if (!flags.dryRun) for (const collection of indexedCollections) await indexWaiting(database, collection);
    return { report, location: database.location };
  } finally {
    await database.close();
  }
}

function* textOf(report: SiteImportReport, location: string): Generator<string> {
  for (const line of siteReportText(report, location)) yield `${line}\n`;
}

/** The reads of a missing database, which all return nothing. */
const NOTHING: Sql = Object.assign(() => [], { engine: "sqlite" as const, slot: 0 });
