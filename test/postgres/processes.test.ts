import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Database } from "../../src/database/database.ts";
import { purgeIdempotencyKeys } from "../../src/http/idempotency.ts";
import { openBeside } from "../support/databases/database.ts";
import { type Cluster, createDatabase, sharedCluster } from "../support/databases/postgres.ts";
import { useRealTimeLimits } from "../support/given/real-time-limits.ts";
import { until } from "../support/machine/until.ts";
import { makeAccount, makeSession, makeToken, withToken } from "../support/records/accounts.ts";
import { createPost, POSTS, pathOf, read, readPage } from "../support/records/blog.ts";
import { bookmarkIn, COLLECTION, draft, list } from "../support/records/bookmarks.ts";
import { expectProblem } from "../support/requests/problems.ts";
import { type Send, sendTo } from "../support/requests/send.ts";
import { whoIs } from "../support/requests/sign-in.ts";
import { rounds } from "../support/run/full-run.ts";
import { startServer } from "../support/server/server.ts";

const PROCESSES = 3;
const VERSIONS = rounds(20, 200);
const CHANGES = rounds(10, 64);

describe("Several processes on PostgreSQL", () => {
  // Some tests wait for the end of a lock.
  useRealTimeLimits();
  const toEnd = new AsyncDisposableStack();
  let cluster: Cluster;
  let name: string;
  let database: Database;
  let everyone: Send[];
  let editors: Send[];
  let cookie: string;

  beforeAll(async () => {
    cluster = await sharedCluster();
    const place = toEnd.use(await createDatabase(cluster));
    name = place.name;
    const servers = await Promise.all(
      Array.from({ length: PROCESSES }, () =>
        startServer({ DATABASE_URL: place.url, BOOKMARKS_ACCESS: "open" }),
      ),
    );
    for (const server of servers) toEnd.defer(() => server.kill());
    database = toEnd.adopt(await openBeside(place.url), (opened) => opened.close());
    const account = await makeAccount(database, "editor");
    const key = await makeToken(database, account);
    cookie = await makeSession(database, account);
    everyone = servers.map(({ url }) => sendTo(url));
    editors = everyone.map((send) => withToken(send, key));
  });
  afterAll(() => toEnd.disposeAsync());

  /** The sender of one process; as often as wanted, one after the other. */
  const of = (senders: readonly Send[], index: number): Send => {
    const send = senders[index % senders.length];
    if (send === undefined) throw new Error("There is no process.");
    return send;
  };

  const post = (key: string) => ({ method: "POST", headers: { "idempotency-key": key }, json: draft });

  test("that get the same Idempotency-Key at once create one bookmark, and all response with it", async () => {
    for (let round = 0; round < rounds(2, 5); round++) {
      const before = (await list(of(everyone, 0))).length;
      const responses = await Promise.all(
        Array.from({ length: 30 }, (_, index) => of(everyone, index)(COLLECTION, post(`at-once-${round}`))),
      );
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
      const bookmarks = await Promise.all(responses.map(bookmarkIn));
      expect(new Set(bookmarks.map(({ id }) => id)).size).toBe(1);
      expect(responses.filter(({ headers }) => !headers.has("idempotency-replayed"))).toHaveLength(1);
      expect(await list(of(everyone, 0))).toHaveLength(before + 1);
    }
  });

  test("answer 409 with Retry-After while the first request with a key is in progress, and 201 when that one failed", async () => {
    const outside = cluster.connect(name);
    const first = await outside.reserve();
    await first`begin`;
    await first`
      insert into idempotency_keys (caller, path, key, body_sha256, status, body, created_at)
      values ('anonymous', '/bookmarks/', 'in-flight', '', 0, '', now())`;
    // The other one still holds its lock.
    const response = await of(everyone, 0)(COLLECTION, post("in-flight"));
    expect(response.headers.get("retry-after")).toBe("1");
    await expectProblem(response, 409);
    await first`rollback`;
    first.release();
    await outside.close();
    const again = await of(everyone, 1)(COLLECTION, post("in-flight"));
    expect(again.status).toBe(201);
    expect(again.headers.has("idempotency-replayed")).toBeFalse();
  });

  test("answer 503 with Retry-After to a new key while the table of keys is locked", async () => {
    const outside = cluster.connect(name);
    const lock = await outside.reserve();
    await lock`begin`;
    await lock`lock table idempotency_keys`;
    const response = await of(everyone, 0)(COLLECTION, post("never-used"));
    expect(response.headers.get("retry-after")).toBe("1");
    await expectProblem(response, 503);
    await lock`rollback`;
    lock.release();
    await outside.close();
    expect((await of(everyone, 1)(COLLECTION, post("never-used"))).status).toBe(201);
  });

  test("reclaim an expired key only once", async () => {
    const key = "expired";
    const first = await bookmarkIn(await of(everyone, 0)(COLLECTION, post(key)));
    await database.write(
      (sql) => sql`update idempotency_keys set created_at = '2020-01-01T00:00:00Z' where key = ${key}`,
    );
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => of(everyone, index)(COLLECTION, post(key))),
    );
    const ids = new Set((await Promise.all(responses.map(bookmarkIn))).map(({ id }) => id));
    expect(ids.size).toBe(1);
    expect(ids.has(first.id)).toBeFalse();
  });

  test("do not delete an expired key that another process reclaims", async () => {
    await of(everyone, 0)(COLLECTION, post("old"));
    await database.write(
      (sql) => sql`update idempotency_keys set created_at = '2020-01-01T00:00:00Z' where key = 'old'`,
    );
    const outside = cluster.connect(name);
    const claiming = await outside.reserve();
    await claiming`begin`;
    await claiming`update idempotency_keys set created_at = now() where key = 'old'`;
    const purging = database.write((sql) => purgeIdempotencyKeys(sql, new Date(), 10));
    await until("the purge waits for the claim", async () => {
      const waiting = await outside`
        select pid from pg_stat_activity where datname = ${name} and wait_event_type = 'Lock'`;
      return waiting.length > 0;
    });
    await claiming`commit`;
    claiming.release();
    expect(await purging).toBe(0);
    expect(await outside`select key from idempotency_keys where key = 'old'`).toHaveLength(1);
    await outside.close();
  });

  test("never send a cached response that is older than a write that another process confirmed", async () => {
    const written = await createPost(of(editors, 0), { title: "version 0" });
    let confirmed = 0;
    let finished = false;
    const readers = everyone.flatMap((send) => [
      async () => (await read(send, pathOf(written))).title,
      async () => (await readPage(send, POSTS)).results[0]?.title,
    ]);
    const reading = readers.map(async (titleNow) => {
      let reads = 0;
      while (!finished) {
        const atLeast = confirmed;
        const title = (await titleNow()) ?? "";
        expect(Number(title.replace("version ", ""))).toBeGreaterThanOrEqual(atLeast);
        reads++;
      }
      return reads;
    });
    for (let version = 1; version <= VERSIONS; version++) {
      const json = { title: `version ${version}` };
      const response = await of(editors, version)(pathOf(written), { method: "PATCH", json });
      expect(response.status).toBe(200);
      confirmed = version;
    }
    finished = true;
    for (const reads of await Promise.all(reading)) expect(reads).toBeGreaterThan(10);
  });

  test(`lose none of ${CHANGES} guarded changes of one post`, async () => {
    const { id } = await createPost(of(editors, 0), { title: "0" });
    const path = `${POSTS}${id}/`;
    await Promise.all(
      Array.from({ length: CHANGES }, async (_, index) => {
        const send = of(editors, index);
        for (let done = false; !done; ) {
          const current = await send(path);
          const { title } = (await current.json()) as { title: string };
          const headers = { "if-match": current.headers.get("etag") ?? "" };
          const json = { title: String(Number(title) + 1) };
          const { status } = await send(path, { method: "PATCH", headers, json });
          expect(status).toBeOneOf([200, 412]);
          done = status === 200;
        }
      }),
    );
    expect((await read(of(everyone, 0), path)).title).toBe(String(CHANGES));
  });

  test("keep the counters exact while all of them create, publish, withdraw and delete posts", async () => {
    await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const send = (path: string, init: object) => of(editors, index)(path, init);
        for (let round = 0; round < 5; round++) {
          const made = await createPost(of(editors, index + round), { published: round % 2 === 0 });
          if (round % 3 === 0)
            await send(pathOf(made), { method: "PATCH", json: { published: !made.published } });
          if (round % 3 === 1) await send(pathOf(made), { method: "DELETE" });
        }
      }),
    );
    for (const [collection, published] of [
      ["posts", true],
      ["drafts", false],
    ] as const) {
      const [row] = await database.read<Record<string, string>>`
        select (select count(*) from posts where published = ${published}) as rows,
          (select sum(n) from counters where name = ${`${collection}:total`}) as total,
          (select sum(n) from counters where name like ${`${collection}:day:%`}) as days,
          (select sum(n) from counters where name like ${`${collection}:month:%`}) as months`;
      const rows = Number(row?.rows);
      expect(rows).toBePositive();
      expect([row?.total, row?.days, row?.months].map(Number)).toEqual([rows, rows, rows]);
    }
  });

  test("share sessions, and end them for all", async () => {
    for (const send of everyone) expect(await whoIs(send, { cookie })).toBe("editor");
    const signOut = { method: "DELETE", headers: { cookie, "sec-fetch-site": "same-origin" } };
    expect((await of(everyone, 1)("/api/session/", signOut)).status).toBe(204);
    for (const send of everyone) expect(await whoIs(send, { cookie })).toBeUndefined();
  });
});
