import { expect, test } from "bun:test";
import { join } from "node:path";
import { fullRunTest } from "../test/support/run/full-run.ts";
import { run, temporaryFolder } from "../test/support/server/server.ts";
import { madeUpBookmarks } from "./made-up-bookmarks.ts";
import { SEED_POSTS } from "./posts.ts";

const END = new Date("2026-11-22T20:00:00Z");

test("made-up bookmarks are the same every time, have a URL each, and are spread over ten years", () => {
  const bookmarks = madeUpBookmarks(612, END);
  expect(madeUpBookmarks(612, END)).toEqual(bookmarks);
  expect(new Set(bookmarks.map(({ url }) => url)).size).toBe(612);
  expect(new Set(bookmarks.map(({ title }) => title)).size).toBe(612);
  for (const { url, title } of bookmarks) {
    expect(new URL(url).href).toBe(url);
    expect(new URL(url).host).toEndWith(".example");
    expect(title.length).toBeWithin(3, 201);
  }
  const years = new Set(bookmarks.map(({ createdAt }) => createdAt.getUTCFullYear()));
  expect(years.size).toBeGreaterThanOrEqual(10);
  expect(Math.max(...bookmarks.map(({ createdAt }) => createdAt.getTime()))).toBeLessThan(END.getTime());
});

test("posts are in the order of their days", () => {
  const days = SEED_POSTS.map(({ day }) => day);
  expect(days).toEqual(days.toSorted());
});

fullRunTest(
  "npm run seed fills an empty database, once, and leaves one that is not empty as it is",
  async () => {
    using folder = temporaryFolder();
    const DATABASE_URL = `sqlite:${folder.file("seed.db")}`;
    const seed = () =>
      Bun.spawnSync([process.execPath, join(import.meta.dir, "seed.ts"), "--bookmarks", "30"], {
        env: { PATH: process.env.PATH ?? "", DATABASE_URL },
        stderr: "pipe",
      });
    expect(seed().exitCode).toBe(0);
    const again = seed();
    expect(again.exitCode).toBe(1);
    expect(again.stderr.toString()).toContain("is not empty");
    expect(await run(["check"], { env: { DATABASE_URL } })).toMatchObject({ code: 0 });
  },
);
