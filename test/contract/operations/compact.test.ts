import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { countChange } from "../../../src/bookmarks/bookmark-store.ts";
import { removeEntries } from "../../../src/search/index/entries.ts";
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
      const ids = Array.from({ length: 4_990 }, (_, index) => index + 11);
      await removeEntries(sql, { name: "bookmarks" }, ids);
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

  test("is refused without a database, and on PostgreSQL, with the alternative", async () => {
    const missing = { DATABASE_URL: `sqlite:${folder.file("missing.db")}` };
    expectRefused(await run(["compact"], { env: missing }), 1, /No database at \S+missing\.db/);
    expect(readdirSync(folder.path)).not.toContain("missing.db");
    await using database = await createDatabase(await sharedCluster());
    expectRefused(await run(["compact"], { env: { DATABASE_URL: database.url } }), 2, /vacuum full/);
  });
});
