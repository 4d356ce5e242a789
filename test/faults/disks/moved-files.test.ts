import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { checkIntegrity } from "../../support/databases/sqlite.ts";
import { expectRefused } from "../../support/machine/commands.ts";
import { COLLECTION, create, draft, list } from "../../support/records/bookmarks.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { type RunningServer, run, startServer, temporaryFolder } from "../../support/server/server.ts";

describe("A write-ahead log without its database", () => {
  const folder = temporaryFolder();
  const path = folder.file("c.db");
  const moved = folder.file("c.db.moved");
  const DATABASE_URL = `sqlite:${path}`;

  beforeAll(async () => {
    const server = await startServer({ DATABASE_URL });
    await Promise.all(Array.from({ length: 20 }, () => create(sendTo(server.url))));
    await server.kill();
    renameSync(path, moved);
  });
  afterAll(() => folder[Symbol.dispose]());

  const commands = [
    ["serve"],
    ["account", "list"],
    ["import", "-"],
    ["check"],
    ["backup", folder.file("copy.db")],
    ["export", folder.file("export.html")],
  ];

  for (const [situation, prepare] of [
    ["that is gone", () => rmSync(path, { force: true })],
    ["that is empty", () => writeFileSync(path, "")],
  ] as const)
    for (const words of commands)
      test(`${situation} is not changed by ${words[0]}, which says what to do`, async () => {
        prepare();
        const before = contentsOf(folder.path);
        const stdin = '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://example.com/">x</A></DL>';
        const ran = await run(words, { env: { DATABASE_URL, PORT: "0" }, stdin });
        expect(ran.code).not.toBe(0);
        expect(ran.stderr + ran.stdout).toMatch(/belongs to a database that is missing|No database at/);
        expect(contentsOf(folder.path)).toEqual(before);
      });

  test("stops the start with one line, and an exit code after which systemd does not restart it", async () => {
    rmSync(path, { force: true });
    const ran = await run(["serve"], { env: { DATABASE_URL, PORT: "0" } });
    expectRefused(ran, 2, /c\.db-wal belongs to a database that is missing: put \S+c\.db back/);
  });

  test("has lost nothing when the database is moved back", async () => {
    rmSync(path, { force: true });
    renameSync(moved, path);
    const server = await startServer({ DATABASE_URL });
    expect(await list(sendTo(server.url))).toHaveLength(20);
    expect(await server.stop()).toBe(0);
    checkIntegrity(path);
  });
});

test("A new database soon has its records in its file, not only in its log", async () => {
  using folder = temporaryFolder();
  const path = folder.file("young.db");
  const server = await startServer({ DATABASE_URL: `sqlite:${path}` });
  copyFileSync(path, folder.file("new.db"));
  expect(countIn(folder.file("new.db"))).toBe(0);
  for (let batch = 0; batch < 200; batch++) await create(sendTo(server.url));
  copyFileSync(path, folder.file("later.db"));
  expect(countIn(folder.file("later.db"))).toBeGreaterThan(100);
  await server.kill();
});

describe("Under a running server,", () => {
  const folder = temporaryFolder();
  const away = folder.file("away");
  let server: RunningServer;
  let send: Send;
  let databases = 0;
  afterAll(() => folder[Symbol.dispose]());

  async function startOn(path: string): Promise<void> {
    server = await startServer({ DATABASE_URL: `sqlite:${path}` });
    send = sendTo(server.url);
    await create(send);
  }

  const cases: [string, (path: string) => void, ((path: string) => void) | undefined][] = [
    ["a database that is removed", removeAll, undefined],
    ["a database file that is removed", (path) => rmSync(path), undefined],
    ["a database that is renamed", (path) => renameSync(path, away), (path) => renameSync(away, path)],
    ["a write-ahead log that is removed", (path) => rmSync(`${path}-wal`), undefined],
    ["a database that is replaced", replace, undefined],
    [
      "a write-ahead log that is renamed",
      (path) => renameSync(`${path}-wal`, away),
      (path) => renameSync(away, `${path}-wal`),
    ],
  ];

  for (const [situation, spoil, mend] of cases)
    test(`${situation} refuses writes, is not ready, and logs it once`, async () => {
      const path = folder.file(`${databases++}.db`);
      await startOn(path);
      const before = await list(send);
      spoil(path);
      const json = { ...draft, title: "Lost?" };
      for (let attempt = 0; attempt < 3; attempt++) {
        const refused = await send(COLLECTION, { method: "POST", json });
        expect(refused.headers.get("retry-after")).toBe("30");
        const { detail } = await expectProblem(refused, 503);
        expect(detail).toEndWith("Nothing can be stored until it is back or the server is restarted.");
        expect((await send("/readyz")).status).toBe(503);
      }
      expect((await send("/healthz")).status).toBe(200);
      expect(await list(send)).toEqual(before);
      if (mend !== undefined) {
        mend(path);
        expect((await send("/readyz")).status).toBe(200);
        const after = await create(send);
        expect(await list(send)).toEqual([after, ...before]);
      }
      await server.stop();
      expect(server.lines.filter((line) => line.includes("moved, removed or replaced"))).toHaveLength(1);
      if (mend !== undefined) checkIntegrity(path);
    });
});

test("A database that is gone or was emptied is missed, once, when a server starts without it", async () => {
  using folder = temporaryFolder();
  const path = folder.file("c.db");
  const env = { DATABASE_URL: `sqlite:${path}` };
  const warnings = async () => {
    const server = await startServer(env);
    await server.stop();
    return server.lines.filter((line) => line.includes("This is a new, empty site"));
  };
  expect(await warnings()).toEqual([]);
  // The server has left what it locks, and the room that it sets aside.
  rmSync(path);
  expect(await warnings()).toEqual([expect.stringContaining(`${path} is missing, although ${path}-`)]);
  expect(await warnings()).toEqual([]);
  writeFileSync(path, "");
  expect(await warnings()).toEqual([expect.stringContaining(`${path} is empty, although ${path}-`)]);
});

function removeAll(path: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(path + end);
}

/** Replaces a file like rsync and editors: a new file is renamed over it. */
function replace(path: string): void {
  copyFileSync(path, `${path}.new`);
  renameSync(`${path}.new`, path);
}

/** The number of bookmarks in a copy of the database file without its log. */
function countIn(copy: string): number {
  const database = new DatabaseSync(copy);
  try {
    return Number(database.prepare("select count(*) as n from bookmarks").get()?.n);
  } finally {
    database.close();
  }
}

/** The files of a folder and their contents. */
function contentsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => existsSync(`${folder}/${name}`));
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(`${folder}/${name}`).toString("base64")]),
  );
}
