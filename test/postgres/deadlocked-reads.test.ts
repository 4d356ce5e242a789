import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { type Cluster, createDatabase, sharedCluster } from "../support/databases/postgres.ts";
import { deadlineIn } from "../support/machine/deadline.ts";
import { until } from "../support/machine/until.ts";

describe("A read on PostgreSQL that deadlocks with the removal of its tables", () => {
  const toEnd = new AsyncDisposableStack();
  let cluster: Cluster;
  let name: string;
  let database: Database;
  beforeAll(async () => {
    cluster = await sharedCluster();
    const place = toEnd.use(await createDatabase(cluster));
    name = place.name;
    // Longer than the second after which PostgreSQL looks for deadlocks.
    const opened = await openDatabase(place.url, { poolSize: 2, statementTimeout: 10_000 });
    database = toEnd.adopt(opened, () => opened.close());
  });
  afterAll(() => toEnd.disposeAsync());

  test.each([
    ["among others", () => database.read],
    ["apart", () => database.readApart(deadlineIn(10_000))],
  ])("is run again: %s", async (_, reader) => {
    const outside = cluster.connect(name);
    const holder = await outside.reserve();
    await holder`begin`;
    // PostgreSQL ends the one that looks for deadlocks first: the read.
    await holder`set local deadlock_timeout = '20s'`;
    await holder`lock table search_bookmarks_tags in access exclusive mode`;
    // Locks the counts first, and waits for the tags.
    const read = reader()`
      select (select count(*) from search_bookmarks_tags where tag_key = counts.tag_key) as n
      from search_bookmarks_tag_counts counts`;
    const rows = Promise.resolve(read);
    await until("the read waits", async () => {
      const waiting = await holder`
        select pid from pg_locks where not granted and relation = 'search_bookmarks_tags'::regclass`;
      return waiting.length > 0;
    });
    const before = await deadlocks();
    await holder`lock table search_bookmarks_tag_counts in access exclusive mode`;
    await holder`commit`;
    expect(await rows).toEqual([]);
    await until("the deadlock is counted", async () => (await deadlocks()) > before);
    holder.release();
    await outside.close();

    async function deadlocks(): Promise<number> {
      const [row] = await holder`select deadlocks from pg_stat_database where datname = ${name}`;
      return Number(row?.deadlocks);
    }
  });
});
