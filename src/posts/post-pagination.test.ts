import { beforeAll, describe, expect, test } from "bun:test";
import { clear, describeBlog, storePosts } from "../../test/support/records/blog.ts";
import type { PostCollection } from "./post.ts";
import { findDay } from "./post-counters.ts";
import { listPosts } from "./post-pagination.ts";

/** Instants on both sides of the borders of days, months, years and a leap day, some of them several times. */
const INSTANTS = [
  "2020-02-28T23:59:59.999Z",
  "2020-02-29T00:00:00.000Z",
  "2020-02-29T23:59:59.999Z",
  "2020-03-01T00:00:00.000Z",
  "2025-12-31T23:59:59.998Z",
  "2025-12-31T23:59:59.999Z",
  "2025-12-31T23:59:59.999Z",
  "2026-01-01T00:00:00.000Z",
  "2026-01-01T00:00:00.000Z",
  "2026-01-01T00:00:00.001Z",
  "2026-01-31T12:00:00.000Z",
  "2026-02-01T00:00:00.000Z",
  "2026-10-09T09:09:09.009Z",
  "2026-10-10T10:10:10.010Z",
  "2026-11-30T23:59:59.999Z",
];

describeBlog("Pages of posts, newest first", (blog) => {
  describe("of many days", () => {
    let newestFirst: number[] = [];

    beforeAll(async () => {
      // In an order of their own, so that ids and times do not go together.
      const posts = [...INSTANTS.slice(7), ...INSTANTS.slice(0, 7)].map((at) => ({
        createdAt: new Date(at),
        at,
      }));
      const ids = await storePosts(blog.database, posts);
      await storePosts(blog.database, [
        { collection: "drafts", createdAt: new Date("2026-01-15T00:00:00.000Z") },
      ]);
      newestFirst = posts
        .map(({ at }, index) => ({ at, id: ids[index] ?? 0 }))
        .toSorted((one, other) => (one.at === other.at ? other.id - one.id : one.at < other.at ? 1 : -1))
        .map(({ id }) => id);
    });

    test("have the right posts from any offset, with texts of any length", async () => {
      for (let offset = 0; offset <= INSTANTS.length; offset++) {
        for (const limit of [1, 2, 3, INSTANTS.length, 1000])
          expect(await idsOf("posts", offset, limit)).toEqual(newestFirst.slice(offset, offset + limit));
      }
    });

    test("start at the day of their first post, found from the counters", async () => {
      const { read } = blog.database;
      for (const offset of INSTANTS.keys()) {
        const day = await findDay(read, "posts", offset);
        const at = INSTANTS.toReversed()[offset] ?? "";
        const end = new Date(Date.parse(`${at.slice(0, 10)}T00:00:00.000Z`) + 24 * 60 * 60 * 1000);
        const later = INSTANTS.filter((other) => Date.parse(other) >= end.getTime()).length;
        expect(day).toEqual({ end, later });
      }
      expect(await findDay(read, "posts", INSTANTS.length)).toBeUndefined();
      expect(await findDay(read, "drafts", 1)).toBeUndefined();
    });
  });

  describe("of one day", () => {
    test("continue by id among posts of the same instant", async () => {
      await clear(blog);
      const createdAt = new Date("2026-11-21T12:00:00.000Z");
      const ids = await storePosts(
        blog.database,
        Array.from({ length: 50 }, () => ({ createdAt })),
      );
      for (let offset = 0; offset < 50; offset += 7)
        expect(await idsOf("posts", offset, 7)).toEqual(ids.toReversed().slice(offset, offset + 7));
    });
  });

  describe("after days that are empty again", () => {
    test("skip days whose posts were all deleted", async () => {
      await clear(blog);
      await storePosts(
        blog.database,
        INSTANTS.map((at) => ({ createdAt: new Date(at) })),
      );
      await clear(blog);
      const [older, newer] = await storePosts(blog.database, [
        { createdAt: new Date("2020-02-29T12:00:00.000Z") },
        { createdAt: new Date("2026-02-01T00:00:00.000Z") },
      ]);
      expect([...(await idsOf("posts", 0, 1)), ...(await idsOf("posts", 1, 1))]).toEqual([
        newer ?? 0,
        older ?? 0,
      ]);
    });
  });

  async function idsOf(collection: PostCollection, offset: number, limit: number): Promise<number[]> {
    const page = { ordering: ["-created_at"], offset, limit, bytes: 1_000_000 } as const;
    return (await listPosts(blog.database.read, collection, page)).map(({ id }) => id);
  }
});
