import { expect, test } from "bun:test";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import { until } from "../../support/machine/until.ts";
import { COLLECTION, draft, list } from "../../support/records/bookmarks.ts";
import { fieldOf, head, RawConnection } from "../../support/requests/raw-http.ts";
import { sendTo } from "../../support/requests/send.ts";
import { describeContract } from "../../support/server/contract.ts";

const CLIENTS = 16;

describeContract("A server that is stopped under load", (service) => {
  test("answers pending requests, closes each connection afterwards, and aborts none", async () => {
    const DATABASE_URL = await service.createDatabase();
    const server = await service.startAnother({ DATABASE_URL });
    const confirmed: number[] = [];
    const working = Array.from({ length: CLIENTS }, (_, client) =>
      workUntilClosed(server.url, client, confirmed),
    );
    await until("every client is at work", async () => confirmed.length > 10 * CLIENTS, { every: 1 });
    process.kill(server.pid, "SIGTERM");
    expect(await Promise.all(working)).toEqual(Array(CLIENTS).fill("closed"));
    expect(await server.exited).toBe(0);

    const next = await service.startAnother({ DATABASE_URL });
    const kept = (await list(sendTo(next.url))).map(({ id }) => id);
    expect(kept.toSorted(ascending)).toEqual(confirmed.toSorted(ascending));
  });

  test("stores nothing of unanswered requests, even if clients keep connecting until it has exited", async () => {
    const DATABASE_URL = await service.createDatabase();
    const server = await service.startAnother({ DATABASE_URL });
    const confirmed: number[] = [];
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      while (await listens(server.url)) await workUntilClosed(server.url, client, confirmed).catch(() => {});
    });
    await until("every client is at work", async () => confirmed.length > 10 * CLIENTS, { every: 1 });
    process.kill(server.pid, "SIGTERM");
    expect(await server.exited).toBe(0);
    await Promise.all(clients);

    const next = await service.startAnother({ DATABASE_URL });
    const kept = (await list(sendTo(next.url))).map(({ id }) => id);
    expect(kept.toSorted(ascending)).toEqual(confirmed.toSorted(ascending));
  });
});

/**
 * Creates bookmarks over one connection, one after another, until a response announces that the connection
 * closes.
 * @param confirmed collects the ids of the confirmed bookmarks
 * @throws when a request gets no response
 */
async function workUntilClosed(url: string, client: number, confirmed: number[]): Promise<string> {
  using connection = await RawConnection.open(url);
  const body = JSON.stringify({ ...draft, title: `of client ${client}` });
  const fields = { "content-type": "application/json" };
  const request = head({ method: "POST", target: COLLECTION, fields, body }) + body;
  while (true) {
    connection.write(request);
    const response = await connection.answer("POST");
    expect([response.status, response.complete]).toEqual([201, true]);
    confirmed.push((JSON.parse(response.body) as BookmarkResponse).id);
    if (fieldOf(response, "connection") !== "close") continue;
    return (await connection.closed()) ? "closed" : "announced, but left open";
  }
}

async function listens(url: string): Promise<boolean> {
  try {
    using _connection = await RawConnection.open(url);
    return true;
  } catch {
    return false;
  }
}

function ascending(one: number, other: number): number {
  return one - other;
}
