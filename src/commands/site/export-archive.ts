import { createWriteStream } from "node:fs";
import { readObjects } from "../../config/configured-objects.ts";
import { printable } from "../../printable.ts";
import { nothingWritten, writeArchive } from "../../transfer/archive/write-archive.ts";
import { NewFile } from "../files/new-file.ts";
import { writePieces } from "../files/write-pieces.ts";
import { countText } from "../terminal/count-text.ts";
import { printPieces, printRemark } from "../terminal/print.ts";
import { type DatabaseFlags, withDatabase } from "../with-database.ts";

interface Options extends DatabaseFlags {
  readonly force?: boolean;
  /** The database file, which an export must never overwrite; empty on PostgreSQL. */
  readonly protectedPath: string;
}

/** `commonplace export --format archive`: everything in one file, of one moment. */
export async function exportArchive(path: string, flags: Options): Promise<void> {
  const objects = readObjects(process.env);
  await withDatabase(flags, async (database) => {
    const written = nothingWritten();
    const summaryFor = (to: string) => {
      const kinds = ["bookmark", "post", "comment", "image"] as const;
      const counts = kinds.map((kind) => countText(written[kind], kind)).join(", ");
      return `Exported ${counts} from ${printable(database.location)} to ${printable(to)}.`;
    };
    if (path === "-") {
      await database.snapshot((sql) =>
        printPieces(writeArchive(sql, database.engine, written, new Date(), objects)),
      );
      printRemark(summaryFor("the standard output"));
      return;
    }
    using file = new NewFile(path, { overwrite: flags.force === true, protectedPath: flags.protectedPath });
    await database.snapshot((sql) => {
      const to = createWriteStream(file.partial, { flags: "r+" });
      return writePieces(writeArchive(sql, database.engine, written, new Date(), objects), to, file.path);
    });
    await file.publish();
    console.log(summaryFor(file.path));
  });
}
