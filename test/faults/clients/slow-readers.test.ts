import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import { useRealTimeLimits } from "../../support/given/real-time-limits.ts";
import { openFilesLimit, residentBytes } from "../../support/machine/memory.ts";
import { until } from "../../support/machine/until.ts";
import { COLLECTION, create, draft, fill } from "../../support/records/bookmarks.ts";
import { checkProblem } from "../../support/requests/problems.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { type RunningServer, startServer, temporaryFolder } from "../../support/server/server.ts";

useRealTimeLimits();

const COUNT = 200_000;
const READERS = 6_000;
const MEBIBYTE = 1024 * 1024;

describe.skipIf(process.platform !== "linux" || openFilesLimit("self") < READERS + 500)(
  `${READERS} slow readers of a list of ${COUNT.toLocaleString("en")}`,
  () => {
    const folder = temporaryFolder();
    let server: RunningServer;
    let send: Send;
    let before = 0;
    let highest = 0;
    let readers: Bun.Subprocess<"pipe", "pipe", "inherit">;

    beforeAll(async () => {
      const DATABASE_URL = `sqlite:${folder.file("test.db")}`;
      await fill(DATABASE_URL, COUNT, 100);
      server = await startServer({ DATABASE_URL });
      send = sendTo(server.url);
      await create(send);
      before = residentBytes(server.pid);
      const program = fileURLToPath(new URL("../../support/requests/slow-readers.ts", import.meta.url));
      readers = Bun.spawn([process.execPath, program, server.url, String(READERS), COLLECTION], {
        stdin: "pipe",
        stdout: "pipe",
        stderr: "inherit",
      });
      const watching = setInterval(() => {
        highest = Math.max(highest, residentBytes(server.pid));
      }, 20);
      await readers.stdout.getReader().read();
      clearInterval(watching);
    });

    afterAll(async () => {
      readers.kill();
      await server.kill();
      folder[Symbol.dispose]();
    });

    test("cost less than 256 MB", () => {
      expect((highest - before) / MEBIBYTE).toBeLessThan(256);
    });

    test("do not block other reads and writes", async () => {
      // While the server reads 6,000 requests at once, it may answer others with 503.
      for (let count = 0; count < 20; count++) {
        const taken = async () => (await send(COLLECTION, { method: "POST", json: draft })).ok;
        await until("a bookmark is taken", taken);
        await until("a page is answered", async () => (await send(`${COLLECTION}?limit=10`)).ok);
      }
    });

    test("get 503, or are disconnected to make room for a client that reads fast enough", async () => {
      let response = await send(COLLECTION);
      await until("there is room for the list", async () => {
        if (response.ok) return true;
        expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
        checkProblem(await response.json(), 503);
        response = await send(COLLECTION);
        return response.ok;
      });
      expect((await response.json()) as BookmarkResponse[]).toHaveLength(COUNT + 21);
      expect((residentBytes(server.pid) - before) / MEBIBYTE).toBeLessThan(256);
    });
  },
);
