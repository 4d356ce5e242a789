import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { insertPost } from "../../src/posts/post-store.ts";
import { importSite } from "../../src/transfer/import/import-records.ts";
import { stageSite } from "../../src/transfer/stage-site.ts";
import { embeddedPostgres, postgresEngine } from "../support/databases/postgres.ts";
import { archiveOf } from "../support/files/archive-file.ts";
import { inMemory, zipOf } from "../support/files/zip.ts";
import type { TestDatabase } from "../support/server/engines.ts";

const WHEN = "2026-11-21T06:40:12.345Z";

describe("An import of a blog or archive, on PostgreSQL", () => {
  let place: TestDatabase;
  let database: Database;
  let other: Database;

  beforeEach(async () => {
    place = await postgresEngine(embeddedPostgres).createDatabase();
    database = await openDatabase(place.url);
    other = await openDatabase(place.url);
  });

  afterEach(async () => {
    await database.close();
    await other.close();
    await place[Symbol.asyncDispose]();
  });

  const staged = async (bytes: Buffer) => {
    const site = await stageSite(inMemory(bytes), { fileName: "site.zip", now: new Date() });
    if (site === undefined) throw new Error("no format knows this file");
    return site;
  };

  /** What somebody else writes. @returns the ids */
  const writeOthers = async (title: string, writer = other) => {
    const now = new Date();
    const post = await writer.write((sql) =>
      insertPost(sql, { title, content: "", published: true }, undefined, now),
    );
    const fields = { title, url: `https://example.org/${title}`, description: "" };
    const bookmark = await writer.write((sql) => insertBookmark(sql, fields, undefined, now));
    return [post.id, bookmark.id];
  };

  const ids = async (table: "posts" | "bookmarks") => {
    const rows =
      table === "posts"
        ? await other.read<{ id: number }>`select id from posts order by id`
        : await other.read<{ id: number }>`select id from bookmarks order by id`;
    return rows.map(({ id }) => Number(id));
  };

  const times = { created_at: WHEN, updated_at: WHEN };
  const posts = [7, 9].map((id) => ({
    ...{ id, title: `Post ${id}`, content: "", published: true, published_at: WHEN, ...times },
    publication: { slug: `slug-${id}` },
  }));
  const bookmarks = [{ id: 5, title: "", url: "https://bun.sh/", ...times }];

  test("lets others write until it is stored, and keeps the ids of an archive", async () => {
    using site = await staged(await archiveOf({ post: posts, bookmark: bookmarks }));
    let written: number[] = [];
    await importSite(database, site, "operator", async () => {
      // Of the same process, whose writers have a slot of the counters each: two processes may happen to share one.
      written = await writeOthers("meanwhile", database);
    });
    // The archive comes from a database whose last ids are these.
    expect(written).toEqual([1_002, 1_001]);
    expect(await ids("posts")).toEqual([7, 9, 1_002]);
    expect(await ids("bookmarks")).toEqual([5, 1_001]);
    expect(await writeOthers("later")).toEqual([1_003, 1_002]);
  });

  test("assigns unique ids if those of the records cannot be kept", async () => {
    await writeOthers("earlier");
    const pages = Array.from({ length: 120 }, (_, n) => [`${n}.md`, `---\ntitle: ${n}\n---\nHi`] as const);
    using site = await staged(await zipOf(pages));
    const writing: Promise<number[]>[] = [];
    const spied: Pick<Database, "write" | "engine"> = {
      engine: "postgres",
      write: (work) => {
        for (let n = 0; n < 20; n++) writing.push(writeOthers(`at-once-${n}`));
        return database.write(work);
      },
    };
    expect(await importSite(spied, site)).toMatchObject({ added: 120, refused: 0 });
    await Promise.all(writing);
    expect(await ids("posts")).toHaveLength(141);
    const all = await ids("posts");
    expect((await writeOthers("later"))[0]).toBeGreaterThan(all.at(-1) ?? 0);
  });

  test("of the same file twice at the same time adds its records once", async () => {
    const archive = await archiveOf({ bookmark: bookmarks });
    using one = await staged(archive);
    using two = await staged(archive);
    const reports = await Promise.all([importSite(database, one), importSite(other, two)]);
    expect(reports.map(({ added }) => added).toSorted()).toEqual([0, 1]);
    expect(await ids("bookmarks")).toHaveLength(1);
  });
});
