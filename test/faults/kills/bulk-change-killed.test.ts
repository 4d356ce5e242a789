import { expect, test } from "bun:test";
import { changeBookmarks } from "../../../src/bookmarks/bookmark-writer.ts";
import type { Database } from "../../../src/database/database.ts";
import { openBeside } from "../../support/databases/database.ts";
import { until } from "../../support/machine/until.ts";
import { json } from "../../support/records/tags.ts";
import { sendTo } from "../../support/requests/send.ts";
import { describeApp } from "../../support/server/contract.ts";

const BOOKMARKS = 10_000;
const BATCH = 500;

// Several server processes are killed in killed.test.ts.
describeApp("A change of many bookmarks that is killed", (service) => {
  test("is atomic in each batch, can be undone as far as it got, and an interrupted undo can be continued", async () => {
    const databaseUrl = await service.createDatabase();
    const first = await service.startAnother({ DATABASE_URL: databaseUrl });
    const database = await openBeside(databaseUrl);
    await fillWithTag(database);

    // The kill comes in the middle of the change.
    const renaming = fetch(`${first.url}/api/tags/?name=old`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "new" }),
    }).catch(() => undefined);
    await until("some batches are renamed", async () => (await counts(database)).recorded >= 3 * BATCH);
    await first.kill();
    await renaming;
    const second = await service.startAnother({ DATABASE_URL: databaseUrl });
    const renamed = await counts(database);
    expect(renamed.after % BATCH).toBe(0);
    expect(renamed).toEqual({
      before: BOOKMARKS - renamed.after,
      after: renamed.after,
      recorded: renamed.after,
    });
    expect(renamed.before).toBeGreaterThan(0);

    // The kill comes in the middle of the undo.
    const send = sendTo(second.url);
    const [change] = await json<{ undo: string; bookmarks: number }[]>(send, "/api/undo/");
    expect(change?.bookmarks).toBe(renamed.after);
    const undoing = fetch(`${second.url}${change?.undo}`, { method: "POST" }).catch(() => undefined);
    await until("a batch is undone", async () => (await counts(database)).recorded < renamed.after);
    await second.kill();
    await undoing;
    const third = await service.startAnother({ DATABASE_URL: databaseUrl });
    const left = await counts(database);
    expect(left.after % BATCH).toBe(0);
    expect(left).toEqual({ before: BOOKMARKS - left.after, after: left.after, recorded: left.after });

    const undone = await json(sendTo(third.url), String(change?.undo), { method: "POST" });
    expect(undone).toEqual({ changed: left.after, kept: [], gone: 0 });
    expect(await counts(database)).toEqual({ before: BOOKMARKS, after: 0, recorded: 0 });
    await database.close();
  });
});

async function fillWithTag(database: Database): Promise<void> {
  const createdAt = new Date();
  await database.write((sql) =>
    changeBookmarks(sql, createdAt, async (writer) => {
      for (let start = 0; start < BOOKMARKS; start += 50)
        await writer.insertMany(
          Array.from({ length: 50 }, (_, n) => ({
            ...{ title: "t", url: `https://example.com/${start + n}`, description: "#old #x", createdAt },
          })),
        );
    }),
  );
}

/** The number of bookmarks with the old and with the new tag, and of rows in the record of the change, in one snapshot. */
async function counts({ read }: Database) {
  const [row] = await read<{ before: number; after: number; recorded: number }>`
    select count(*) filter (where description = '#old #x') as before,
      count(*) filter (where description = '#x #new') as after,
      (select count(*) from change_rows) as recorded
    from bookmarks`;
  return { before: Number(row?.before), after: Number(row?.after), recorded: Number(row?.recorded) };
}
