import { expect, test } from "bun:test";
import { fillFile, inFile, makeEmpty, move } from "../support/databases/moving.ts";
import { createDatabase, sharedCluster } from "../support/databases/postgres.ts";
import { checkIntegrity } from "../support/databases/sqlite.ts";
import { fullRunTest, rounds } from "../support/run/full-run.ts";
import { run, temporaryFolder } from "../support/server/server.ts";

/** Fewer than the goal of 100,000 and 10,000, which these variables are for: MOVE_BOOKMARKS=100000 MOVE_POSTS=10000. */
const BOOKMARKS = Number(process.env.MOVE_BOOKMARKS ?? rounds(1_500, 15_000));
const POSTS = Number(process.env.MOVE_POSTS ?? rounds(150, 1_500));

interface Report {
  readonly from: string;
  readonly to: string;
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly sha256: string }[];
  readonly milliseconds: number;
}

test(`${BOOKMARKS} bookmarks and ${POSTS} posts with comments come back from PostgreSQL with equal checksums`, async () => {
  using folder = temporaryFolder();
  await using database = await createDatabase(await sharedCluster());
  const first = `sqlite:${folder.file("first.db")}`;
  const last = `sqlite:${folder.file("new/folder/last.db")}`;
  await makeEmpty(first);
  fillFile(first, { bookmarks: BOOKMARKS, posts: POSTS });
  await expectSound(first, "--repair");

  const there = await report(first, database.url);
  await expectSound(database.url);
  const back = await report(database.url, last);
  await expectSound(last);
  expect(back.tables).toEqual(there.tables);
  expect(there.tables).toContainEqual({
    name: "bookmarks",
    rows: BOOKMARKS,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(there.tables).toContainEqual({ name: "comments", rows: 3 * POSTS, sha256: expect.anything() });
  if (process.env.MOVE_BOOKMARKS) console.log(`there ${there.milliseconds} ms, back ${back.milliseconds} ms`);

  // By SQLite's own means too, which have nothing of the command's.
  checkIntegrity(folder.file("new/folder/last.db"));
  inFile(first, (one) => {
    one.exec(`attach '${folder.file("new/folder/last.db")}' as other`);
    for (const table of ["bookmarks", "posts", "comments"])
      expect(one.prepare(`select * from main.${table} except select * from other.${table}`).all()).toEqual(
        [],
      );
  });
});

test("a database moves to the same engine, on both engines", async () => {
  using folder = temporaryFolder();
  const cluster = await sharedCluster();
  await using one = await createDatabase(cluster);
  await using other = await createDatabase(cluster);
  const files = ["first.db", "second.db"].map((name) => `sqlite:${folder.file(name)}`);
  const [first = "", second = ""] = files;
  await makeEmpty(first);
  fillFile(first, { bookmarks: 50, posts: 20 });
  const reports = [
    await report(first, second),
    await report(second, one.url),
    await report(one.url, other.url),
  ];
  const [expected] = reports;
  for (const { tables } of reports) expect(tables).toEqual(expected?.tables ?? []);
});

fullRunTest("rows larger than a batch are moved, and text of every kind", async () => {
  using folder = temporaryFolder();
  await using database = await createDatabase(await sharedCluster());
  const first = `sqlite:${folder.file("first.db")}`;
  await makeEmpty(first);
  inFile(first, (file) => {
    const insert = file.prepare(
      "insert into posts (title, content, published, created_at, updated_at) values (?, ?, 1, 0, -1)",
    );
    for (const [title, size] of [
      ["none", 0],
      ["some", 900_000],
      ["many", 2_500_000],
      ["last", 900_000],
    ] as const)
      insert.run(title, 'é😀"\\'.repeat(size / 4));
  });
  const there = await report(first, database.url);
  const back = await report(database.url, `sqlite:${folder.file("last.db")}`);
  expect(back.tables).toEqual(there.tables);
});

/** `commonplace check` finds nothing wrong. */
async function expectSound(url: string, ...words: string[]): Promise<void> {
  const { code, stdout } = await run(["check", ...words], { env: { DATABASE_URL: url } });
  expect({ code, problems: /PROBLEM.*/.exec(stdout)?.[0] }).toEqual({
    code: 0,
    problems: undefined,
  });
}

async function report(from: string, to: string): Promise<Report> {
  const { code, stdout, stderr } = await move(from, to, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Report;
}
