import { expect, test } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { openDatabase } from "../../../src/database/open.ts";
import { nameOf } from "../../../src/database/schema/schema.ts";
import {
  isSqlite,
  nextIds,
  pathOf,
  placeFirst,
  readerOf,
  rowsOf,
  shapeOf,
} from "../../support/databases/earlier.ts";
import { ONE_STEP_MORE } from "../../support/databases/made-up-steps.ts";
import { smallDisks } from "../../support/databases/small-disk.ts";
import { checkIntegrity } from "../../support/databases/sqlite.ts";
import { canTrace } from "../../support/machine/strace.ts";
import { engines } from "../../support/server/engines.ts";
import { temporaryFolder } from "../../support/server/server.ts";

const PROGRAM = join(import.meta.dir, "../../support/databases/made-up-steps.ts");

/** What takes away root's right to write everywhere. */
const bound = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];

/** Opens the database with a step more, which takes it. */
async function upgrade(
  url: string,
  { under = [], last = "" }: { under?: readonly string[]; last?: string } = {},
) {
  const child = Bun.spawn([...under, process.execPath, PROGRAM, url, last], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const stderr = await new Response(child.stderr).text();
  await child.exited;
  return { isKilled: child.signalCode === "SIGKILL", code: child.exitCode, stderr };
}

interface State {
  readonly schema: unknown;
  readonly shape: readonly string[];
  readonly rows: ReadonlyMap<string, readonly string[]>;
  readonly ids: ReadonlyMap<string, number>;
}

async function stateOf(url: string): Promise<State> {
  if (isSqlite(url)) checkIntegrity(pathOf(url));
  await using reader = readerOf(url);
  // On PostgreSQL this waits for the transaction of a process that is gone.
  const [row] = await reader.all("select value from meta where name = 'schema'");
  return { schema: row?.value, shape: await shapeOf(url), rows: await rowsOf(url), ids: await nextIds(url) };
}

test.each(engines)(
  "An upgrade that is killed before each of its statements leaves the whole earlier database ($name)",
  async ({ createEmptyDatabase }) => {
    await using place = await createEmptyDatabase();
    const { url } = place;
    await placeFirst(url);
    // Every table has rows: jobs, uploads, undo records and imports that have not ended, too.
    await (await openDatabase(url)).close();
    const before = await stateOf(url);
    let kills = 0;
    let end = await upgrade(url, { last: "1" });
    for (; end.isKilled; end = await upgrade(url, { last: String(kills + 1) })) {
      expect([kills, await stateOf(url)]).toEqual([kills, before]);
      kills++;
    }
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(kills).toBeGreaterThan(8);
    expect((await stateOf(url)).schema).toBe(nameOf(ONE_STEP_MORE));
    if (isSqlite(url)) expect(copiesOf(url)).toEqual([]);
  },
);

/** The calls that change a file, or its name, and how many rounds each has at most. */
const CALLS = [
  { calls: "?link,?linkat,?rename,?renameat,?renameat2,?unlink,?unlinkat,fsync,fdatasync", most: 100 },
  { calls: "pwrite64,ftruncate", most: 15 },
];

test.skipIf(!canTrace)(
  "An upgrade of a file that is killed at any change of a file leaves the whole earlier database or the whole new one",
  async () => {
    using folder = temporaryFolder();
    const origin = folder.file("origin/test.db");
    mkdirSync(dirname(origin));
    await placeFirst(`sqlite:${origin}`);
    await (await openDatabase(`sqlite:${origin}`)).close();
    const before = await stateOf(`sqlite:${origin}`);
    const left = { earlier: 0, new: 0 };
    let after: State | undefined;
    let rounds = 0;
    for (const { calls, most } of CALLS) {
      const total = await numberOf(calls, await another());
      for (let at = 1; at <= total; at += Math.ceil(total / most)) {
        const url = await another();
        const killing = [
          "strace",
          "-f",
          "-qq",
          "-o",
          "/dev/null",
          "-e",
          `trace=${calls}`,
          "-e",
          `inject=${calls}:signal=KILL:when=${at}`,
        ];
        await upgrade(url, { under: killing });
        const state = await stateOf(url);
        if (state.schema === before.schema) expect([at, state]).toEqual([at, before]);
        left[state.schema === before.schema ? "earlier" : "new"]++;
        await (await openDatabase(url, { schema: ONE_STEP_MORE })).close();
        const now = await stateOf(url);
        after ??= now;
        expect([at, now]).toEqual([at, after]);
        expect(copiesOf(url)).toEqual([]);
        rmSync(dirname(pathOf(url)), { recursive: true });
      }
    }
    expect(after?.schema).toBe(nameOf(ONE_STEP_MORE));
    expect(left.earlier).toBeGreaterThan(10);
    expect(left.new).toBeGreaterThan(0);
    console.log(
      `killed ${left.earlier + left.new} times: ${left.earlier} times the earlier one, ${left.new} times the new one`,
    );

    async function another(): Promise<string> {
      const path = folder.file(`${++rounds}/test.db`);
      mkdirSync(dirname(path));
      copyFileSync(origin, path);
      return `sqlite:${path}`;
    }

    /** How often an upgrade that nobody kills makes one of these calls. */
    async function numberOf(calls: string, url: string): Promise<number> {
      const trace = folder.file("trace");
      await upgrade(url, {
        under: ["strace", "-f", "-qq", "-o", trace, "-e", `trace=${calls}`, "-e", "signal=none"],
      });
      return readFileSync(trace, "utf8")
        .split("\n")
        .filter((line) => /^\d+ +\w+\(/.test(line)).length;
    }
  },
);

for (const kind of smallDisks) {
  test(`Without room for a copy, the upgrade is refused and changes nothing (${kind.name})`, async () => {
    // The copy is larger than the first limit, and the two together than the second.
    using disk = kind.make(kind === smallDisks[0] ? 500_000 : 1_000_000);
    const url = `sqlite:${join(disk.path, "small.db")}`;
    await placeFirst(url);
    const before = await stateOf(url);
    const { under } = disk;
    const { code, stderr } = await upgrade(url, { under });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/disk (?:space|is full)/);
    expect(readdirSync(disk.path)).toEqual(["small.db"]);
    expect(await stateOf(url)).toEqual(before);
  });
}

test("In a folder that cannot be written to, the upgrade is refused and changes nothing", async () => {
  using folder = temporaryFolder();
  mkdirSync(folder.file("locked"));
  const url = `sqlite:${folder.file("locked/test.db")}`;
  await placeFirst(url);
  const before = readFileSync(pathOf(url));
  chmodSync(folder.file("locked"), 0o555);
  const { code, stderr } = await upgrade(url, { under: bound });
  chmodSync(folder.file("locked"), 0o755);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/cannot be/);
  expect(readFileSync(pathOf(url)).equals(before)).toBe(true);
});

/** The files of an upgrade that has not ended. */
function copiesOf(url: string): string[] {
  return readdirSync(dirname(pathOf(url))).filter((file) => file.includes(".upgrading"));
}
