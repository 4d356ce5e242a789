import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import { type SmallDisk, smallDisks } from "../../support/databases/small-disk.ts";
import { checkIntegrity } from "../../support/databases/sqlite.ts";
import { bookmarkIn, COLLECTION, create, draft, list, pathOf } from "../../support/records/bookmarks.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { type RunningServer, run, startServer } from "../../support/server/server.ts";

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
/** Room for the tables of an empty database, its log, and a few bookmarks. */
const SMALL = 2 * MEBIBYTE;

for (const kind of smallDisks) {
  describe(`When the disk fills while serving (${kind.name})`, () => {
    test("writes answer 507, reads continue, and writes work again when there is space", async () => {
      using disk = kind.make(SMALL);
      const { server, send, kept } = await startAndFill(disk);

      const [some] = kept;
      const path = some === undefined ? "" : pathOf(some);
      const keyed = { method: "POST", headers: { "idempotency-key": "tried-again" }, json: draft };
      for (const [target, init] of [
        [COLLECTION, { method: "POST", json: draft }],
        [COLLECTION, keyed],
        [path, { method: "PUT", json: draft }],
        [path, { method: "PATCH", json: { title: "Changed" } }],
        [path, { method: "DELETE" }],
      ] as const) {
        const response = await send(target, init);
        expect(Number(response.headers.get("retry-after"))).toBePositive();
        await expectProblem(response, 507);
      }
      const together = await Promise.all(Array.from({ length: 20 }, () => send(COLLECTION, keyed)));
      expect(together.map(({ status }) => status)).toEqual(Array(20).fill(507));

      expect(await list(send)).toEqual(kept.toReversed());
      expect((await send(path)).status).toBe(200);
      expect((await send("/readyz")).status).toBe(200);
      const found = await send(`${COLLECTION}?q=${draft.title}`);
      expect(found.status).toBe(200);
      const missing = Number(found.headers.get("search-behind") ?? 0);
      expect(((await found.json()) as unknown[]).length + missing).toBe(kept.length);

      disk.enlarge(64 * MEBIBYTE, server.pid);
      const response = await send(COLLECTION, keyed);
      expect(response.status).toBe(201);
      const more = [await bookmarkIn(response), await create(send, { description: "x".repeat(20_000) })];
      expect(await list(send)).toEqual([...kept, ...more].toReversed());
      expect(await server.stop()).toBe(0);
      checkIntegrity(databaseOn(disk));
    });

    test("the server can be stopped, and has everything when it restarts with space", async () => {
      using disk = kind.make(SMALL);
      const { server, kept } = await startAndFill(disk);
      expect(await server.stop()).toBe(0);
      disk.enlarge(64 * MEBIBYTE);
      const again = await startServer({ DATABASE_URL: `sqlite:${databaseOn(disk)}` });
      expect(await list(sendTo(again.url))).toEqual(kept.toReversed());
      expect(await again.stop()).toBe(0);
      checkIntegrity(databaseOn(disk));
    });
  });

  describe(`When the disk is full from the start (${kind.name})`, () => {
    test("the server reports it in one line, with exit code 1, and starts when there is space", async () => {
      using disk = kind.make(32 * KIBIBYTE);
      const path = databaseOn(disk);
      const env = { PORT: "0", DATABASE_URL: `sqlite:${path}` };
      const { code, stdout, stderr } = await run(["serve"], { env, under: disk.under });
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(/^commonplace: [^\n]*full[^\n]*\n$/);
      expect(stderr).toContain(path);

      disk.enlarge(64 * MEBIBYTE);
      const server = await startServer({ DATABASE_URL: env.DATABASE_URL });
      await create(sendTo(server.url));
      expect(await server.stop()).toBe(0);
    });
  });
}

/** Starts a server on a small disk and creates bookmarks until it reports that the disk is full. */
async function startAndFill(
  disk: SmallDisk,
): Promise<{ server: RunningServer; send: Send; kept: BookmarkResponse[] }> {
  const settings = { DATABASE_URL: `sqlite:${databaseOn(disk)}` };
  const server = await startServer(settings, { under: disk.under });
  const send = sendTo(server.url);
  const kept: BookmarkResponse[] = [];
  // Fills the last space with smaller and smaller writes, until even the smallest one fails.
  for (const size of [20_000, 2_000, 0]) {
    const json = { ...draft, description: "x".repeat(size) };
    let response = await send(COLLECTION, { method: "POST", json });
    for (; response.status === 201; response = await send(COLLECTION, { method: "POST", json })) {
      kept.push(await bookmarkIn(response));
      expect(kept.length).toBeLessThan(1_000);
    }
    await expectProblem(response, 507);
  }
  expect(kept.length).toBeGreaterThan(5);
  return { server, send, kept };
}

function databaseOn(disk: SmallDisk): string {
  return join(disk.path, "test.db");
}
