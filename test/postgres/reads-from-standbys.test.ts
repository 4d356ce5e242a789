import { expect, test } from "bun:test";
import { SQL } from "bun";
import type { Sql } from "../../src/database/database.ts";
import { type OpenOptions, openDatabase } from "../../src/database/open.ts";
import { embeddedPostgres } from "../support/databases/postgres.ts";
import { PostgresServer, severalHosts } from "../support/databases/postgres-server.ts";
import { deadlineIn } from "../support/machine/deadline.ts";
import { until } from "../support/machine/until.ts";
import { run } from "../support/server/server.ts";

const IN_GARDEN = "?schema=garden";

/** A primary with two asynchronous standbys, and a database of it that reads from both. */
async function stage(toEnd: AsyncDisposableStack, options: Partial<OpenOptions> = {}) {
  const primary = toEnd.use(await PostgresServer.start(embeddedPostgres));
  await primary.halt();
  const one = toEnd.use(await primary.makeStandby(primary));
  const two = toEnd.use(await primary.makeStandby(primary));
  await Promise.all([primary, one, two].map((server) => server.resume()));
  const url = primary.url("postgres");
  const readUrl = severalHosts([one, two]);
  const database = await openDatabase(url + IN_GARDEN, { readUrl, ...options });
  toEnd.defer(() => database.close());
  await database.write((sql) => sql`insert into meta (name, value) values ('seen', '0')`);
  const counts = () => ({ standby: 0, behind: 0, away: 0, busy: 0, ...database.state().standbys });
  /** The value as one read has it, and who has answered. */
  const read = async () => {
    const before = counts();
    const [row] = await database.readMany<{ value: string }>`select value from meta where name = 'seen'`;
    const after = counts();
    const by = (Object.keys(after) as (keyof typeof after)[]).filter((key) => after[key] > before[key]);
    return [row?.value, ...by];
  };
  const write = (value: number) =>
    database.write((sql) => sql`update meta set value = ${String(value)} where name = 'seen'`);
  const standbysAnswer = () => until("a standby answers", async () => (await read())[1] === "standby");
  for (const standby of [one, two])
    await until("it follows", async () => (await seenBy(standby).catch(() => {})) === "0");
  await standbysAnswer();
  return { primary, one, two, database, counts, read, write, standbysAnswer };
}

/** Runs a statement on a server, beside the service. */
async function ask(server: PostgresServer, statement: string): Promise<unknown> {
  await using admin = new SQL({ url: server.url("postgres"), max: 1 });
  const [row] = await admin.unsafe(statement);
  return row?.value;
}

/** The value as a server has it. */
function seenBy(server: PostgresServer): Promise<unknown> {
  return ask(server, "select value from garden.meta where name = 'seen'");
}

test("A standby answers reads and searches while it has what the primary has, and the primary while it has less", async () => {
  await using toEnd = new AsyncDisposableStack();
  const { one, two, database, counts, read, write, standbysAnswer } = await stage(toEnd);
  for (let value = 1; value <= 50; value++) {
    await write(value);
    expect((await read())[0]).toBe(String(value));
  }
  await standbysAnswer();
  const before = counts().standby;
  const found = await database.readApart(deadlineIn(60_000))`select count(*) as n from bookmarks`;
  expect(found).toEqual([{ n: "0" }]);
  expect(counts().standby).toBe(before + 1);

  for (const standby of [one, two]) await ask(standby, "select pg_wal_replay_pause()");
  await write(51);
  expect(await read()).toEqual(["51", expect.not.stringMatching("standby")]);
  for (const standby of [one, two]) await ask(standby, "select pg_wal_replay_resume()");
  await standbysAnswer();

  // What the reader of a snapshot throws is its result. After a failed statement, the primary is read.
  const servers: unknown[] = [];
  const inSnapshot = (end: (read: Sql) => unknown) =>
    database.snapshot(async (read) => {
      const [row] = await read<{ standby: boolean }>`select pg_is_in_recovery() as standby`;
      servers.push(row?.standby);
      await end(read);
    });
  await expect(
    inSnapshot(() => {
      throw new Error("not found");
    }),
  ).rejects.toThrow("not found");
  expect(servers).toEqual([true]);
  await expect(inSnapshot((read) => read`select * from nothing`)).rejects.toThrow('"nothing" does not exist');
  expect(servers).toEqual([true, true, false]);

  // An error is that of the primary.
  await expect(database.readMany`select * from nothing`).rejects.toThrow('"nothing" does not exist');
});

test("A commit that waits for a synchronous standby is seen nowhere, though other standbys have it", async () => {
  await using toEnd = new AsyncDisposableStack();
  const { primary, one, two, read, write, standbysAnswer } = await stage(toEnd);
  const waitFor = async (names: string) => {
    await ask(primary, `alter system set synchronous_standby_names = '${names}'`);
    await ask(primary, "select pg_reload_conf()");
  };
  toEnd.defer(() => waitFor(""));
  await waitFor("nobody");
  let [value, written] = [0, 0];
  let writing = Promise.resolve();
  // The server reads its settings again a moment later.
  await until("a commit waits", async () => {
    if (value === written)
      writing = write(++value).then(() => {
        written = value;
      });
    return (await ask(primary, "select 1 as value from pg_stat_activity where wait_event = 'SyncRep'")) === 1;
  });
  for (const standby of [one, two])
    await until("it has the commit", async () => (await seenBy(standby)) === String(value));
  for (let count = 0; count < 5; count++) expect((await read())[0]).toBe(String(value - 1));
  await waitFor("");
  await writing;
  expect((await read())[0]).toBe(String(value));
  await standbysAnswer();
});

test("A standby that was promoted, is gone, or has the rows of another site is not used", async () => {
  await using toEnd = new AsyncDisposableStack();
  const { primary, one, two, read, write, standbysAnswer } = await stage(toEnd);
  await one.promote();
  await ask(one, "update garden.meta set value = 'elsewhere' where name = 'seen'");
  for (let count = 0; count < 10; count++) expect((await read())[0]).toBe("0");
  await standbysAnswer();
  await two.halt();
  await until("no standby is used", async () => (await read())[1] === "away");
  await write(1);
  expect((await read())[0]).toBe("1");
  await two.resume();
  await standbysAnswer();

  const other = await openDatabase(`${primary.url("postgres")}?schema=meadow`, {
    readUrl: `${two.url("postgres")}${IN_GARDEN}`,
  });
  toEnd.defer(() => other.close());
  await ask(primary, "delete from meadow.commits");
  await ask(primary, "insert into meadow.commits select * from garden.commits");
  for (let count = 0; count < 5; count++)
    expect(await other.readMany`select value from meta where name = 'seen'`).toEqual([]);
  expect(other.state().standbys).toMatchObject({ standby: 0 });
});

// Were each read to wait for them, this would take minutes.
test("Standbys that have stopped cost only a few reads any time, and no write", async () => {
  await using toEnd = new AsyncDisposableStack();
  const { one, two, counts, read, write } = await stage(toEnd);
  const frozen = [...(await one.freeze()), ...(await two.freeze())];
  toEnd.defer(() => {
    for (const pid of frozen) process.kill(pid, "SIGCONT");
  });
  await write(1);
  const asked = counts();
  for (let count = 0; count < 300; count++) expect((await read())[0]).toBe("1");
  const { away, standby } = counts();
  expect(standby).toBe(asked.standby);
  expect(away - asked.away).toBe(300);
});

test("Settings that cannot be are refused in a line", async () => {
  const standbys = "postgres://ada:secret@one.example,two.example/links";
  for (const [settings, line] of [
    [{ DATABASE_READ_URL: standbys }, "is for standbys of PostgreSQL, not for SQLite."],
    [
      { DATABASE_URL: `${standbys}?schema=garden`, DATABASE_READ_URL: `${standbys}?schema=meadow` },
      "names another schema than DATABASE_URL. It can be left out.",
    ],
  ] as const)
    expect(await run(["serve"], { env: settings })).toMatchObject({
      code: 2,
      stderr: `commonplace: DATABASE_READ_URL: ${line}\n`,
    });
});
