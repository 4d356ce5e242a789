import { createWriteStream } from "node:fs";
import { readObjects } from "../../config/configured-objects.ts";
import { inspectDatabase } from "../../database/open-inspection.ts";
import { UnreadableRecords } from "../../kept/lines.ts";
import { nameOf } from "../../nouns.ts";
import { printable } from "../../printable.ts";
import { nothingWritten, writeArchive } from "../../transfer/archive/write-archive.ts";
import { NewFile } from "../files/new-file.ts";
import { writePieces } from "../files/write-pieces.ts";
import { printPieces, printRemark } from "../terminal/print.ts";
import { type DatabaseFlags, databaseUrlOf, withDatabase } from "../with-database.ts";

/** The kinds whose numbers are said. */
const COUNTED = ["bookmark", "post", "comment", "image"] as const;
const COUNTED_IF_ANY = ["copy", "mark"] as const;

interface Options extends DatabaseFlags {
  readonly force?: boolean;
  /** The database file, which an export must never overwrite; empty on PostgreSQL. */
  readonly protectedPath: string;
}

/**
 * `commonplace export --format archive`: everything in one file, from one snapshot, which has no time limits, since images of
 * an object store may take long. What cannot be read is named, and the exit code is 1.
 */
export async function exportArchive(path: string, flags: Options): Promise<void> {
  const objects = readObjects(process.env);
  await withDatabase(flags, async (database) => {
    const written = nothingWritten();
    const summaryFor = (to: string) => {
      const counts = [...COUNTED, ...COUNTED_IF_ANY.filter((kind) => written[kind] > 0)]
        .map((kind) => `${written[kind]} ${nameOf(kind, written[kind])}`)
        .join(", ");
      return `Exported ${counts} from ${printable(database.location)} to ${printable(to)}.`;
    };
    const snapshot = await inspectDatabase(databaseUrlOf(flags), "export");
    try {
      const unreadable = new UnreadableRecords(snapshot);
      const archive = writeArchive(snapshot.sql, snapshot.engine, written, new Date(), objects, unreadable);
      if (path === "-") {
        await printPieces(archive);
        printRemark(summaryFor("the standard output"));
      } else {
        using file = new NewFile(path, {
          overwrite: flags.force === true,
          protectedPath: flags.protectedPath,
        });
        await writePieces(archive, createWriteStream(file.partial, { flags: "r+" }), file.path);
        await file.publish();
        console.log(summaryFor(file.path));
      }
      reportMissing(unreadable.names());
    } finally {
      await snapshot.close();
    }
  });
}

function reportMissing(names: readonly string[]): void {
  if (names.length === 0) return;
  printRemark("These records cannot be read, and are not in the archive:");
  for (const name of names) printRemark(`  ${printable(name)}`);
  printRemark("“commonplace check” says what is damaged.");
  process.exitCode = 1;
}
