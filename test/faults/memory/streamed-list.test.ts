import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import { useRealTimeLimits } from "../../support/given/real-time-limits.ts";
import { residentBytes } from "../../support/machine/memory.ts";
import { COLLECTION, create, fill, pathOf } from "../../support/records/bookmarks.ts";
import { head, RawConnection } from "../../support/requests/raw-http.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { startApp } from "../../support/server/app.ts";
import { type RunningServer, startServer, temporaryFolder } from "../../support/server/server.ts";

useRealTimeLimits();

const COUNT = 50_000;
const MEBIBYTE = 1024 * 1024;
const getList = head({ method: "GET", target: COLLECTION });

describe(`A list of ${COUNT.toLocaleString("en")} bookmarks`, () => {
  const folder = temporaryFolder();
  let server: RunningServer;
  let send: Send;
  beforeAll(async () => {
    const DATABASE_URL = `sqlite:${folder.file("test.db")}`;
    await fill(DATABASE_URL, COUNT, 1_000);
    server = await startServer({ DATABASE_URL });
    send = sendTo(server.url);
  });
  afterAll(async () => {
    await server.kill();
    folder[Symbol.dispose]();
  });

  test("contains each record that exists throughout exactly once, in order, while others are written", async () => {
    const touched = new Set<number>();
    using reader = await RawConnection.open(server.url);
    reader.write(getList);
    await reader.beginning();
    // These changes are beyond what the server can have read ahead, or before what it has read.
    for (let count = 0; count < 20; count++) {
      touched.add((await create(send)).id);
      for (const [id, method] of [
        [1_000 + count, "DELETE"],
        [2_000 + count, "PATCH"],
        [COUNT - count, "DELETE"],
      ] as const) {
        const json = method === "PATCH" ? { json: { title: "changed" } } : {};
        expect((await send(pathOf({ id }), { method, ...json })).ok).toBeTrue();
        touched.add(id);
      }
    }
    const response = await reader.answer("GET");
    expect(response.complete).toBeTrue();
    const ids = (JSON.parse(response.body) as BookmarkResponse[]).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const untouched = Array.from({ length: COUNT }, (_, index) => COUNT - index);
    expect(ids.filter((id) => !touched.has(id))).toEqual(untouched.filter((id) => !touched.has(id)));
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
    for (let count = 0; count < 20; count++) {
      expect(ids).not.toContain(1_000 + count);
      expect(ids.filter((id) => id === 2_000 + count)).toHaveLength(1);
    }
  });

  test("answers HEAD with the headers of GET, without reading it", async () => {
    const heads: number[] = [];
    const response = await send(COLLECTION, { method: "HEAD" });
    // The fastest counts: on a busy machine any of them may have been interrupted.
    for (let count = 0; count < 5; count++) {
      const started = performance.now();
      await send(COLLECTION, { method: "HEAD" });
      heads.push(performance.now() - started);
    }
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    const started = performance.now();
    const got = await send(COLLECTION);
    expect(response.headers.get("etag")).toBe(got.headers.get("etag"));
    await got.bytes();
    const whole = performance.now() - started;
    expect(Math.min(...heads) / whole).toBeLessThan(0.5);
  });

  test("answers If-None-Match without reading it", async () => {
    const etag = (await send(COLLECTION, { method: "HEAD" })).headers.get("etag") ?? "";
    const response = await send(COLLECTION, { headers: { "if-none-match": etag } });
    expect(response.status).toBe(304);
  });

  test.skipIf(process.platform !== "linux")("leaves memory flat, however slow its readers are", async () => {
    const before = residentBytes(server.pid);
    const readers: RawConnection[] = [];
    for (let count = 0; count < 6; count++) {
      const reader = await RawConnection.open(server.url);
      reader.write(getList);
      await reader.beginning();
      readers.push(reader);
    }
    // Every reader is receiving a list of 53 MiB, and other requests are served meanwhile.
    let highest = 0;
    for (let count = 0; count < 300; count++) {
      await create(send);
      highest = Math.max(highest, residentBytes(server.pid));
    }
    expect((highest - before) / MEBIBYTE).toBeLessThan(160);
    const [slow, ...others] = readers;
    for (const reader of others) reader[Symbol.dispose]();
    const response = await slow?.answer("GET");
    expect(response?.complete).toBeTrue();
    expect((residentBytes(server.pid) - before) / MEBIBYTE).toBeLessThan(160);
    slow?.[Symbol.dispose]();
  });
});

test("Other requests are served between the batches of a list, even if it is read as fast as it is made", async () => {
  using folder = temporaryFolder();
  const DATABASE_URL = `sqlite:${folder.file("test.db")}`;
  await fill(DATABASE_URL, 20_000);
  const app = await startApp({ DATABASE_URL });
  let turns = 0;
  let reading = true;
  const takeTurn = () => {
    turns++;
    if (reading) setImmediate(takeTurn);
  };
  setImmediate(takeTurn);
  const { body } = await app.request(COLLECTION);
  const before = turns;
  for await (const _piece of body ?? []);
  reading = false;
  await app.close();
  // A batch has a thousand records at most. Two batches were read before the first turn could be counted.
  expect(turns - before).toBeGreaterThanOrEqual(15);
});
