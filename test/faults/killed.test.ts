import { expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { BookmarkResponse } from "../../src/bookmarks/bookmark.ts";
import { create, list, pathOf } from "../support/bookmarks.ts";
import { Ledger, writeUntilCutOff } from "../support/ledger.ts";
import { type Send, sendTo } from "../support/send.ts";
import { startServer, temporaryFolder } from "../support/server.ts";
import { checkIntegrity } from "../support/sqlite.ts";

const ROUNDS = Number(process.env.KILL_ROUNDS ?? 5);
const WRITERS = 8;

test(`A server that is killed ${ROUNDS} times while it writes loses nothing that it confirmed, keeps nothing by halves, and gives no id twice`, async () => {
  using folder = temporaryFolder();
  const path = folder.file("test.db");
  const ledger = new Ledger();
  const settings = { DATABASE_URL: `sqlite:${path}` };

  for (let round = 1; round <= ROUNDS; round++) {
    const server = await startServer(settings);
    const send = sendTo(server.url);
    ledger.compare(await list(send), round);
    const first = await create(send, { title: `round ${round}` });
    expect(first.id).toBeGreaterThan(ledger.highestId);
    ledger.created(first);

    const until = ledger.confirmations + Math.ceil(Math.random() * 400);
    const writers = Array.from({ length: WRITERS }, (_, index) =>
      writeUntilCutOff(send, ledger, `round ${round}, writer ${index}`),
    );
    await ledger.reaches(until);
    // Right after an answer is right after a commit: a moment later, the next one is under way.
    await sleep(Math.random() * 4);
    await server.kill();
    await Promise.all(writers);
    checkIntegrity(path);
  }

  const server = await startServer(settings);
  const left = await list(sendTo(server.url));
  ledger.compare(left, ROUNDS + 1);
  // Only when the highest id is a deleted one can it be seen that none is used again.
  for (const bookmark of left) await remove(sendTo(server.url), bookmark);
  await server.kill();

  const last = await startServer(settings);
  expect(await list(sendTo(last.url))).toEqual([]);
  expect((await create(sendTo(last.url))).id).toBeGreaterThan(ledger.highestId);
  expect(await last.stop()).toBe(0);
  checkIntegrity(path);
  console.log(
    `${ROUNDS} kills, ${ledger.confirmations} confirmed writes, ${ledger.cutOff} cut off in flight`,
  );
  expect(ledger.cutOff).toBePositive();
});

async function remove(send: Send, bookmark: BookmarkResponse): Promise<void> {
  expect((await send(pathOf(bookmark), { method: "DELETE" })).status).toBe(204);
}
