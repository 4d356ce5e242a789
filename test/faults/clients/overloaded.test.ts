import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { SQL } from "bun";
import { ALWAYS_READ, IN_PROGRESS_MAX } from "../../../src/http/guards/load-shedding.ts";
import { createDatabase, sharedCluster } from "../../support/databases/postgres.ts";
import { useRealTimeLimits } from "../../support/given/real-time-limits.ts";
import { COLLECTION, create, draft, read } from "../../support/records/bookmarks.ts";
import type { Report } from "../../support/requests/ask-steadily.ts";
import { checkProblem } from "../../support/requests/problems.ts";
import { head, RawConnection } from "../../support/requests/raw-http.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { type RunningServer, startServer, temporaryFolder } from "../../support/server/server.ts";

useRealTimeLimits();

/** The capacity of the slowed-down engines, in requests per second. */
const CAPACITY = 250;
const SECONDS = 2;

const body = JSON.stringify(draft);
/** With tags, each request reads the bookmark from the database. Without them, it is answered from memory. */
const readOne = head({ method: "GET", target: `${COLLECTION}1?include=tags` });
const createOne =
  head({ method: "POST", target: COLLECTION, fields: { "content-type": "application/json" }, body }) + body;

describe("A server on SQLite at four times its capacity", () => {
  const toEnd = new AsyncDisposableStack();
  let server: RunningServer;
  beforeAll(async () => {
    const folder = toEnd.use(temporaryFolder());
    const slowly = JSON.stringify(
      `--preload=${join(import.meta.dir, "../../support/databases/slow-sqlite.ts")}`,
    );
    server = await startServer({
      DATABASE_URL: `sqlite:${folder.file("test.db")}`,
      BUN_OPTIONS: slowly,
      SLOW_READS: String(1_000 / CAPACITY),
      SLOW_WRITES: String(1_000 / CAPACITY),
    });
    toEnd.defer(() => server.kill());
    await create(sendTo(server.url));
  });
  afterAll(() => toEnd.disposeAsync());

  test("in reads, refuses some at once with 503 and Retry-After, serves the others in time, and recovers at once", () =>
    expectShedding(server, readOne, "200"));

  test("in writes, does the same", () => expectShedding(server, createOne, "201"));

  test("takes only a short queue of writes whose bodies arrive at once", () =>
    expectShortQueue(server, "POST", createOne, 201));
});

describe("A server on PostgreSQL at four times its capacity", () => {
  const toEnd = new AsyncDisposableStack();
  let server: RunningServer;
  let outside: SQL;
  beforeAll(async () => {
    const cluster = await sharedCluster();
    const place = toEnd.use(await createDatabase(cluster));
    server = await startServer({ DATABASE_URL: place.url });
    toEnd.defer(() => server.kill());
    await create(sendTo(server.url));
    outside = toEnd.adopt(cluster.connect(place.name), (sql) => sql.close());
  });
  afterAll(() => toEnd.disposeAsync());

  test("in writes, refuses some at once with 503 and Retry-After, serves the others in time, and recovers at once", async () => {
    // Eight of the ten connections write.
    await outside.unsafe(`
      create function slowly() returns trigger language plpgsql as
        'begin perform pg_sleep(${8 / CAPACITY}); return new; end';
      create trigger slowly before insert on bookmarks for each row execute function slowly()`);
    await expectShedding(server, createOne, "201");
  });

  test("takes only a short queue of writes whose bodies arrive at once", () =>
    expectShortQueue(server, "POST", createOne, 201));

  test("in reads, does the same", async () => {
    await outside.unsafe(`
      drop trigger slowly on bookmarks;
      alter table bookmarks rename to quick_bookmarks;
      create view bookmarks as
        select * from quick_bookmarks where id = 1 and pg_sleep(${10 / CAPACITY}) is not null`);
    await expectShedding(server, readOne, "200");
  });

  test("takes only a short queue of reads that arrive at once", () =>
    expectShortQueue(server, "GET", readOne, 200));
});

async function expectShedding(server: RunningServer, request: string, status: string): Promise<void> {
  const send = sendTo(server.url);
  // No burst may follow a stall of the machine: that would itself be an overload.
  const calm = await ask(server.url, request, CAPACITY / 4, 1, ALWAYS_READ - 1);
  expect(calm.answers[status]?.count).toBe(calm.sent);
  const asking = ask(server.url, request, 4 * CAPACITY, SECONDS);
  const health = await healthWhile(asking, send);
  const { sent, answers, waiting, unanswered, refusal } = await asking;
  expect(await read(send, { id: 1 })).toMatchObject(draft);
  await create(send);

  const counts = Object.fromEntries(Object.entries(answers).map(([name, { count }]) => [name, count]));
  console.log(`${sent} asked: ${JSON.stringify({ answers, waiting })}`);
  expect(Object.keys(counts).toSorted()).toEqual([status, "503"]);
  expect(unanswered).toBe(0);
  // On a busy machine the response times mean little, but the length of the queue does not depend on them.
  expect(waiting).toBeLessThanOrEqual(2 * IN_PROGRESS_MAX);
  // On a busy machine the server answers fewer requests, but still some.
  expect(counts[status]).toBeGreaterThan((CAPACITY * SECONDS) / 4);
  expect(refusal).toMatch(/^retry-after: [1-9]\d*\r$/im);
  checkProblem(JSON.parse(refusal?.split("\r\n\r\n")[1] ?? ""), 503);
  expect(health).toEqual(new Set([200]));
}

/**
 * Sends requests of which the server reads the end of all at once, since it is suspended meanwhile. Others are served
 * while it waits for their bodies.
 */
async function expectShortQueue(
  server: RunningServer,
  method: string,
  request: string,
  status: number,
): Promise<void> {
  const requests = 3 * IN_PROGRESS_MAX;
  await using connections = new AsyncDisposableStack();
  const all = await Promise.all(Array.from({ length: requests }, () => RawConnection.open(server.url)));
  for (const connection of all) connections.use(connection);
  const early = request.slice(0, request.indexOf("\r\n\r\n") + (method === "GET" ? 0 : 4));
  for (const [index, connection] of all.entries()) {
    await connection.writeAll(Buffer.from(early));
    // Another request is answered only when these have begun to wait for their bodies.
    if (index % ALWAYS_READ === 0) await create(sendTo(server.url));
  }
  await create(sendTo(server.url));
  process.kill(server.pid, "SIGSTOP");
  try {
    const late = Buffer.from(request.slice(early.length));
    await Promise.all(all.map((connection) => connection.writeAll(late)));
  } finally {
    process.kill(server.pid, "SIGCONT");
  }
  const answers = await Promise.all(all.map((connection) => connection.answer(method)));
  const counts = answers.map((answer) => answer.status);
  const served = counts.filter((one) => one === status).length;
  console.log(`${requests} at once: ${served} served`);
  expect(counts.filter((one) => one === 503)).toHaveLength(requests - served);
  // On a busy machine the first are answered before the last are read, and others take their places.
  expect(served).toBeWithin(ALWAYS_READ, 2 * IN_PROGRESS_MAX);
}

/** The results of health checks during the load. */
async function healthWhile(asking: Promise<unknown>, send: Send): Promise<Set<number>> {
  const statuses = new Set<number>();
  while (Bun.peek.status(asking) === "pending")
    for (const path of ["/healthz", "/readyz"]) statuses.add((await send(path)).status);
  return statuses;
}

/** Sends requests from a separate process, since this one checks the responses. */
async function ask(
  url: string,
  request: string,
  rate: number,
  seconds: number,
  most = Number.POSITIVE_INFINITY,
): Promise<Report> {
  const program = join(import.meta.dir, "../../support/requests/ask-steadily.ts");
  const child = Bun.spawn(
    [process.execPath, program, url, String(rate), String(seconds), request, String(most)],
    { stderr: "inherit" },
  );
  return JSON.parse(await new Response(child.stdout).text()) as Report;
}
