import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { useLimits } from "../../test/support/given/use-limits.ts";
import { StoppedClock } from "../../test/support/machine/stopped-clock.ts";
import { engines } from "../../test/support/server/engines.ts";
import { insertBookmark } from "../bookmarks/bookmark-writer.ts";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open.ts";
import type { Quote } from "./mark.ts";
import { keepMark } from "./mark-changes.ts";
import { marksOf } from "./mark-store.ts";

const quote = (words: string): Quote => ({
  ...{ quote: words, prefix: "before ", suffix: " after", position: 7 },
});

for (const engine of engines)
  describe(`Marks (${engine.name})`, () => {
    useLimits({ marksPerBookmark: 2 });
    const toEnd = new AsyncDisposableStack();
    const clock = new StoppedClock();
    let database: Database;
    beforeAll(async () => {
      const { url } = toEnd.use(await engine.createDatabase());
      database = await openDatabase(url, { clock });
      toEnd.defer(() => database.close());
    });
    afterAll(() => toEnd.disposeAsync());

    const mark = (bookmarkId: number, words: string) =>
      database.write((sql) =>
        keepMark(sql, quote(words), { bookmarkId, note: "", accountId: undefined }, clock.now()),
      );

    test("are kept up to the limit of a bookmark, and by none that is not there", async () => {
      const { id } = await database.write((sql) =>
        insertBookmark(
          sql,
          { title: "A", url: "https://example.com/", description: "" },
          undefined,
          clock.now(),
        ),
      );
      await mark(id, "one");
      await mark(id, "two");
      await expect(mark(id, "three")).rejects.toMatchObject({ reason: "conflict" });
      await expect(mark(id + 1, "one")).rejects.toMatchObject({ reason: "not_found" });
      const kept = await marksOf(database.read, [id]);
      expect(kept.map(({ id: _, ...rest }) => rest)).toEqual(
        ["one", "two"].map((words) => ({
          ...{ ...quote(words), bookmarkId: id, note: "", version: 1, createdBy: null },
          ...{ createdAt: clock.now(), updatedAt: clock.now() },
        })),
      );
    });
  });
