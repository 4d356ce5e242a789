import { basename, resolve } from "node:path";
import { Argument, Command, Option } from "commander";
import { existingIn } from "../bookmarks/bookmarks-by-url.ts";
import { readObjects } from "../config/configured-objects.ts";
import { readSetting } from "../config/read-config.ts";
import { CopyRoom } from "../copies/copy-room.ts";
import { Extractor } from "../copies/extraction/extraction-process.ts";
import { CopyKeeper } from "../copies/keep-copy.ts";
import type { Database, Sql } from "../database/database.ts";
import { openDatabase } from "../database/open.ts";
import { type Label, namedEncoding } from "../decoding/encodings.ts";
import { Refusal, StartError } from "../errors.ts";
import { publicInternet } from "../outbound/fetch-public.ts";
import { indexedPosts } from "../posts/indexed-posts.ts";
import { UnreadableFile } from "../readers/files/unreadable-file.ts";
import { indexWaiting } from "../search/index/entries.ts";
import { importBookmarks, previewImport } from "../transfer/import/import-bookmarks.ts";
import { importSite, previewSite } from "../transfer/import/import-records.ts";
import type { ImportReport, SiteImportReport } from "../transfer/import/import-report.ts";
import { keepMarks, type MarkPlace, marksReport } from "../transfer/import/keep-marks.ts";
import { forgetUnchanged, keepTexts, textsReport } from "../transfer/import/keep-texts.ts";
import { areNotesOpen } from "../transfer/import/note-readers.ts";
import { placePictures } from "../transfer/import/place-pictures.ts";
import type { ExistingRule } from "../transfer/import/plan-bookmarks.ts";
import { reportJson } from "../transfer/import/report-json.ts";
import { isSite, type StagedBookmarks, type StagedSite } from "../transfer/import/staged-file.ts";
import { stageFile } from "../transfer/stage-file.ts";
import { stageFolder } from "../transfer/stage-site.ts";
import { forget, listAll, show, undo } from "./bookmarks/import-history.ts";
import { indexWaitingBookmarks } from "./bookmarks/index-bookmarks.ts";
import { isFolder, openInput, unreadable } from "./files/input-file.ts";
import { importReportText } from "./terminal/import-report-text.ts";
import { joined, printPieces } from "./terminal/print.ts";
import { importProgress, progressBar } from "./terminal/progress-bar.ts";
import { siteReportText } from "./terminal/site-report-text.ts";
import {
  type DatabaseFlags,
  databaseOption,
  databaseUrlOf,
  isDatabaseFileMissing,
  openOrCreate,
} from "./with-database.ts";

interface Flags extends DatabaseFlags {
  readonly existing: ExistingRule;
  readonly tags: boolean;
  readonly encoding?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly pictures?: boolean;
  readonly makeDrafts?: boolean;
  readonly list?: boolean;
  readonly undo?: string;
  readonly forget?: string;
  readonly show?: string;
}

/** Flags that apply only to bookmarks, by option name. */
const BOOKMARK_FLAGS = { existing: "--existing", tags: "--no-tags", encoding: "--encoding" };

/**
 * `commonplace import`: imports a file, lists and shows earlier imports and undoes them. Exit code 0 when every row was added or
 * skipped on purpose, 1 when some were refused or the database could not be used, 2 when the file could not be
 * read or for a usage error.
 */
export function importCommand(): Command {
  return new Command("import")
    .description(
      "Import bookmarks, a blog, or the archive of a whole site. The format is detected from the content.",
    )
    .addArgument(
      new Argument("[file]", "the exported file or archive, or the folder of a blog; - for standard input"),
    )
    .addOption(
      new Option("--existing <rule>", "what to do with bookmarks whose URL already exists")
        .choices(["skip", "add", "update"])
        .default("skip"),
    )
    .option("--no-tags", "do not import the file's tags and folders as tags")
    .option("--encoding <name>", "the encoding of HTML or CSV that does not state it, such as windows-1251")
    .option("--pictures", "fetch the pictures of a blog from other sites")
    .option(
      "--make-drafts",
      "turn posts into drafts that an earlier import made public but the file of the blog hides",
    )
    .option("--dry-run", "show the result without changing anything")
    .option("--json", "print the report as JSON")
    .addOption(new Option("--list", "list earlier imports").conflicts(["undo", "show", "forget", "dryRun"]))
    .addOption(
      new Option("--show <number>", "show the refused rows of an import; with --json, all rows").conflicts([
        "undo",
        "dryRun",
      ]),
    )
    .option("--undo <number>", "undo an import, except for bookmarks that have changed since")
    .addOption(
      new Option(
        "--forget <number>",
        "delete the record of an import; its bookmarks stay, but it can no longer be undone",
      ).conflicts(["undo", "show", "dryRun"]),
    )
    .addOption(databaseOption())
    .action(run);
}

async function run(path: string | undefined, flags: Flags, command: Command): Promise<void> {
  const word = historyFlag(flags);
  if (word === undefined) {
    if (path === undefined) throw new StartError("import: missing file; use - for standard input.", 2);
    return importFile(path, flags, command);
  }
  if (path !== undefined) throw new StartError(`import: ${word} cannot be combined with a file.`, 2);
  const [flag] = bookmarkFlags(command);
  if (flag !== undefined) throw new StartError(`import: ${flag} cannot be combined with ${word}.`, 2);
  if (flags.undo !== undefined) await undo(flags.undo, flags);
  else if (flags.forget !== undefined) await forget(flags.forget, flags);
  else if (flags.show !== undefined) await show(flags.show, flags);
  else await listAll(flags);
}

/** The flag for an earlier import; undefined when a file is to be imported. */
function historyFlag({ list, undo, show, forget }: Flags): string | undefined {
  if (list) return "--list";
  if (undo !== undefined) return "--undo";
  if (show !== undefined) return "--show";
  return forget === undefined ? undefined : "--forget";
}

/** The flags of the command line that apply only to bookmarks. */
function bookmarkFlags(command: Command): string[] {
  const given = Object.entries(BOOKMARK_FLAGS).filter(
    ([name]) => command.getOptionValueSource(name) === "cli",
  );
  return given.map(([, flag]) => flag);
}

/** @throws StartError for flags that apply only to bookmarks */
function refuseBookmarkFlags(command: Command): void {
  const [flag] = bookmarkFlags(command);
  if (flag !== undefined)
    throw new StartError(`import: ${flag} applies to bookmark files only, not to a blog or an archive.`, 2);
}

async function importFile(path: string, flags: Flags, command: Command): Promise<void> {
  const now = new Date();
  if (isFolder(path)) {
    refuseBookmarkFlags(command);
    using site = await stageFolder(path, { fileName: basename(resolve(path)), now });
    if (site === undefined) throw unreadable(path, "is a folder without posts: it has no Markdown files");
    return await store(ofSite(site, flags), flags);
  }
  const encoding = encodingOf(flags);
  const fileName = path === "-" ? path : basename(path);
  using file = await openInput(path);
  const progress = await importProgress();
  try {
    // Our own JSON may also contain posts; with one of these flags, only its bookmarks are imported.
    const bookmarksAlone = bookmarkFlags(command).length > 0;
    const read = { tags: flags.tags, encoding, bookmarksAlone, onProgress: progress.reading };
    using staged = await stageFile(file, { fileName, now, ...read });
    if (isSite(staged)) {
      progress.stop();
      refuseBookmarkFlags(command);
      return await store(ofSite(staged, flags), flags);
    }
    const ofBlogs = flags.pictures ? "--pictures" : flags.makeDrafts ? "--make-drafts" : undefined;
    if (ofBlogs !== undefined)
      throw new StartError(`import: ${ofBlogs} applies to a blog only, not to bookmarks.`, 2);
    progress.storing();
    await store(ofBookmarks(staged, flags), flags, () => progress.stop());
  } catch (error) {
    if (error instanceof UnreadableFile) throw unreadable(path, error.message, error.cause);
    throw error instanceof Refusal ? new StartError(error.message, 1, error) : error;
  } finally {
    progress.stop();
  }
}

/** @throws StartError for a name that no encoding has */
function encodingOf({ encoding }: Flags): Label | undefined {
  if (encoding === undefined) return undefined;
  const known = namedEncoding(encoding);
  if (known === undefined) throw new StartError(`import: no encoding is called ${encoding}.`, 2);
  return known;
}

/** What was read of a file, and how it is imported and reported. */
interface Importable<Report> {
  preview(database: Pick<Database, "read" | "engine">): Promise<Report>;
  store(database: Database): Promise<Report>;
  json(report: Report): Iterable<string>;
  text(report: Report, location: string): Iterable<string>;
}

function ofBookmarks(staged: StagedBookmarks, { existing }: Flags): Importable<ImportReport> {
  let place: MarkPlace = "either";
  return {
    async preview({ read }) {
      place = await markPlace(staged, read);
      return previewImport(existingIn(read), staged, existing);
    },
    async store(database) {
      place = await markPlace(staged, database.read);
      const report = await importBookmarks(database, staged, existing);
      return withPages(database, staged, report, place);
    },
    json: reportJson,
    text: (report, location) => importReportText(report, location, place),
  };
}

/** What marks become; BOOKMARKS_ACCESS is that of this command. */
async function markPlace({ marks, now }: StagedBookmarks, sql: Sql): Promise<MarkPlace> {
  if (marks.count === 0) return "either";
  const isOpen = await areNotesOpen(sql, readSetting("bookmarksAccess", process.env), now);
  return isOpen ? "marks" : "either";
}

/**
 * Keeps the texts of pages that a file brings, after its bookmarks, and what is marked in them: run again, an interrupted command keeps
 * the others.
 */
async function withPages(
  database: Database,
  staged: StagedBookmarks,
  report: ImportReport,
  place: MarkPlace,
): Promise<ImportReport> {
  const { import_id: importId, texts, marks } = report;
  if (importId === null || (texts ?? marks) === undefined) return report;
  const { read } = database;
  const objects = readObjects(process.env);
  const room = new CopyRoom(database, readSetting("copiesMax", process.env));
  const keeper = new CopyKeeper({ database, objects, room });
  await keepTexts(database, { keeper, extractor: new Extractor() }, staged, { importId });
  await keepMarks(database, staged, { importId, place });
  return {
    ...report,
    ...(texts && { texts: await textsReport(read, importId, texts.found) }),
    ...(marks && { marks: await marksReport(read, importId, marks.found) }),
    import_id: (await forgetUnchanged(database, importId)) ? null : importId,
  };
}

function ofSite(site: StagedSite, { pictures, makeDrafts }: Flags): Importable<SiteImportReport> {
  return {
    preview: (database) => previewSite(database, site, "operator", makeDrafts),
    async store(database) {
      if (pictures) await fetchPictures(site);
      await placePictures({ database, objects: readObjects(process.env) }, site.records);
      return importSite(database, site, "operator", undefined, makeDrafts);
    },
    json: reportJson,
    text: siteReportText,
  };
}

/** Brings the pictures along that are at other sites. */
async function fetchPictures({ records, now }: StagedSite): Promise<void> {
  const total = records.pictures.count;
  if (total === 0) return;
  const { bringPictures } = await import("../transfer/pictures/bring-pictures.ts");
  const bar = await progressBar("Fetching pictures");
  try {
    const network = publicInternet(readSetting("publicUrl", process.env));
    const onProgress = (done: number) => bar.show(done, total, `${done} of ${total} pictures fetched`);
    await bringPictures(records, { network, now, onProgress });
  } finally {
    bar.stop();
  }
}

/** Stores what was read, or shows what that would do, and prints the report. @param onStored before it is printed */
async function store<Report extends { readonly import_id: number | null; readonly refused: number }>(
  staged: Importable<Report>,
  flags: Flags,
  onStored = () => {},
): Promise<void> {
  try {
    const { report, location } = await stored(staged, flags);
    onStored();
    const done = report.import_id === null ? undefined : `Import ${report.import_id} is done.`;
    const text = flags.json ? staged.json(report) : linesOf(staged.text(report, location));
    await printPieces(joined(text), done);
    if (report.refused > 0) process.exitCode = 1;
  } catch (error) {
    throw error instanceof Refusal ? new StartError(error.message, 1, error) : error;
  }
}

async function stored<Report>(
  staged: Importable<Report>,
  flags: Flags,
): Promise<{ readonly report: Report; readonly location: string }> {
  const url = databaseUrlOf(flags);
  if (flags.dryRun && isDatabaseFileMissing(url))
    return { report: await staged.preview({ read: NOTHING, engine: "sqlite" }), location: url };
  const database = flags.dryRun ? await openDatabase(url) : await openOrCreate(url);
  try {
    const report = await (flags.dryRun ? staged.preview(database) : staged.store(database));
    if (!flags.dryRun) {
      await indexWaitingBookmarks(database);
      await indexWaiting(database, indexedPosts);
    }
    return { report, location: database.location };
  } finally {
    await database.close();
  }
}

function* linesOf(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}

/** The reads of a missing database, which all return nothing. */
const NOTHING: Sql = Object.assign(() => [], { engine: "sqlite" as const, slot: 0 });
