import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { COLLECTION, create, draft, fill, list } from "../../support/records/bookmarks.ts";
import { head, RawConnection } from "../../support/requests/raw-http.ts";
import { sendTo } from "../../support/requests/send.ts";
import { casesOf, fullRunTest } from "../../support/run/full-run.ts";
import { describeHttp } from "../../support/server/contract.ts";
import type { RunningServer } from "../../support/server/server.ts";

/** A server that has not stopped by then waits for a client, in milliseconds: its grace is 5 s. */
const PATIENCE = 90_000;
const body = JSON.stringify(draft);
const upload = head({
  method: "POST",
  target: COLLECTION,
  fields: { "content-type": "application/json" },
  body,
});

describeHttp("Stopping", (service) => {
  for (const signal of casesOf(["SIGTERM", "SIGINT"] as const, 0)) {
    describe(`on ${signal}`, () => {
      test("ends with exit code 0 at once when there is nothing to do, whatever connections are open", async () => {
        const server = await service.startAnother();
        using idle = await RawConnection.open(server.url);
        idle.write(head({ method: "GET", target: COLLECTION }));
        await idle.answer("GET");
        using _silent = await RawConnection.open(server.url);
        expect(await exitCodeAfter(signal, server, 2_000)).toBe(0);
        expect(await idle.closed()).toBeTrue();
      });

      test("completes an upload in progress, and answers it", async () => {
        const DATABASE_URL = await service.createDatabase();
        const server = await service.startAnother({ DATABASE_URL });
        using slow = await RawConnection.open(server.url);
        slow.write(upload + body.slice(0, 10));
        await reached(server);
        process.kill(server.pid, signal);
        await refusesConnections(server.url);
        slow.write(body.slice(10));
        expect((await slow.answer("POST")).status).toBe(201);
        expect(await server.exited).toBe(0);
        const next = await service.startAnother({ DATABASE_URL });
        expect(await list(sendTo(next.url))).toEqual([expect.objectContaining(draft)]);
      });

      test("completes a list that is being read", async () => {
        const DATABASE_URL = await service.createDatabase();
        await fill(DATABASE_URL, 5_000, 1_000);
        const server = await service.startAnother({ DATABASE_URL });
        using reader = await RawConnection.open(server.url);
        reader.write(head({ method: "GET", target: COLLECTION }));
        await reader.beginning();
        process.kill(server.pid, signal);
        await refusesConnections(server.url);
        const response = await reader.answer("GET");
        expect(response.complete).toBeTrue();
        expect(JSON.parse(response.body)).toHaveLength(5_000);
        expect(await server.exited).toBe(0);
      });

      test("keeps every write that it has confirmed, and closes the database", async () => {
        const DATABASE_URL = await service.createDatabase();
        const server = await service.startAnother({ DATABASE_URL });
        const writes = Array.from({ length: 200 }, () => create(sendTo(server.url)).catch(() => undefined));
        await Promise.race(writes);
        expect(await exitCodeAfter(signal, server, PATIENCE)).toBe(0);
        const confirmed = (await Promise.all(writes)).filter((bookmark) => bookmark !== undefined);
        for (const file of sideFilesOf(DATABASE_URL)) expect(existsSync(file)).toBeFalse();
        const next = await service.startAnother({ DATABASE_URL });
        expect(await list(sendTo(next.url))).toEqual(expect.arrayContaining(confirmed));
        expect(server.lines.at(-1)).toContain("Stopped");
      });
    });
  }

  fullRunTest("does not wait for a client that sends without end", async () => {
    const server = await service.startAnother();
    using endless = await RawConnection.open(server.url);
    endless.write(upload);
    const dripping = setInterval(() => endless.write(" "), 200);
    await reached(server);
    expect(await exitCodeAfter("SIGTERM", server, PATIENCE)).toBe(0);
    clearInterval(dripping);
  });
});

/** Its exit code, or what it has not done. */
async function exitCodeAfter(
  signal: NodeJS.Signals,
  server: RunningServer,
  limit: number,
): Promise<number | string> {
  process.kill(server.pid, signal);
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(`not ended after ${limit} ms`), limit);
  const code = await Promise.race([server.exited, promise]);
  clearTimeout(timer);
  return code;
}

/** Resolves when the server has read everything that was sent to it before: it serves in turn. */
async function reached(server: RunningServer): Promise<void> {
  await list(sendTo(server.url), "?limit=1");
}

/** Resolves when nothing listens there any more. */
async function refusesConnections(url: string): Promise<void> {
  while (true) {
    try {
      using _connection = await RawConnection.open(url);
    } catch {
      return;
    }
  }
}

/** The files that an engine has beside its database while that is open. */
function sideFilesOf(databaseUrl: string): string[] {
  const path = /^sqlite:(.*)$/.exec(databaseUrl)?.[1];
  return path === undefined ? [] : [`${path}-wal`, `${path}-shm`];
}
