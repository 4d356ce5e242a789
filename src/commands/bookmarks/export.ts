import { createWriteStream } from "node:fs";
import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { exportCsv, exportNetscape, type OnWritten } from "../../bookmarks/export/export-bookmarks.ts";
import type { Database, Sql } from "../../database/database.ts";
import { sqlitePathOf } from "../../database/database-url.ts";
import { printable } from "../../printable.ts";
import { noneWritten, type Written, writeFullJson } from "../../transfer/full-json/write-full-json.ts";
import { NewFile } from "../files/new-file.ts";
import { writePieces } from "../files/write-pieces.ts";
import { exportArchive } from "../site/export-archive.ts";
import { countsText } from "../terminal/count-text.ts";
import { printPieces, printRemark } from "../terminal/print.ts";
import { type DatabaseFlags, databaseOption, databaseUrlOf, withDatabase } from "../with-database.ts";

interface Flags extends DatabaseFlags {
  readonly format: Format;
  readonly force?: boolean;
}

/** The first is the default. */
const FORMATS = ["html", "csv", "json", "archive"] as const;

type Format = (typeof FORMATS)[number];

/** `commonplace export`: exit code 1 when the export is incomplete, 2 for a usage error. */
export function exportCommand(): Command {
  return new Command("export")
    .description(
      "Export the bookmarks, or everything, to a file for other programs. The server may be running.",
    )
    .addArgument(new Argument("<file>", "the file to write; - for standard output"))
    .addOption(
      new Option(
        "--format <format>",
        "html: bookmarks, for browsers and bookmarking services; csv: bookmarks, for spreadsheets; json: bookmarks, posts, drafts, comments and marks; archive: everything, pictures too, as a zip that `import` restores",
      )
        .choices(FORMATS)
        .default(FORMATS[0])
        .argParser(readFormat),
    )
    .option("--force", "overwrite an existing file")
    .addOption(databaseOption())
    .action(exportAll);
}

/** HTML was called `netscape` once, and scripts may still call it so. */
function readFormat(text: string): Format {
  const format = FORMATS.find((name) => name === (text === "netscape" ? "html" : text));
  if (format === undefined) throw new InvalidArgumentError(`Allowed choices are ${FORMATS.join(", ")}.`);
  return format;
}

async function exportAll(path: string, flags: Flags): Promise<void> {
  const { format } = flags;
  if (format === "archive") return exportArchive(path, { ...flags, protectedPath: spared(flags) });
  await withDatabase(flags, async (database) => {
    const written = noneWritten();
    const pieces = WRITERS[format](database.read, written);
    const summaryFor = (to: string) => summary(database, to, format, written);
    if (path === "-") {
      await printPieces(pieces);
      printRemark(summaryFor("the standard output"));
    } else {
      using file = new NewFile(path, { overwrite: flags.force === true, protectedPath: spared(flags) });
      // Opens the existing file: creating it could bring it back after an interrupted process has removed it.
      await writePieces(pieces, createWriteStream(file.partial, { flags: "r+" }), file.path);
      await file.publish();
      console.log(summaryFor(file.path));
    }
  });
}

type Writer = (sql: Sql, written: Written) => AsyncGenerator<string>;

const WRITERS: Readonly<Record<Exclude<Format, "archive">, Writer>> = {
  html: (sql, written) => exportNetscape(sql, countBookmarks(written)),
  csv: (sql, written) => exportCsv(sql, countBookmarks(written)),
  json: writeFullJson,
};

function countBookmarks(written: Written): OnWritten {
  return (count) => {
    written.bookmarks += count;
  };
}

/** The database file, which an export must never overwrite; empty on PostgreSQL. */
function spared(flags: DatabaseFlags): string {
  return sqlitePathOf(databaseUrlOf(flags)) ?? "";
}

function summary(database: Database, to: string, format: Format, written: Written): string {
  const marks = written.marks > 0 ? ["mark"] : [];
  const nouns = format === "json" ? ["bookmark", "post", "comment", ...marks] : ["bookmark"];
  const counted = countsText(new Map(Object.entries(written)), nouns);
  return `Exported ${counted} from ${printable(database.location)} to ${printable(to)}.`;
}
