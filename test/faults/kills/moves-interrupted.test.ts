import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import {
  begun,
  everything,
  expectInUse,
  fillFile,
  makeEmpty,
  move,
  pathOf,
  spawnMove,
  tablesOf,
  untilUndone,
} from "../../support/databases/moving.ts";
import { type Cluster, createDatabase, sharedCluster } from "../../support/databases/postgres.ts";
import { expectRefused } from "../../support/machine/commands.ts";
import { until } from "../../support/machine/until.ts";
import { COMMIT, TcpProxy } from "../../support/requests/tcp-proxy.ts";
import { run, temporaryFolder } from "../../support/server/server.ts";

const SOME = { bookmarks: 2_000, posts: 500 };
/** Enough records that a move is interrupted before it ends. */
const MANY = { bookmarks: 15_000, posts: 1_000 };

describe("A move that is interrupted", () => {
  const toEnd = new AsyncDisposableStack();
  let cluster: Cluster;
  let folder: ReturnType<typeof temporaryFolder>;
  let source: string;
  let before: ReturnType<typeof everything>;
  let files = 0;

  beforeAll(async () => {
    cluster = await sharedCluster();
    folder = toEnd.use(temporaryFolder());
    source = await filledFile();
    before = everything(source);
  });
  afterAll(() => toEnd.disposeAsync());

  /** Creates a filled SQLite database in a folder of its own. */
  async function filledFile(counts = SOME): Promise<string> {
    const url = `sqlite:${folder.file(`${++files}/source.db`)}`;
    await makeEmpty(url);
    fillFile(url, counts);
    return url;
  }

  const emptyDatabase = async () => toEnd.use(await createDatabase(cluster));

  test("by SIGKILL at any moment leaves PostgreSQL empty, and succeeds when it is run again", async () => {
    const origin = await filledFile();
    const before = everything(origin);
    const { url, name } = await emptyDatabase();
    const start = performance.now();
    const uninterrupted = await emptyDatabase();
    const other = await filledFile();
    expect(await move(other, uninterrupted.url)).toMatchObject({ code: 0 });
    const duration = performance.now() - start;

    for (let round = 0; round < 3; round++) {
      const child = spawnMove(origin, url);
      await Bun.sleep(Math.random() * duration * 0.8);
      child.kill("SIGKILL");
      // A move that is already complete stays.
      if ((await child.exited) === 0) break;
      await untilUndone(cluster, name);
      if ((await tablesOf(cluster, name)).length > 0) break;
      await expectInUse(origin);
      expect(everything(origin)).toEqual(before);
    }
    const { code, stderr } = await move(origin, url);
    // The kill may come between the last commit and the end of the process.
    if (code !== 0) expect(stderr).toMatch(/is not empty/);
    await expectInUse(url);
    await expect(expectInUse(origin)).rejects.toThrow(/was moved to/);
  });

  test("by SIGKILL at any moment leaves no SQLite file, and the next move deletes the partial one", async () => {
    const { url } = await emptyDatabase();
    const first = await filledFile(MANY);
    expect(await move(first, url)).toMatchObject({ code: 0 });
    const target = `sqlite:${folder.file("killed/target.db")}`;
    for (const delay of [0, 50, 150]) {
      const child = spawnMove(url, target);
      await until("its file is begun", async () => begun(target).length > 0);
      await Bun.sleep(delay);
      child.kill("SIGKILL");
      if ((await child.exited) === 0) break;
      expect(existsSync(pathOf(target))).toBe(false);
      await expectInUse(url);
    }
    expect(await move(url, target)).toMatchObject({ code: 0, stderr: "" });
    expect(begun(target)).toEqual([]);
    await expectInUse(target);
  });

  test("by a lost connection to the target leaves the target empty", async () => {
    const { name } = await emptyDatabase();
    await using proxy = await TcpProxy.start(cluster.server.port);
    const url = cluster.server.url(name, proxy.port);
    for (const text of ["create table bookmarks", 'insert into "posts"', "octet_length"]) {
      proxy.cutAt(text, "before");
      expectRefused(
        await move(source, url),
        1,
        /postgres:.*: The database cannot be reached.* Nothing was moved\.$/m,
      );
      await untilUndone(cluster, name);
      expect(await tablesOf(cluster, name)).toEqual([]);
      await expectInUse(source);
    }
    expect(everything(source)).toEqual(before);
  });

  test("by a lost connection around the last commits is finished by running it again", async () => {
    const { name } = await emptyDatabase();
    const origin = await filledFile();
    await using proxy = await TcpProxy.start(cluster.server.port);
    const url = cluster.server.url(name, proxy.port);

    // The source is sealed, and the target empty: neither is in use, and both can be again.
    const sealed = /source\.db is sealed: unless the new database is there already, run the move again\.$/m;
    for (let round = 0; round < 2; round++) {
      proxy.cutAt(COMMIT, "before");
      expectRefused(await move(origin, url), 1, sealed);
      await untilUndone(cluster, name);
      expect(await tablesOf(cluster, name)).toEqual([]);
      await expect(expectInUse(origin)).rejects.toThrow(/was moved to postgres:/);
    }
    expect(await run(["move", "--reopen"], { env: { DATABASE_URL: origin } })).toMatchObject({ code: 0 });
    await expectInUse(origin);

    // The target has committed, but its response was lost: it is in use, and the source is not.
    proxy.cutAt(COMMIT, "after");
    expectRefused(await move(origin, url), 1, sealed);
    await expectInUse(url);
    await expect(expectInUse(origin)).rejects.toThrow(/was moved to postgres:/);
    expectRefused(await move(origin, url), 1, /is not empty.* unless the new database is there already/);
  });

  test("after its commits is complete", async () => {
    const { name } = await emptyDatabase();
    const origin = await filledFile();
    await using proxy = await TcpProxy.start(cluster.server.port);
    const url = cluster.server.url(name, proxy.port);
    proxy.cutAt("analyze", "before");
    expect(await move(origin, url)).toMatchObject({ code: 0, stderr: "" });
    await expectInUse(url);
  });

  test("by a lost connection to the source leaves no file, and the source stays in use", async () => {
    const { name } = await emptyDatabase();
    const origin = await filledFile();
    await using proxy = await TcpProxy.start(cluster.server.port);
    const url = cluster.server.url(name, proxy.port);
    expect(await move(origin, url)).toMatchObject({ code: 0 });
    const target = `sqlite:${folder.file("lost/target.db")}`;
    for (const text of ["json_build_array", "add constraint", COMMIT]) {
      proxy.cutAt(text, "before");
      expectRefused(
        await move(url, target),
        1,
        /postgres:.*: The database cannot be reached.* Nothing was moved\.$/m,
      );
      expect(readdirSync(folder.file("lost"))).toEqual([]);
      await untilUndone(cluster, name);
      await expectInUse(url);
    }
    const other = await emptyDatabase();
    proxy.cutAt(COMMIT, "before");
    expectRefused(await move(url, other.url), 1, /Nothing was moved\.$/m);
    expect(await tablesOf(cluster, other.name)).toEqual([]);
    await untilUndone(cluster, name);
    await expectInUse(url);

    // The commit in the source succeeded, but its response was lost: it is sealed for this target only.
    proxy.cutAt(COMMIT, "after");
    expectRefused(await move(url, target), 1, /Nothing was moved\.$/m);
    await expect(expectInUse(url)).rejects.toThrow(/was moved to sqlite:/);
    expectRefused(
      await move(url, `${target}x`),
      1,
      /was moved to sqlite:.*target\.db: later changes are only there/,
    );
    expect(await move(url, target)).toMatchObject({ code: 0, stderr: "" });
    await expectInUse(target);
  });
});
