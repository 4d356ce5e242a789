import { expect, test } from "bun:test";
import { checkIntegrity } from "../../support/databases/sqlite.ts";
import { bookmarkIn, COLLECTION, fill, list } from "../../support/records/bookmarks.ts";
import { sendTo } from "../../support/requests/send.ts";
import { run, startServer, temporaryFolder } from "../../support/server/server.ts";

const WRITERS = 8;
/** Enough that the copy takes many steps, with commits of the writers in between. */
const ROWS = 40_000;

test("A backup under full write load holds everything that was confirmed before it began, and is restored whole", async () => {
  using folder = temporaryFolder();
  const settings = { DATABASE_URL: `sqlite:${folder.file("test.db")}` };
  await fill(settings.DATABASE_URL, ROWS, 500);
  const server = await startServer(settings);
  const send = sendTo(server.url);
  const confirmed: number[] = [];
  let writing = true;
  let enough = () => {};
  const writer = async (name: number) => {
    for (let count = 0; writing; count++) {
      const json = {
        title: `writer ${name}, ${count}`,
        url: "https://example.com/",
        description: "x".repeat(2_000),
      };
      const response = await send(COLLECTION, { method: "POST", json });
      expect(response.status).toBe(201);
      confirmed.push((await bookmarkIn(response)).id);
      if (confirmed.length === 200) enough();
    }
  };
  const { promise: underWay, resolve } = Promise.withResolvers<void>();
  enough = resolve;
  const writers = Array.from({ length: WRITERS }, (_, name) => writer(name));
  await underWay;

  const before = confirmed.slice();
  const backup = await run(["backup", folder.file("backup.db")], { env: settings });
  const during = confirmed.length - before.length;
  writing = false;
  await Promise.all(writers);
  await server.kill();
  expect(backup).toMatchObject({ code: 0, stderr: "" });
  expect(during).toBePositive();
  checkIntegrity(folder.file("backup.db"));

  const restored = { DATABASE_URL: `sqlite:${folder.file("restored.db")}` };
  expect(await run(["restore", folder.file("backup.db")], { env: restored })).toMatchObject({ code: 0 });
  expect(await run(["check"], { env: restored })).toMatchObject({ code: 0, stderr: "" });
  const again = await startServer(restored);
  const found = new Set((await list(sendTo(again.url))).map(({ id }) => id));
  expect(before.filter((id) => !found.has(id))).toEqual([]);
  expect(found.size).toBeGreaterThanOrEqual(ROWS + before.length);
  expect(found.size).toBeLessThanOrEqual(ROWS + confirmed.length);
  expect(await again.stop()).toBe(0);
  console.log(`${before.length} writes confirmed before the backup, ${during} during it`);
});
