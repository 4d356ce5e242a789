import { expect, test } from "bun:test";
import { SQL } from "bun";
import { embeddedPostgres } from "../../support/databases/postgres.ts";
import { PostgresServer, severalHosts } from "../../support/databases/postgres-server.ts";
import { useRealTimeLimits } from "../../support/given/real-time-limits.ts";
import { useLimits } from "../../support/given/use-limits.ts";
import { until } from "../../support/machine/until.ts";
import { COLLECTION, draft, list } from "../../support/records/bookmarks.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { TcpProxy } from "../../support/requests/tcp-proxy.ts";
import { startServer } from "../../support/server/server.ts";

useRealTimeLimits();
useLimits({ connectTimeout: 1_000, statementTimeout: 1_000 });

const WRITERS = 8;
const SETTINGS = {
  DATABASE_POOL_SIZE: "8",
};

test.each(["one address that leads to the primary", "several hosts in the URL"])(
  "A primary that is killed under load loses no confirmed write to its synchronous standby, and the service recovers by itself: %s",
  async (way) => {
    await using toEnd = new AsyncDisposableStack();
    const { primary, standby } = await startReplicated(toEnd);
    const address = toEnd.use(await TcpProxy.start(primary.port));
    const direct = primary.url("postgres", address.port);
    const url = way.startsWith("one") ? direct : severalHosts([standby, primary]);
    const service = await startServer({ ...SETTINGS, DATABASE_URL: url });
    toEnd.defer(() => service.kill());
    const send = sendTo(service.url);

    const started = performance.now();
    const writing = new Writers(send);
    await until("a hundred writes are confirmed", async () => writing.confirmed.length >= 100);
    const hundred = performance.now() - started;
    await primary.kill();
    const confirmedBefore = writing.confirmed.length;
    await standby.promote();
    address.target = standby.port;
    const back = performance.now();
    await until("writes go on", async () => writing.confirmed.length > confirmedBefore);
    const outage = performance.now() - back;
    await until("a hundred more", async () => writing.confirmed.length >= confirmedBefore + 100);
    await writing.stop();

    // On a busy machine, the allowance grows by the time of a hundred writes.
    expect(outage).toBeLessThan(2_000 + hundred);
    const kept = (await list(send)).map(({ title }) => title);
    expect(new Set(kept).size).toBe(kept.length);
    expect(kept.toSorted()).toEqual(writing.confirmed.toSorted());
  },
);

test("A primary that no longer responds, with its connections open, is left for another host once it is promoted", async () => {
  await using toEnd = new AsyncDisposableStack();
  const { primary, standby } = await startReplicated(toEnd);
  const service = await startServer({ ...SETTINGS, DATABASE_URL: severalHosts([primary, standby]) });
  toEnd.defer(() => service.kill());
  const send = sendTo(service.url);
  const writing = new Writers(send);
  await until("a hundred writes are confirmed", async () => writing.confirmed.length >= 100);
  await primary.freeze();
  const confirmedBefore = writing.confirmed.length;
  await standby.promote();
  await until("writes go on", async () => writing.confirmed.length > confirmedBefore + 100);
  await writing.stop();
  const kept = (await list(send)).map(({ title }) => title);
  expect(kept.toSorted()).toEqual(writing.confirmed.toSorted());
  await primary.kill();
});

test("Without its synchronous standby, a primary confirms no write but serves reads, and continues when the standby is back", async () => {
  await using toEnd = new AsyncDisposableStack();
  const { primary, standby } = await startReplicated(toEnd);
  const service = await startServer({ ...SETTINGS, DATABASE_URL: primary.url("postgres") });
  toEnd.defer(() => service.kill());
  const send = sendTo(service.url);
  const keyed = (key: string) =>
    send(COLLECTION, {
      method: "POST",
      headers: { "idempotency-key": key },
      json: { ...draft, title: key },
    });
  expect((await keyed("before")).status).toBe(201);

  await standby.halt();
  const titles = Array.from({ length: 2 * WRITERS }, (_, index) => `meanwhile-${index}`);
  for (let round = 0; round < 2; round++) {
    const responses = await Promise.all(titles.map(keyed));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
  }
  // One extra connection watches for changes. PostgreSQL takes a moment to end one whose client is gone.
  const most = Number(SETTINGS.DATABASE_POOL_SIZE) + 1;
  await until("no connections pile up", async () => (await connectionsTo(primary)) <= most);
  // A write that is on no standby must not be visible: a retry would report it as confirmed.
  expect((await list(send)).map(({ title }) => title)).toEqual(["before"]);
  expect((await send("/readyz")).status).toBe(200);

  await standby.resume();
  await until("writes are confirmed again", async () => (await keyed("after")).ok);
  for (const title of titles) await until(`${title} is confirmed`, async () => (await keyed(title)).ok);
  const kept = (await list(send)).map(({ title }) => title);
  expect(kept.toSorted()).toEqual(["before", "after", ...titles].toSorted());
});

/** Starts a primary and a standby with synchronous replication. */
async function startReplicated(toEnd: AsyncDisposableStack) {
  const primary = toEnd.use(await PostgresServer.start(embeddedPostgres));
  await primary.halt();
  const standby = toEnd.use(await primary.makeStandby(primary));
  await primary.configure({ synchronous_standby_names: "*" });
  await Promise.all([primary.resume(), standby.resume()]);
  const admin = new SQL({ url: primary.url("postgres"), max: 1 });
  await until("the standby follows", async () => {
    const [row] = await admin`select sync_state from pg_stat_replication`;
    return row?.sync_state === "sync";
  });
  await admin.close();
  return { primary, standby };
}

/** The number of the service's connections to a server, including those whose client is gone. */
async function connectionsTo(server: PostgresServer): Promise<number> {
  const admin = new SQL({ url: server.url("postgres"), max: 1 });
  const rows = await admin`select pid from pg_stat_activity where application_name = 'commonplace'`;
  await admin.close();
  return rows.length;
}

/** Clients that create bookmarks without a pause. Each retries with the same key until the write is confirmed. */
class Writers {
  /** The titles of the bookmarks that got a 201. */
  readonly confirmed: string[] = [];
  readonly #send: Send;
  readonly #running: Promise<unknown>;
  #stopping = false;

  constructor(send: Send) {
    this.#send = send;
    this.#running = Promise.all(Array.from({ length: WRITERS }, (_, writer) => this.#write(writer)));
  }

  /** Resolves when the last write of every client is confirmed. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#running;
  }

  async #write(writer: number): Promise<void> {
    for (let number = 0; !this.#stopping; number++) {
      const title = `${writer}-${number}`;
      await until(`${title} is confirmed`, async () => {
        const init = {
          method: "POST",
          headers: { "idempotency-key": title },
          json: { ...draft, title },
        };
        const { status } = await this.#send(COLLECTION, init);
        expect(status).toBeOneOf([201, 409, 503]);
        return status === 201;
      });
      this.confirmed.push(title);
    }
  }
}
