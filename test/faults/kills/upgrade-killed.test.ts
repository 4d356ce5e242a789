import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isSqlite, pathOf, placeEarlier, readerOf } from "../../support/databases/earlier.ts";
import { smallDisks } from "../../support/databases/small-disk.ts";
import { checkIntegrity } from "../../support/databases/sqlite.ts";
import { expectRefused } from "../../support/machine/commands.ts";
import { engines } from "../../support/server/engines.ts";
import { COMMAND, run, temporaryFolder } from "../../support/server/server.ts";

const ROUNDS = 12;
/** The bookmarks that the database has, and those that are added. */
const OWN_ROWS = 62;
const ROWS = 20_000;

/** A command that opens the database. */
const OPENS = ["account", "list"];

/** What takes away root's right to write everywhere. */
const bound = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];

test.each(engines)(
  `An upgrade that is killed ${ROUNDS} times leaves the complete earlier database or the complete new one ($name)`,
  async ({ name, createEmptyDatabase }) => {
    await using toEnd = new AsyncDisposableStack();
    const left = { earlier: 0, new: 0 };
    const another = async () => {
      const { url } = toEnd.use(await createEmptyDatabase());
      await placeEarlier(url);
      await enlarge(url);
      return url;
    };
    const start = performance.now();
    expect(await run(OPENS, { env: { DATABASE_URL: await another() } })).toMatchObject({ code: 0 });
    const took = performance.now() - start;
    let url = await another();
    for (let round = 0; round < ROUNDS; round++) {
      // The last one is left to the upgrade that succeeds.
      if (isSqlite(url)) for (const copy of copiesOf(url)) rmSync(join(dirname(pathOf(url)), copy));
      const child = Bun.spawn([COMMAND, ...OPENS], {
        env: { PATH: process.env.PATH ?? "", DATABASE_URL: url },
        stdio: ["ignore", "ignore", "ignore"],
      });
      // On SQLite from the moment on at which it writes, since that is the shorter part.
      while (isSqlite(url) && child.exitCode === null && copiesOf(url).length === 0) await sleep(1);
      await sleep(((round + Math.random()) / ROUNDS) * took * (isSqlite(url) ? 0.5 : 1.2));
      child.kill("SIGKILL");
      await child.exited;
      const isNew = await isUpgraded(url);
      left[isNew ? "new" : "earlier"]++;
      if (isNew) url = await another();
    }
    expect(await run(OPENS, { env: { DATABASE_URL: url } })).toMatchObject({ code: 0, stderr: "" });
    expect(await isUpgraded(url)).toBe(true);
    if (isSqlite(url)) expect(copiesOf(url)).toEqual([]);
    console.log(
      `killed ${ROUNDS} times on ${name}: ${left.earlier} times the earlier one, ${left.new} times the new one`,
    );
  },
);

for (const kind of smallDisks) {
  test(`Without room for a copy, the upgrade is refused and changes nothing (${kind.name})`, async () => {
    // The copy is larger than the first limit, and the two together than the second.
    using disk = kind.make(kind === smallDisks[0] ? 500_000 : 1_000_000);
    const path = join(disk.path, "small.db");
    await placeEarlier(`sqlite:${path}`);
    const { under } = disk;
    expectRefused(
      await run(OPENS, { env: { DATABASE_URL: `sqlite:${path}` }, under }),
      1,
      /disk (?:space|is full)/,
    );
    expect(readdirSync(disk.path)).toEqual(["small.db"]);
    expect(await isUpgraded(`sqlite:${path}`, OWN_ROWS)).toBe(false);
  });
}

test("In a folder that cannot be written to, the upgrade is refused and changes nothing", async () => {
  using folder = temporaryFolder();
  mkdirSync(folder.file("locked"));
  const path = folder.file("locked/test.db");
  await placeEarlier(`sqlite:${path}`);
  const before = readFileSync(path);
  chmodSync(folder.file("locked"), 0o555);
  const refused = await run(OPENS, { env: { DATABASE_URL: `sqlite:${path}` }, under: bound });
  expectRefused(refused, 1, /cannot be/);
  chmodSync(folder.file("locked"), 0o755);
  expect(readFileSync(path).equals(before)).toBe(true);
});

/** Adds bookmarks as a client of the earlier program would, so that the upgrade takes longer. */
async function enlarge(url: string): Promise<void> {
  await using reader = readerOf(url);
  const numbers = isSqlite(url)
    ? `(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${ROWS}) select n from numbers)`
    : `generate_series(1, ${ROWS}) as numbers (n)`;
  await reader.all(`insert into bookmarks (title, url, description, created_at, updated_at)
    select 'More ' || n, 'https://more.example/' || n, 'More and more', m.at, m.at from ${numbers},
      (select max(created_at) as at from bookmarks) as m`);
  if (isSqlite(url)) await reader.all("pragma wal_checkpoint(truncate)");
}

/** The files of an upgrade that has not ended. */
function copiesOf(url: string): string[] {
  return readdirSync(dirname(pathOf(url))).filter((file) => file.includes(".upgrading"));
}

/** Whether a whole database has the present schema. It waits for an upgrade whose process is gone. */
async function isUpgraded(url: string, rows = OWN_ROWS + ROWS): Promise<boolean> {
  if (isSqlite(url)) checkIntegrity(pathOf(url));
  await using reader = readerOf(url);
  const [row] = await reader.all("select count(*) as n from bookmarks");
  expect(Number(row?.n)).toBe(rows);
  return (await reader.all("select 1 from meta where name = 'schema'")).length > 0;
}
