import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { openDatabase } from "../../../src/database/open.ts";
import { DAMAGES, damagePage, oneOfEachKind, pagesOf } from "../../support/databases/damaged-pages.ts";
import { readerOf } from "../../support/databases/earlier.ts";
import { fillFile, inFile, makeEmpty } from "../../support/databases/moving.ts";
import { recordsOf } from "../../support/files/archive-file.ts";
import { engines } from "../../support/server/engines.ts";
import { run, temporaryFolder } from "../../support/server/server.ts";

const folder = temporaryFolder();
const origin = folder.file("origin.db");
let copies = 0;
afterAll(() => folder[Symbol.dispose]());

beforeAll(async () => {
  await makeEmpty(`sqlite:${origin}`);
  fillFile(`sqlite:${origin}`, { bookmarks: 900, posts: 300 });
  inFile(`sqlite:${origin}`, (database) => {
    database.exec(`
      insert into post_versions (post_id, number, title, content, published, replaced_at)
        select id, 1, title, content, published, created_at from posts;
      insert into media (sha, type, width, height, size, created_at)
        select substr(hex(id * 7919 % 1009) || '${"0".repeat(40)}', 1, 40), 'jpg', 20, 20, 9, 0 from posts;
      insert into media_forms (sha, width, bytes) select sha, 20, zeroblob(900) from media;
      insert into site_icons (host, hash, small, large, read_at)
        select 'site-' || id || '.example', id, zeroblob(200), zeroblob(900), 0 from posts;
      pragma wal_checkpoint(truncate)`);
  });
});

/** The archive of a database, and what its export says. */
async function exported(url: string) {
  const archive = folder.file(`${++copies}.zip`);
  const { code, stdout, stderr } = await run(["export", archive, "--format", "archive"], {
    env: { DATABASE_URL: url },
  });
  return { code, stdout, stderr, archive };
}

test("An export of a damaged database has all records but those of the page, which it names", async () => {
  const whole = await exported(`sqlite:${origin}`);
  expect(whole).toMatchObject({ code: 0, stderr: "" });
  const all = await idsOf(whole.archive);
  const names = ["bookmarks", "posts", "comments", "post_versions", "media", "media_forms", "site_icons"];
  const pages = oneOfEachKind(
    names.flatMap((name) => pagesOf(origin, name).filter((page) => page.name === name)),
  ).filter(({ type }) => type !== "internal");
  expect(pages.length).toBeGreaterThan(6);
  for (const page of pages) {
    const path = folder.file(`${++copies}.db`);
    copyFileSync(origin, path);
    damagePage(path, page, DAMAGES.empty);
    const { code, stdout, stderr, archive } = await exported(`sqlite:${path}`);
    const place = [page.name, page.type, code, stdout];
    expect([...place, stderr]).toEqual([
      page.name,
      page.type,
      1,
      expect.stringContaining("Exported "),
      expect.stringMatching(
        /^These records cannot be read, and are not in the archive:\n {2}\w+ [\s\S]+check/,
      ),
    ]);
    const there = await idsOf(archive);
    const missing = [...all].filter((id) => !there.has(id));
    const isImage = page.name === "media_forms";
    expect([...place, missing.length > 0 || isImage, missing.length < 300]).toEqual([...place, true, true]);
    expect([...place, [...there].filter((id) => !all.has(id))]).toEqual([...place, []]);
  }
});

test("It names a record whose values mean nothing, on each engine, and goes on", async () => {
  for (const engine of engines) {
    await using place = await engine.createDatabase();
    await (await openDatabase(place.url)).close();
    {
      await using sql = readerOf(place.url);
      const date = engine.name === "SQLite" ? "0" : "now()";
      for (const id of [1, 2, 3])
        await sql.all(`insert into posts (title, content, published, created_at, updated_at)
          values ('Post ${id}', 'Text', ${engine.name === "SQLite" ? 0 : false}, ${date}, ${date})`);
      await sql.all("insert into post_properties (post_id, properties) values (2, '{broken')");
      await sql.all(
        `insert into site_settings (name, value, updated_at) values ('title', '{broken', ${date})`,
      );
    }
    const { code, stderr, archive } = await exported(place.url);
    expect([code, stderr]).toEqual([
      1,
      "These records cannot be read, and are not in the archive:\n  setting title\n  post 2\n" +
        "“commonplace check” says what is damaged.\n",
    ]);
    expect([...(await idsOf(archive))]).toEqual(["post 1", "post 3"]);
  }
});

test("It fails as before where it is not the database that is damaged", async () => {
  const { code, stderr } = await exported(`sqlite:${folder.file("none.db")}`);
  expect([code, stderr]).toEqual([1, expect.stringContaining("No database")]);
  expect(existsSync(folder.file(`${copies}.zip`))).toBeFalse();
});

/** What identifies each record of an archive. */
async function idsOf(archive: string): Promise<Set<string>> {
  const records = (await recordsOf(readFileSync(archive))) as unknown as Readonly<Record<string, unknown>>;
  const ids = Object.entries(records).flatMap(([kind, rows]) =>
    Array.isArray(rows)
      ? rows.map(
          ({ id, sha, host, key, post, number, name }) =>
            `${kind} ${id ?? sha ?? host ?? key ?? name ?? `${post}/${number}`}`,
        )
      : [],
  );
  return new Set(ids);
}
