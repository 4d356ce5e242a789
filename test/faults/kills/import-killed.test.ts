import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../../../src/database/open.ts";
import { COMMAND, run, temporaryFolder } from "../../support/server/server.ts";

/** Storing them takes several times as long as the longest delay of a kill. */
const ROWS = 20_000;

test("an import that is killed while it stores leaves no rows, and can be repeated", async () => {
  using folder = temporaryFolder();
  const path = folder.file("test.db");
  const env = { PATH: process.env.PATH ?? "", DATABASE_URL: `sqlite:${path}` };
  writeFileSync(folder.file("big.html"), bigExport());
  await (await openDatabase(env.DATABASE_URL)).close();

  for (const delay of [0, 100, 300]) {
    const child = Bun.spawn([COMMAND, "import", folder.file("big.html")], {
      env,
      stdio: ["ignore", "ignore", "ignore"],
    });
    await untilStoring(path);
    await sleep(delay);
    child.kill("SIGKILL");
    await child.exited;
    expect(child.signalCode).toBe("SIGKILL");
    expect(contents(path)).toEqual({ bookmarks: 0, imports: 0, rows: 0, integrity: "ok" });
  }

  expect(await run(["import", folder.file("big.html")], { env })).toMatchObject({ code: 0 });
  expect(contents(path)).toEqual({ bookmarks: ROWS, imports: 1, rows: ROWS, integrity: "ok" });
});

function bigExport(): string {
  const rows = Array.from(
    { length: ROWS },
    (_, n) =>
      `<DT><A HREF="https://example.com/${n}" ADD_DATE="${1_456_433_748 + n}" TAGS="web">Bookmark ${n}</A>\n`,
  );
  return `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${rows.join("")}</DL><p>\n`;
}

/**
 * Opening takes the write lock too, but only briefly. A lock that is held longer means that the import is
 * storing.
 */
async function untilStoring(path: string): Promise<void> {
  const database = new DatabaseSync(path, { timeout: 0 });
  for (let held = 0; held < 10; held = isLocked(database) ? held + 1 : 0) await sleep(5);
  database.close();
}

function isLocked(database: DatabaseSync): boolean {
  try {
    database.exec("begin immediate");
  } catch {
    return true;
  }
  database.exec("rollback");
  return false;
}

function contents(path: string) {
  const database = new DatabaseSync(path);
  const value = (query: string) => Object.values(database.prepare(query).get() ?? {})[0];
  const found = {
    bookmarks: value("select count(*) from bookmarks"),
    imports: value("select count(*) from imports"),
    rows: value("select count(*) from import_rows"),
    integrity: value("pragma integrity_check"),
  };
  database.close();
  return found;
}
