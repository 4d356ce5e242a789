import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Cluster, createDatabase, sharedCluster } from "../../support/databases/postgres.ts";
import { until } from "../../support/machine/until.ts";
import { sendTo } from "../../support/requests/send.ts";
import { startServer } from "../../support/server/server.ts";

describe("A server process on PostgreSQL that is killed", () => {
  const toEnd = new AsyncDisposableStack();
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await sharedCluster();
  });
  afterAll(() => toEnd.disposeAsync());

  test("while it makes its tables leaves none, and the next one makes them", async () => {
    await using fresh = await createDatabase(cluster);
    const outside = cluster.connect(fresh.name);
    // A conflicting table, in an open transaction, blocks it half-way.
    const obstacle = await outside.reserve();
    await obstacle`begin`;
    await obstacle`create table posts ()`;
    const starting = startServer({ DATABASE_URL: fresh.url }).catch((error: Error) => error);
    const waiting = () => outside`
      select pid from pg_stat_activity where datname = ${fresh.name} and wait_event_type = 'Lock'`;
    await until("it is held up", async () => (await waiting()).length > 0);
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
