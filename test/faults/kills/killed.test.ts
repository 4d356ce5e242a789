import { describe, expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import { createDatabase, startCluster } from "../../support/databases/postgres.ts";
import { checkIntegrity } from "../../support/databases/sqlite.ts";
import { bookmarkIn, COLLECTION, create, list, pathOf } from "../../support/records/bookmarks.ts";
import { type Doubtful, Ledger, sendCreation, writeUntilCutOff } from "../../support/records/ledger.ts";
import { PostLedger } from "../../support/records/post-ledger.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { killAll } from "../../support/server/processes.ts";
import { type RunningServer, startServer, temporaryFolder } from "../../support/server/server.ts";

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 30);
/** The rounds of the second row of SQLite: it differs from the first in its processes only. */
const FEWER_ROUNDS = Math.ceil(ROUNDS * 0.4);
const WRITERS = 8;
/** Ends a run that hangs, in milliseconds. On a machine that is busy with much else, {@link ROUNDS} starts take minutes. */
const TIMEOUT = 900_000;

/** A database whose server is killed again and again. */
interface KilledDatabase {
  readonly url: string;
  /** The number of server processes behind the port. */
  readonly workers?: number;
  readonly rounds?: number;
  /** In some rounds, kills the database server first, and the server notices. @returns whether it did */
  kill(round: number): Promise<boolean>;
  /** Restarts the database server. */
  resume(): Promise<void>;
  /** Checks that the engine finds no corruption. Nothing else uses the database meanwhile. */
  check(): Promise<void>;
}

describe(`A server that is killed again and again while it writes loses no confirmed write, stores nothing partially, and reuses no id`, () => {
  test.concurrent(
    "on SQLite",
    async () => {
      using folder = temporaryFolder();
      const path = folder.file("test.db");
      await killAgainAndAgain("SQLite", {
        url: `sqlite:${path}`,
        kill: async () => false,
        resume: async () => {},
        check: async () => checkIntegrity(path),
      });
    },
    TIMEOUT,
  );

  test.concurrent(
    "on SQLite with two workers",
    async () => {
      using folder = temporaryFolder();
      const path = folder.file("test.db");
      await killAgainAndAgain("SQLite with two workers", {
        url: `sqlite:${path}`,
        workers: 2,
        rounds: FEWER_ROUNDS,
        kill: async () => false,
        resume: async () => {},
        check: async () => checkIntegrity(path),
      });
    },
    TIMEOUT,
  );

  test.concurrent(
    "on PostgreSQL, which is killed as well in every fifth round",
    async () => {
      await using cluster = await startCluster();
      await using database = await createDatabase(cluster);
      const { server } = cluster;
      await killAgainAndAgain("PostgreSQL", {
        url: database.url,
        async kill(round) {
          if (round % 5 !== 1) return false;
          await server.kill();
          return true;
        },
        resume: () => server.resume(),
        async check() {
          await using sql = cluster.connect(database.name);
          await sql`create extension if not exists amcheck`;
          await sql`select bt_index_check(c.oid, true) from pg_class c join pg_am a on a.oid = c.relam
          where c.relkind = 'i' and a.amname = 'btree' and c.relnamespace = 'public'::regnamespace`;
        },
      });
    },
    TIMEOUT,
  );
});

async function killAgainAndAgain(engine: string, killed: KilledDatabase): Promise<void> {
  const ledger = new Ledger();
  const posts = new PostLedger();
  const settings = { DATABASE_URL: killed.url, POSTS_ACCESS: "open", WORKERS: String(killed.workers ?? 1) };
  const start = () => startServer(settings);
  const { rounds = ROUNDS } = killed;
  let repeated = 0;

  for (let round = 1; round <= rounds; round++) {
    const server = await start();
    const send = sendTo(server.url);
    const listed = await list(send);
    const doubtful = ledger.compare(listed, round);
    repeated += await repeat(send, doubtful, ledger);
    await expectIndexed(send, doubtful.length === 0 ? listed : await list(send));
    const first = await create(send, { title: `round ${round}` });
    expect(first.id).toBeGreaterThan(ledger.highestId);
    ledger.created(first);

    const until = ledger.confirmations + Math.ceil(Math.random() * 100);
    const writers = Array.from({ length: WRITERS }, (_, index) =>
      writeUntilCutOff(send, ledger, `round ${round}, writer ${index}`),
    );
    writers.push(posts.writeUntilCutOff(send), posts.writeUntilCutOff(send));
    await ledger.reaches(until);
    // A response follows a commit directly. After a random pause, the kill may hit the next commit.
    await sleep(Math.random() * 4);
    const { refused } = ledger;
    const more = await killed.kill(round);
    await killAll(server);
    await Promise.all(writers);
    if (more) await killed.resume();
    else expect(ledger.refused).toBe(refused);
    await killed.check();
    await posts.compare(killed.url);
  }

  await checkLast(start, ledger, rounds + 1);
  await killed.check();
  console.log(
    `${engine}: ${rounds} kills, ${ledger.confirmations} confirmed writes, ${ledger.cutOff} cut off in flight, ${repeated} repeated`,
  );
  expect(ledger.cutOff).toBePositive();
}

/**
 * Repeats unanswered creations. Afterwards each record exists exactly once: existing ones are recognized by
 * their key.
 */
async function repeat(send: Send, doubtful: readonly Doubtful[], ledger: Ledger): Promise<number> {
  for (const { fields, found } of doubtful) {
    const response = await sendCreation(send, fields);
    expect(response.status).toBe(201);
    expect(response.headers.has("idempotency-replayed")).toBe(found !== undefined);
    const made = await bookmarkIn(response);
    expect(made).toEqual(found ?? { ...fields, id: made.id, created_at: made.created_at });
    if (found === undefined) ledger.created(made);
  }
  return doubtful.length;
}

/** Makes a final check and deletes all records: the reuse of an id only shows when the highest one is deleted. */
async function checkLast(start: () => Promise<RunningServer>, ledger: Ledger, round: number): Promise<void> {
  const server = await start();
  const left = await list(sendTo(server.url));
  ledger.compare(left, round);
  for (const bookmark of left) await remove(sendTo(server.url), bookmark);
  await server.kill();

  const last = await start();
  expect(await list(sendTo(last.url))).toEqual([]);
  expect((await create(sendTo(last.url))).id).toBeGreaterThan(ledger.highestId);
  expect(await last.stop()).toBe(0);
}

/** Checks that a search finds the listed bookmarks in order, and some of them by their latest words. */
async function expectIndexed(send: Send, listed: readonly BookmarkResponse[]): Promise<void> {
  const found = async (query: string) => {
    for (;;) {
      const response = await send(`${COLLECTION}?sort=newest&q=${encodeURIComponent(query)}`);
      const ids = ((await response.json()) as BookmarkResponse[]).map(({ id }) => id);
      // With more than a thousand marks, a search does not wait for all of them.
      if (!response.headers.has("search-behind")) return ids;
    }
  };
  expect(await found("-nowhere")).toEqual(listed.map(({ id }) => id));
  for (const { id, title } of listed.slice(0, 3)) expect(await found(`title:"${title}"`)).toContain(id);
}

async function remove(send: Send, bookmark: BookmarkResponse): Promise<void> {
  expect((await send(pathOf(bookmark), { method: "DELETE" })).status).toBe(204);
}
