import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Cluster, createDatabase, sharedCluster } from "../../support/databases/postgres.ts";
import { useRealTimeLimits } from "../../support/given/real-time-limits.ts";
import { useLimits } from "../../support/given/use-limits.ts";
import { freePort } from "../../support/machine/free-port.ts";
import { until } from "../../support/machine/until.ts";
import { COLLECTION, create, draft, list, read } from "../../support/records/bookmarks.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { COMMIT, TcpProxy } from "../../support/requests/tcp-proxy.ts";
import { startServer } from "../../support/server/server.ts";

useRealTimeLimits();
useLimits({ connectTimeout: 1_000, statementTimeout: 1_000 });

const POOL_SIZE = 4;
const TIMEOUT = 1_000;
/**
 * The longest time until a response, in milliseconds: the client waits a second longer than the statement's
 * time limit, and one more second is for the rest.
 */
const LONGEST = TIMEOUT + 2_000;
/** The factor by which a bound grows with the duration of a calm round, for busy machines. */
const LEEWAY = 10;

describe("An unavailable PostgreSQL database", () => {
  const toEnd = new AsyncDisposableStack();
  let cluster: Cluster;
  let database: string;
  let proxy: TcpProxy;
  let send: Send;

  beforeAll(async () => {
    cluster = await sharedCluster();
    const place = toEnd.use(await createDatabase(cluster));
    database = place.name;
    proxy = toEnd.use(await TcpProxy.start(cluster.server.port));
    const server = await startServer({
      DATABASE_URL: cluster.server.url(database, proxy.port),
      DATABASE_POOL_SIZE: String(POOL_SIZE),
    });
    toEnd.defer(() => server.kill());
    send = sendTo(server.url);
  });
  beforeEach(async () => {
    proxy.target = cluster.server.port;
    await proxy.open();
    proxy.flow();
    await until("the service is well", async () => (await send("/readyz")).ok);
  });
  afterAll(() => toEnd.disposeAsync());

  /** Sends reads and writes at the same time, twice as many as there are connections. */
  const everything = () =>
    Promise.all(
      Array.from({ length: 2 * POOL_SIZE }, (_, index) =>
        index % 2 === 0 ? send(COLLECTION) : send(COLLECTION, { method: "POST", json: draft }),
      ),
    );

  async function expectUnavailable(responses: readonly Response[]): Promise<void> {
    for (const response of responses) {
      expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      await expectProblem(response, 503);
    }
  }

  /** The current duration of a round while the database is available, in milliseconds. */
  async function calmRound(): Promise<number> {
    const start = performance.now();
    for (const response of await everything()) expect(response.ok).toBeTrue();
    return performance.now() - start;
  }

  async function expectRecovery(): Promise<void> {
    const back = performance.now();
    await until("a write succeeds", async () => (await send(COLLECTION, { method: "POST", json: draft })).ok);
    const took = performance.now() - back;
    expect(took).toBeLessThan(1_000 + LEEWAY * (await calmRound()));
    const bookmark = await create(send);
    expect(await read(send, bookmark)).toEqual(bookmark);
    // One more watches for changes, and six are for what is read in one snapshot.
    const most = POOL_SIZE + 1 + 6;
    await until("no more connections than there may be", async () => (await connections()) <= most);
  }

  async function connections(): Promise<number> {
    const [row] = await cluster.admin`
      select count(*) as n from pg_stat_activity where datname = ${database} and backend_type = 'client backend'`;
    return Number(row.n);
  }

  test("gets 503 with Retry-After at once while connections are refused, and recovers within a second", async () => {
    const calm = await calmRound();
    await proxy.close();
    const start = performance.now();
    await expectUnavailable(await everything());
    expect(performance.now() - start).toBeLessThan(1_000 + LEEWAY * calm);
    await expectProblem(await send("/readyz"), 503);
    expect((await send("/healthz")).status).toBe(200);
    await proxy.open();
    await expectRecovery();
  });

  test("gets 503 with Retry-After within the timeout when nothing is forwarded, and recovers within a second", async () => {
    const leeway = LEEWAY * (await calmRound());
    proxy.stall();
    const start = performance.now();
    const order: string[] = [];
    const waiting = everything().finally(() => order.push("unavailable"));
    const alive = send("/healthz").finally(() => order.push("alive"));
    expect((await alive).status).toBe(200);
    await expectUnavailable(await waiting);
    expect(performance.now() - start).toBeWithin(TIMEOUT, LONGEST + leeway);
    expect(order).toEqual(["alive", "unavailable"]);
    await expectProblem(await send("/readyz"), 503);
    expect(performance.now() - start).toBeLessThan(2 * (LONGEST + leeway));
    proxy.flow();
    await expectRecovery();
  });

  test("continues with new connections when its connections break", async () => {
    await everything();
    for (let round = 0; round < 5; round++) {
      proxy.drop();
      await expectRecovery();
    }
  });

  test("gets 503 within the timeout when connections are accepted and then closed", async () => {
    const calm = await calmRound();
    proxy.target = await freePort();
    proxy.drop();
    const start = performance.now();
    await expectUnavailable(await everything());
    expect(performance.now() - start).toBeLessThan(LONGEST + LEEWAY * calm);
    proxy.target = cluster.server.port;
    await expectRecovery();
  });

  test("gets few connection attempts while it refuses connections", async () => {
    const before = proxy.accepted;
    const start = performance.now();
    let waves = 0;
    await cluster.admin.unsafe(`alter database ${database} with allow_connections false`);
    try {
      proxy.drop();
      for (; performance.now() - start < 1_000; waves++) await expectUnavailable(await everything());
    } finally {
      await cluster.admin.unsafe(`alter database ${database} with allow_connections true`);
    }
    // Each connection is attempted up to four times per second. A second attempt may start before the first
    // has failed.
    const attempts = 1 + Math.ceil((performance.now() - start) / 250);
    expect(proxy.accepted - before).toBeWithin(1, 2 * attempts * POOL_SIZE);
    expect(waves).toBeGreaterThan(2 * attempts);
    await expectRecovery();
  });

  test("cancels a statement that takes too long, and keeps its connection", async () => {
    const outside = cluster.connect(database);
    const calm = await calmRound();
    const locker = await outside.reserve();
    await locker`begin`;
    await locker`lock table bookmarks in access exclusive mode`;
    const before = proxy.accepted;
    const start = performance.now();
    try {
      await expectUnavailable([
        // No list that was read before: that would come from the cache, without the table.
        await send(`${COLLECTION}?limit=7`),
        await send(COLLECTION, { method: "POST", json: draft }),
      ]);
      expect(performance.now() - start).toBeWithin(2 * TIMEOUT - 100, 2 * TIMEOUT + 1_000 + LEEWAY * calm);
    } finally {
      await locker`rollback`;
      locker.release();
    }
    expect((await send(COLLECTION)).status).toBe(200);
    expect(proxy.accepted - before).toBeLessThanOrEqual(1);
    await outside.close();
  });

  for (const when of ["before", "after"] as const) {
    test(`never confirms a write if the connection breaks just ${when === "before" ? "before the commit" : "after it"}, and a retry with the same key stores it once`, async () => {
      const title = `cut-${when}`;
      // On a new connection, the commit is sent as text; later, as the name of a prepared statement.
      proxy.drop();
      await until("the service is well", async () => (await send("/readyz")).ok);
      proxy.cutAt(COMMIT, when);
      const request = { method: "POST", headers: { "idempotency-key": title }, json: { ...draft, title } };
      const cut = await send(COLLECTION, request);
      expect(await cut.clone().text()).toContain("it may be stored or not");
      await expectUnavailable([cut]);
      const again = await send(COLLECTION, request);
      expect(again.status).toBe(201);
      expect(again.headers.has("idempotency-replayed")).toBe(when === "after");
      expect((await list(send)).filter((bookmark) => bookmark.title === title)).toHaveLength(1);
    });
  }
});
