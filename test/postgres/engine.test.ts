import { expect, test } from "bun:test";
import { openDatabase } from "../../src/database/open.ts";
import { Hosts } from "../../src/database/postgres/hosts.ts";
import { PostgresPool } from "../../src/database/postgres/pool.ts";
import { probeEngine } from "../../src/database/postgres/probe-engine.ts";
import { createDatabase, sharedCluster } from "../support/databases/postgres.ts";

const OPTIONS = { poolSize: 1, connectTimeout: 100_000, statementTimeout: 100_000 };

test("PostgreSQL lacks nothing that the start tries, and nothing is left of it", async () => {
  await using toEnd = new AsyncDisposableStack();
  const { url } = await databaseOf(toEnd);
  const [writer, reader] = [poolOf(toEnd, url), poolOf(toEnd, url)];
  expect(await probeEngine(writer, reader)).toBeUndefined();
  expect(await reader.query`select slot from commits`).toHaveLength(1);
});

test("An engine that shows one connection old states is found at the start", async () => {
  await using toEnd = new AsyncDisposableStack();
  const [{ url }, other] = [await databaseOf(toEnd), await databaseOf(toEnd)];
  // A database that nobody changes shows what an old snapshot would.
  expect(await probeEngine(poolOf(toEnd, url), poolOf(toEnd, other.url))).toBe(
    "a read does not see what another connection has committed",
  );
});

async function databaseOf(toEnd: AsyncDisposableStack) {
  const place = toEnd.use(await createDatabase(await sharedCluster()));
  await (await openDatabase(place.url)).close();
  return place;
}

function poolOf(toEnd: AsyncDisposableStack, url: string): PostgresPool {
  return toEnd.adopt(new PostgresPool(new Hosts(url), OPTIONS), (pool) => pool.close());
}
