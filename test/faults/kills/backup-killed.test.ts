import { expect, test } from "bun:test";
import { closeSync, existsSync, openSync, readdirSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { checkIntegrity } from "../../support/databases/sqlite.ts";
import { until } from "../../support/machine/until.ts";
import { fill } from "../../support/records/bookmarks.ts";
import { COMMAND, run, temporaryFolder } from "../../support/server/server.ts";

const ROWS = 20_000;
const ROUNDS = 8;

test(`A backup that is killed ${ROUNDS} times leaves no partial file under its name, and nothing for long`, async () => {
  using folder = temporaryFolder();
  const env = { DATABASE_URL: `sqlite:${folder.file("test.db")}` };
  await fill(env.DATABASE_URL, ROWS, 500);
  const target = folder.file("backup.db");
  const took = await timed(() => run(["backup", target, "--force"], { env }));
  const { size } = statSync(target);
  for (let round = 0; round < ROUNDS; round++) {
    await killed(["backup", target, "--force"], { folder: folder.path, env }, took * Math.random());
    expect(statSync(target).size).toBe(size);
    checkIntegrity(target);
    expect(countOf(target)).toBe(ROWS);
  }
  expect(await run(["backup", target, "--force"], { env })).toMatchObject({ code: 0, stderr: "" });
  expect(partials(folder.path)).toEqual([]);
  expect(countOf(folder.file("test.db"))).toBe(ROWS);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)(
  "A file that is being written is gone when it is interrupted, at whatever moment: %s",
  async (signal, code) => {
    using folder = temporaryFolder();
    const env = { DATABASE_URL: `sqlite:${folder.file("test.db")}` };
    await fill(env.DATABASE_URL, ROWS, 500);
    for (const command of ["export", "backup"])
      for (let round = 0; round < ROUNDS; round++) {
        const child = Bun.spawn([COMMAND, command, folder.file("written")], {
          env: { PATH: process.env.PATH ?? "", ...env },
          stdio: ["ignore", "ignore", "ignore"],
        });
        // Every other round interrupts the command as soon as the partial file exists.
        while (child.exitCode === null && partials(folder.path).length === 0) await setImmediate();
        if (round % 2 === 1) await sleep(Math.random() * 4);
        child.kill(signal);
        expect(await child.exited).toBe(code);
        expect(readdirSync(folder.path).filter((name) => name.includes("written"))).toEqual([]);
      }
  },
);

test("A backup to an unread pipe leaves nothing behind after a kill, once another backup is made", async () => {
  using folder = temporaryFolder();
  using temporary = temporaryFolder();
  const env = { DATABASE_URL: `sqlite:${folder.file("test.db")}`, TMPDIR: temporary.path };
  await fill(env.DATABASE_URL, 2_000, 500);
  const pipe = folder.file("pipe");
  Bun.spawnSync(["mkfifo", pipe]);
  // Opened for reading and writing, so that the pipe has a reader that never reads: the backup cannot finish.
  const unread = openSync(pipe, "r+");
  const child = Bun.spawn([COMMAND, "backup", "-"], {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["ignore", unread, "ignore"],
  });
  const staged = () => readdirSync(temporary.path).length;
  await until("the backup is being staged", async () => staged() === 1);
  child.kill("SIGKILL");
  await child.exited;
  closeSync(unread);
  expect(staged()).toBe(1);
  expect(await run(["backup", "-"], { env })).toMatchObject({ code: 0 });
  expect(staged()).toBe(0);
});

test(`A restore that is killed ${ROUNDS} times leaves the complete old database or the complete new one`, async () => {
  using folder = temporaryFolder();
  const path = folder.file("test.db");
  const env = { DATABASE_URL: `sqlite:${path}` };
  await fill(env.DATABASE_URL, ROWS, 500);
  await run(["backup", folder.file("backup.db")], { env });
  const started = { old: 0, new: 0 };
  let took = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    // Makes the database differ from the backup.
    const writer = new DatabaseSync(path);
    writer.exec("pragma journal_mode = wal; delete from bookmarks where id = 1");
    const words = ["restore", "--force", folder.file("backup.db")];
    writer.close();
    if (round === 0) took = await timed(() => run(words, { env }));
    else await killed(words, { folder: folder.path, env }, took * Math.random());
    checkIntegrity(path);
    const count = countOf(path);
    started[count === ROWS ? "new" : "old"]++;
    expect(count === ROWS || count === ROWS - 1).toBe(true);
    if (count === ROWS) {
      const kept = readdirSync(folder.path).filter((name) => name.includes(".replaced-"));
      const [last] = kept.toSorted().toReversed();
      expect(countOf(folder.file(last ?? ""))).toBe(ROWS - 1);
    }
  }
  expect(await run(["restore", "--force", folder.file("backup.db")], { env })).toMatchObject({ code: 0 });
  expect(partials(folder.path)).toEqual([]);
  expect(existsSync(`${path}-journal`)).toBe(false);
  console.log(`killed ${ROUNDS} times: ${started.old} times the old one, ${started.new} times the new one`);
});

async function timed(work: () => Promise<{ code: number }>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Kills the command a given time after it started to write its file, in milliseconds. */
async function killed(
  words: readonly string[],
  { folder, env }: { folder: string; env: Record<string, string> },
  after: number,
): Promise<void> {
  const child = Bun.spawn([COMMAND, ...words], {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["ignore", "ignore", "ignore"],
  });
  // Leftovers of an earlier round do not count: the command removes them when it starts.
  while (child.exitCode === null && !partials(folder).some((name) => name.includes(`.${child.pid}.`)))
    await sleep(1);
  await sleep(after);
  child.kill("SIGKILL");
  await child.exited;
}

function partials(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith(".partial"));
}

function countOf(path: string): number {
  const database = new DatabaseSync(path);
  try {
    return Number(database.prepare("select count(*) as n from bookmarks").get()?.n);
  } finally {
    database.close();
  }
}
