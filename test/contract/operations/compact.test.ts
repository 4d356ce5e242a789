import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { countChange } from "../../../src/bookmarks/bookmark-store.ts";
import { indexedBookmarks } from "../../../src/bookmarks/search/indexed-bookmarks.ts";
import { openSqlite } from "../../../src/database/sqlite/sqlite.ts";
import { createIndexer } from "../../../src/indexer.ts";
import { Log } from "../../../src/log.ts";
import { openBeside } from "../../support/databases/database.ts";
import { createDatabase, sharedCluster } from "../../support/databases/postgres.ts";
import { checkIntegrity } from "../../support/databases/sqlite.ts";
import { expectRefused } from "../../support/machine/commands.ts";
import { create, fill, list } from "../../support/records/bookmarks.ts";
import { sendTo } from "../../support/requests/send.ts";
import { run, startServer, temporaryFolder } from "../../support/server/server.ts";

const MEBIBYTE = 1024 * 1024;

describe("commonplace compact", () => {
  const folder = temporaryFolder();
  afterAll(() => folder[Symbol.dispose]());

  test("returns the space of deleted records while the server is running", async () => {
    const path = folder.file("large.db");
    const url = `sqlite:${path}`;
    const server = await startServer({ DATABASE_URL: url });
    const send = sendTo(server.url);
    await fill(url, 5_000, 1_000);
    const database = await openBeside(url);
    await database.write(async (sql) => {
      await sql`delete from bookmarks where id > 10`;
      await countChange(sql, 4_990, -4_990);
    });
    await database.close();
    const before = await list(send);
    expect(statSync(path).size).toBeGreaterThan(5 * MEBIBYTE);

    const { code, stdout, stderr } = await run(["compact"], { env: { DATABASE_URL: url } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Compacted \S+large\.db: \d+\.\d MB before, 0\.\d MB now\.\n$/);
    expect(statSync(path).size).toBeLessThan(MEBIBYTE);
    expect(statSync(`${path}-wal`).size).toBeLessThan(MEBIBYTE);

    expect(await list(send)).toEqual(before);
    const added = await create(send);
    expect(await list(send)).toEqual([added, ...before]);
    expect((await send("/readyz")).status).toBe(200);
    expect(await server.stop()).toBe(0);
    checkIntegrity(path);
  });

  test("also frees search entries of records that were deleted while no server was running", async () => {
    const path = folder.file("indexed.db");
    const url = `sqlite:${path}`;
    await openSqlite(path).then((created) => created.close());
    await fill(url, 2_000, 1_000);
    const database = await openBeside(url);
    const indexer = createIndexer(database, new Log({ level: "silent", format: "json" }));
    await indexer.finish(indexedBookmarks);
    await database.write(async (sql) => {
      await sql`delete from bookmarks where id > 10`;
      await countChange(sql, 1_990, -1_990);
      await sql`update bookmarks set title = 'Changed' where id = 1`;
    });
    await database.close();
    expect((await run(["compact"], { env: { DATABASE_URL: url } })).code).toBe(0);
    expect(statSync(path).size).toBeLessThan(MEBIBYTE);

    const compacted = await openBeside(url);
    const [found] = await compacted.read<{ entries: number; marks: number }>`
      select (select count(*) from search_bookmarks) as entries, (select count(*) from search_pending) as marks`;
    await compacted.close();
    // What is to be indexed stays so.
    expect(found).toEqual({ entries: 10, marks: 1 });
    const { code, stdout } = await run(["check"], { env: { DATABASE_URL: url } });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("No problems found.") });
  });

  test("is refused without a database, and on PostgreSQL, with the alternative", async () => {
    const missing = { DATABASE_URL: `sqlite:${folder.file("missing.db")}` };
    expectRefused(await run(["compact"], { env: missing }), 1, /No database at \S+missing\.db/);
    expect(readdirSync(folder.path)).not.toContain("missing.db");
    await using database = await createDatabase(await sharedCluster());
    expectRefused(await run(["compact"], { env: { DATABASE_URL: database.url } }), 2, /vacuum full/);
  });
});
