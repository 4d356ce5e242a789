import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  begun,
  expectInUse,
  fillFile,
  makeEmpty,
  spawnMove,
  tablesOf,
  untilUndone,
} from "../support/databases/moving.ts";
import { type Cluster, createDatabase, sharedCluster } from "../support/databases/postgres.ts";
import { smallDisks } from "../support/databases/small-disk.ts";
import { expectRefused } from "../support/machine/commands.ts";
import { Terminal } from "../support/machine/terminal.ts";
import { until } from "../support/machine/until.ts";
import { run, temporaryFolder } from "../support/server/server.ts";

/** So many that a move of them does not end before it is interrupted. */
const MANY = { bookmarks: 40_000, posts: 1_000 };

describe("A move that is interrupted", () => {
  const toEnd = new AsyncDisposableStack();
  let cluster: Cluster;
  let folder: ReturnType<typeof temporaryFolder>;
  let large: string;

  beforeAll(async () => {
    cluster = await sharedCluster();
    folder = toEnd.use(temporaryFolder());
    large = `sqlite:${folder.file("source/source.db")}`;
    await makeEmpty(large);
    fillFile(large, MANY);
  });
  afterAll(() => toEnd.disposeAsync());

  const emptyDatabase = async () => toEnd.use(await createDatabase(cluster));

  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)
    test(`by ${signal} reports it, exits with ${code} and leaves nothing behind`, async () => {
      const target = `sqlite:${folder.file(`${signal}/target.db`)}`;
      const child = spawnMove(large, target);
      await until("a file is begun", async () => begun(target).length > 0);
      child.kill(signal);
      expect(await child.exited).toBe(code);
      expect(await new Response(child.stderr).text()).toBe("commonplace: Interrupted. Nothing was moved.\n");
      expect(readdirSync(folder.file(signal))).toEqual([]);
      await expectInUse(large);
    });

  test("by Ctrl-C on a terminal, where it shows its progress, exits with 130 and leaves nothing behind", async () => {
    const { url, name } = await emptyDatabase();
    using terminal = new Terminal(["move", "--from", large, "--to", url], {});
    await terminal.shows("Copying");
    terminal.type("\u0003");
    expect(await terminal.exited).toBe(130);
    await untilUndone(cluster, name);
    expect(await tablesOf(cluster, name)).toEqual([]);
    await expectInUse(large);
  });

  for (const kind of smallDisks)
    test(`by a disk that is full (${kind.name}) leaves no file`, async () => {
      using disk = kind.make(2 * 1024 * 1024);
      const target = join(disk.path, "target.db");
      const ran = await run(["move", "--from", large, "--to", `sqlite:${target}`], { under: disk.under });
      expectRefused(
        ran,
        1,
        /(?:The disk is full|the disk may be full|its file system is read-only)\. Nothing was moved\.$/m,
      );
      expect(readdirSync(disk.path)).toEqual([]);
      await expectInUse(large);
    });
});
