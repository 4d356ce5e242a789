import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import { countChange } from "../../../src/bookmarks/bookmark-store.ts";
import { openBeside } from "../../support/databases/database.ts";
import { nextOf } from "../../support/pages/pages.ts";
import { COLLECTION, create, fill, list, pathOf } from "../../support/records/bookmarks.ts";
import { expectErrors } from "../../support/requests/problems.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { rounds } from "../../support/run/full-run.ts";
import { describeContract } from "../../support/server/contract.ts";

describeContract("The list", (service) => {
  test("is ordered by created_at, then id, both descending", async () => {
    const DATABASE_URL = await service.createDatabase();
    const send = sendTo((await service.serveAnother({ DATABASE_URL })).url);
    for (let index = 0; index < 9; index++) await create(send);
    const ids = (await list(send)).map(({ id }) => id).toSorted((a, b) => a - b);
    const [a = 0, b = 0, c = 0] = ids;
    await setCreatedAt(DATABASE_URL, [c], "2026-03-01T00:00:00.000Z");
    await setCreatedAt(DATABASE_URL, ids.slice(3), "2026-02-01T00:00:00.000Z");
    await setCreatedAt(DATABASE_URL, [a, b], "2026-01-01T00:00:00.000Z");
    const expected = [c, ...ids.slice(3).toReversed(), b, a];
    expect((await list(send)).map(({ id }) => id)).toEqual(expected);
    for (const limit of [1, 2, 4]) {
      expect((await pagesOf(send, `?limit=${limit}`)).flat().map(({ id }) => id)).toEqual(expected);
    }
  });

  describe("in pages", () => {
    test("has `limit` bookmarks on each page but the last, and every bookmark once", async () => {
      const DATABASE_URL = await service.createDatabase();
      await fill(DATABASE_URL, 25);
      const send = sendTo((await service.serveAnother({ DATABASE_URL })).url);
      const all = await list(send);
      const sizes: Record<number, number[]> = {
        10: [10, 10, 5],
        5: [5, 5, 5, 5, 5],
        24: [24, 1],
        25: [25],
        26: [25],
      };
      for (const [limit, expected] of Object.entries(sizes)) {
        const pages = await pagesOf(send, `?limit=${limit}`);
        expect(pages.map(({ length }) => length)).toEqual(expected);
        expect(pages.flat()).toEqual(all);
      }
    });

    test("of an empty collection is one empty page without a Link", async () => {
      const app = await service.startApp();
      const response = await app.request(`${COLLECTION}?limit=10`);
      expect(await response.json()).toEqual([]);
      expect(response.headers.has("link")).toBeFalse();
    });

    test("is without Link when no limit is given", async () => {
      for (let index = 0; index < 3; index++) await create(service.send);
      expect((await service.send(COLLECTION)).headers.has("link")).toBeFalse();
    });

    test("keeps the query in Link", async () => {
      for (let index = 0; index < 3; index++) await create(service.send);
      const response = await service.send(`${COLLECTION}?x=a%20b%26c&limit=1&x=%C3%A9&empty=`);
      const next = nextOf(response) ?? "";
      expect(next).toStartWith("/bookmarks/?");
      const query = new URL(next, service.url).searchParams;
      expect(query.getAll("x")).toEqual(["a b&c", "é"]);
      expect([query.get("empty"), query.get("limit")]).toEqual(["", "1"]);
      expect(query.getAll("cursor")).toHaveLength(1);
      const second = await service.send(next);
      expect(new URL(nextOf(second) ?? "", service.url).searchParams.getAll("cursor")).toHaveLength(1);
    });

    test("continues with another limit", async () => {
      const DATABASE_URL = await service.createDatabase();
      await fill(DATABASE_URL, 6);
      const send = sendTo((await service.serveAnother({ DATABASE_URL })).url);
      const next = nextOf(await send(`${COLLECTION}?limit=2`)) ?? "";
      const titles = (await list(send, next.replace(/^[^?]*/, "").replace("limit=2", "limit=3"))).map(
        ({ title }) => title,
      );
      expect(titles).toEqual(["3", "2", "1"]);
    });

    for (const cursor of [
      "x",
      "AAAA",
      "%20",
      "bnVsbA",
      "Li4u",
      "0",
      "9999999999999",
      "W10",
      "%F0%9F%98%80",
    ]) {
      test(`refuses an invalid cursor: "${cursor}"`, async () => {
        const response = await service.send(`${COLLECTION}?limit=1&cursor=${cursor}`);
        await expectErrors(response, { parameter: "cursor", code: "bad_cursor" });
      });
    }

    test("reports all errors at once, including the cursor", async () => {
      await expectErrors(
        await service.send(`${COLLECTION}?limit=0&cursor=none`),
        { parameter: "limit", code: "out_of_range" },
        { parameter: "cursor", code: "bad_cursor" },
      );
    });

    test("continues after a bookmark that is deleted meanwhile", async () => {
      const made: BookmarkResponse[] = [];
      for (let index = 0; index < 4; index++) made.push(await create(service.send));
      const first = await service.send(`${COLLECTION}?limit=2`);
      const next = nextOf(first) ?? "";
      const [newest, second] = (await first.json()) as BookmarkResponse[];
      for (const gone of [newest, second])
        await service.send(pathOf(gone ?? { id: 0 }), { method: "DELETE" });
      const page = (await (await service.send(next)).json()) as BookmarkResponse[];
      expect(page).toEqual([made[1], made[0]] as BookmarkResponse[]);
    });

    test("has every bookmark that exists throughout exactly once, during any writes", async () => {
      const { database, request } = await service.startApp();
      const count = fc.integer({ min: 0, max: 15 });
      const pages = fc.array(meanwhile, { minLength: 1, maxLength: 6 });
      const property = fc.asyncProperty(count, pages, async (count, pages) => {
        await database.write((sql) => sql`delete from bookmarks`);
        const ids: number[] = [];
        for (let index = 0; index < count; index++) ids.unshift((await create(request)).id);
        const gone = new Set<number>();
        const seen: number[] = [];
        let next: string | undefined = `${COLLECTION}?limit=1`;
        for (let page = 0; next !== undefined; page++) {
          const { limit, created, deleted, changed } = pages[page % pages.length] ?? unchanged;
          const response: Response = await request(next.replace(/limit=\d+/, `limit=${limit}`));
          seen.push(...((await response.json()) as BookmarkResponse[]).map(({ id }) => id));
          next = nextOf(response);
          for (let index = 0; index < created; index++) await create(request);
          for (const id of pick(ids, deleted)) {
            await request(pathOf({ id }), { method: "DELETE" });
            gone.add(id);
          }
          for (const id of pick(ids, changed)) {
            await request(pathOf({ id }), { method: "PATCH", json: { title: `changed ${page}` } });
          }
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen.filter((id) => !gone.has(id))).toEqual(ids.filter((id) => !gone.has(id)));
      });
      await fc.assert(property, { seed: 20_261_121, numRuns: rounds(5, 25) });
    });
  });
});

/** What is written while a page is read: how many new ones, and which of the others, by place. */
const meanwhile = fc.record({
  limit: fc.integer({ min: 1, max: 5 }),
  created: fc.integer({ min: 0, max: 3 }),
  deleted: fc.array(fc.nat(), { maxLength: 2 }),
  changed: fc.array(fc.nat(), { maxLength: 2 }),
});
const unchanged = { limit: 1, created: 0, deleted: [], changed: [] };

function pick(ids: readonly number[], places: readonly number[]): number[] {
  return places.flatMap((place) => ids[place % ids.length] ?? []);
}

/** Every page from the first, by the links. */
async function pagesOf(send: Send, query: string): Promise<BookmarkResponse[][]> {
  const pages: BookmarkResponse[][] = [];
  let next: string | undefined = COLLECTION + query;
  while (next !== undefined) {
    const response: Response = await send(next);
    expect(response.status).toBe(200);
    pages.push((await response.json()) as BookmarkResponse[]);
    next = nextOf(response);
  }
  return pages;
}

async function setCreatedAt(databaseUrl: string, ids: readonly number[], time: string): Promise<void> {
  const database = await openBeside(databaseUrl);
  await database.write(async (sql) => {
    await sql`update bookmarks set created_at = ${new Date(time)} where id in ${ids}`;
    await countChange(sql, ids.length, 0);
  });
  await database.close();
}
