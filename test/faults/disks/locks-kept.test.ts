import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import { checkIntegrity } from "../../support/databases/sqlite.ts";
import { create, list } from "../../support/records/bookmarks.ts";
import { sendTo } from "../../support/requests/send.ts";
import { startServer, temporaryFolder } from "../../support/server/server.ts";

/** The byte of the `-shm` file whose lock tells other processes that the database is in use (SQLite, os_unix.c). */
const DEAD_MAN_SWITCH = 128;

// When a process closes any descriptor of a file, it loses all its locks on that file
// (sqlite.org/howtocorrupt.html, section 2.2). Other processes would then take the database for unused, and
// reset its log under the server.
test.skipIf(process.platform !== "linux")(
  "A server keeps SQLite's locks on its database as long as it runs, whatever it is asked",
  async () => {
    using folder = temporaryFolder();
    const path = folder.file("test.db");
    const server = await startServer({ DATABASE_URL: `sqlite:${path}` });
    const send = sendTo(server.url);
    expect(locksOn(`${path}-shm`, server.pid)).toContain(DEAD_MAN_SWITCH);
    await create(send);
    await list(send);
    await send("/readyz");
    await Promise.all(Array.from({ length: 20 }, () => create(send)));
    expect(locksOn(`${path}-shm`, server.pid)).toContain(DEAD_MAN_SWITCH);
    expect(await server.stop()).toBe(0);
  },
);

test("A server keeps its locks when other processes open and close its database", async () => {
  using folder = temporaryFolder();
  const path = folder.file("test.db");
  const server = await startServer({ DATABASE_URL: `sqlite:${path}` });
  const send = sendTo(server.url);
  const made: BookmarkResponse[] = [];
  let visiting = true;
  const writers = Array.from({ length: 4 }, async () => {
    while (visiting) made.push(await create(send));
  });
  const visitor = join(import.meta.dir, "../../support/databases/open-and-close.ts");
  for (let visit = 0; visit < 6; visit++) {
    const { exited, stderr } = Bun.spawn([process.execPath, visitor, path], { stderr: "pipe" });
    expect([await exited, await new Response(stderr).text()]).toEqual([0, ""]);
  }
  visiting = false;
  await Promise.all(writers);
  expect((await list(send)).toSorted(byId)).toEqual(made.toSorted(byId));
  expect(await server.stop()).toBe(0);
  checkIntegrity(path);
});

function byId(one: BookmarkResponse, other: BookmarkResponse): number {
  return one.id - other.id;
}

/** The first bytes of the ranges of a file that a process has locked (proc_locks(5)). */
function locksOn(path: string, pid: number): number[] {
  const { ino } = statSync(path);
  const fields = readFileSync("/proc/locks", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
  return fields
    .filter(([, , , , owner, file]) => Number(owner) === pid && file?.endsWith(`:${ino}`))
    .map(([, , , , , , start]) => Number(start));
}
