import { readFileSync } from "node:fs";
import type { Database, Sql } from "../../../src/database/database.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { importBookmarks } from "../../../src/transfer/import/import-bookmarks.ts";
import { importSite } from "../../../src/transfer/import/import-records.ts";
import { stageImport } from "../../../src/transfer/stage-bookmarks.ts";
import { stageSite } from "../../../src/transfer/stage-site.ts";
import { inMemory } from "./zip.ts";

/** Imports a file like `commonplace import`. @returns the number of added records */
export async function importAny(database: Database, bytes: Uint8Array): Promise<number> {
  const now = new Date();
  using site = await stageSite(inMemory(bytes), { fileName: "file", now });
  if (site !== undefined) return (await importSite(database, site)).added;
  using staged = await stageImport("file", bytes, { now, tags: true });
  return (await importBookmarks(database, staged, "skip")).added;
}

/** A database that calls back before each statement of its transactions. */
export function observed(database: Database, onStatement: () => void): Database {
  const write: Database["write"] = (work, ...rest) =>
    database.write(
      (sql) => {
        const calling = (...words: Parameters<Sql>) => {
          onStatement();
          return sql(...words);
        };
        return work(Object.assign(calling, { engine: sql.engine, slot: sql.slot }) as Sql);
      },
      ...rest,
    );
  return Object.create(database, { write: { value: write } });
}

/**
 * When run as a program: its arguments are FILE, DATABASE_URL and the number of the statement before which it
 * kills itself.
 */
if (import.meta.main) {
  const [file = "", url = "", last = ""] = process.argv.slice(2);
  let statements = 0;
  const database = observed(await openDatabase(url), () => {
    if (++statements === Number(last)) process.kill(process.pid, "SIGKILL");
  });
  await importAny(database, readFileSync(file));
}
