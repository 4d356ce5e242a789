import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { COLLECTION, draft, list } from "../support/bookmarks.ts";
import { type Cluster, createDatabase, sharedCluster } from "../support/postgres.ts";
import { sendTo } from "../support/send.ts";
import { startServer } from "../support/server.ts";
import { until } from "../support/until.ts";

const CLIENTS = 16;

describe("A server process on PostgreSQL that is killed", () => {
  const toEnd = new AsyncDisposableStack();
  let cluster: Cluster;
  let place: Awaited<ReturnType<typeof createDatabase>>;
  beforeAll(async () => {
    cluster = await sharedCluster();
    place = toEnd.use(await createDatabase(cluster));
  });
  afterAll(() => toEnd.disposeAsync());

  test("in the middle of writes, again and again, has lost none that it confirmed, and its counters are exact", async () => {
    const confirmed: string[] = [];
    for (let round = 0; round < 5; round++) {
      const server = await startServer({ DATABASE_URL: place.url });
      const send = sendTo(server.url);
      const before = confirmed.length;
      const clients = Array.from({ length: CLIENTS }, async (_, client) => {
        for (let number = 0; ; number++) {
          const title = `${round} ${client} ${number}`;
          const response = await send(COLLECTION, { method: "POST", json: { ...draft, title } }).catch(
            () => null,
          );
          if (response === null) return;
          expect(response.status).toBe(201);
          confirmed.push(title);
        }
      });
      const enough = before + 20 + Math.floor(Math.random() * 200);
      await until(`${enough} writes are confirmed`, async () => confirmed.length >= enough, { every: 1 });
      await server.kill();
      await Promise.all(clients);
    }

    const survivor = await startServer({ DATABASE_URL: place.url });
    toEnd.defer(() => survivor.kill());
    const kept = new Set((await list(sendTo(survivor.url))).map(({ title }) => title));
    expect(confirmed.filter((title) => !kept.has(title))).toEqual([]);
    // What was under way at the kill may be there or not: at most one of each client and round.
    expect(kept.size).toBeWithin(confirmed.length, confirmed.length + 5 * CLIENTS + 1);
    const outside = toEnd.adopt(cluster.connect(place.name), (sql) => sql.close());
    const [counted] = await outside`
      select (select sum(n) from counters where name = 'bookmarks:changes') as changes,
        (select count(*) from bookmarks) as bookmarks`;
    expect(counted.changes).toBe(counted.bookmarks);
  });

  test("while it migrates gives up the lock and leaves nothing half done", async () => {
    await using fresh = await createDatabase(cluster);
    const outside = cluster.connect(fresh.name);
    // A table that is in the way, in a transaction of its own, holds the migration up half-way.
    const obstacle = await outside.reserve();
    await obstacle`begin`;
    await obstacle`create table posts ()`;
    const starting = startServer({ DATABASE_URL: fresh.url }).catch((error: Error) => error);
    const waiting = () => outside`
      select pid from pg_stat_activity where datname = ${fresh.name} and wait_event_type = 'Lock'`;
    await until("the migration is held up", async () => (await waiting()).length > 0);
    const [{ pid }] = await waiting();
    await cluster.admin`select pg_terminate_backend(${pid})`;
    expect(await starting).toBeInstanceOf(Error);
    expect(await outside`select 1 from pg_tables where schemaname = 'public'`).toHaveLength(0);
    await obstacle`rollback`;
    obstacle.release();

    const server = await startServer({ DATABASE_URL: fresh.url });
    toEnd.defer(() => server.kill());
    expect((await sendTo(server.url)("/readyz")).status).toBe(200);
    await outside.close();
  });
});
