import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../../../src/database/database.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { makeImage } from "../../support/files/images.ts";
import { importAny, observed } from "../../support/files/import-until-killed.ts";
import { zipOf } from "../../support/files/zip.ts";
import { type Engine, engines } from "../../support/server/engines.ts";
import { temporaryFolder } from "../../support/server/server.ts";

const PROGRAM = join(import.meta.dir, "../../support/files/import-until-killed.ts");
const EXPORTS = join(import.meta.dir, "../../data/own-exports/0.1.0");
/** How often each import is killed on SQLite, at statements spread over its transaction. */
const KILLS = Math.ceil(Number(process.env.FAULT_ROUNDS ?? 50) / 25);

const many = <T>(make: (number: number) => T) => Array.from({ length: 120 }, (_, index) => make(index + 1));
const csv = (host: string) =>
  `title,url,time_added,tags,status\n${many((n) => `No. ${n},https://${host}.example/${n},1500000000,a|b,unread\n`).join("")}`;

/** A file of each family of formats. */
async function files(): Promise<Record<string, string | Uint8Array>> {
  const posts = many((n) => ({
    ...{
      id: `g${n}`,
      title: `Ghost ${n}`,
      slug: `ghost-${n}`,
      html: "<p>x</p>",
      type: "post",
      status: "published",
    },
    ...{
      created_at: "2020-01-01T10:00:00.000Z",
      published_at: "2020-01-01T10:00:00.000Z",
      visibility: "public",
    },
  }));
  const items = many(
    (
      n,
    ) => `<item><title>Press ${n}</title><content:encoded><![CDATA[x]]></content:encoded><wp:post_id>${n}</wp:post_id>
      <wp:post_date_gmt>2019-05-01 10:00:00</wp:post_date_gmt><wp:status>publish</wp:status><wp:post_type>post</wp:post_type>
      <wp:comment><wp:comment_author>Bo</wp:comment_author><wp:comment_date_gmt>2019-05-03 10:00:00</wp:comment_date_gmt>
      <wp:comment_content>Hi ${n}</wp:comment_content><wp:comment_approved>1</wp:comment_approved></wp:comment></item>`,
  );
  return {
    "bookmarks as CSV": csv("table"),
    "bookmarks in a zip": await zipOf([["part.csv", csv("zip")]]),
    "bookmarks as JSON": JSON.stringify(
      many((n) => ({
        href: `https://json.example/${n}`,
        description: `No. ${n}`,
        time: "2014-02-09T01:03:03Z",
      })),
    ),
    "a blog of WordPress": `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
      xmlns:wp="http://wordpress.org/export/1.2/"><channel><wp:wxr_version>1.2</wp:wxr_version>${items.join("")}</channel></rss>`,
    "a blog of Ghost": JSON.stringify({ db: [{ meta: { version: "5.82.2" }, data: { posts } }] }),
    "a blog of Markdown": await zipOf([
      ...many((n) => [`posts/m${n}.md`, `---\ntitle: Mark ${n}\ndate: 2020-01-01\n---\n![](a.png)`] as const),
      ["posts/a.png", await makeImage("png", { width: 30, height: 20 })],
    ]),
    "our archive": readFileSync(join(EXPORTS, "everything.zip")),
    "our JSON": readFileSync(join(EXPORTS, "everything.json"), "utf8")
      .replaceAll(/kitchen|bun/g, "other")
      .replaceAll("First light", "Last light")
      .replaceAll("first-light", "last-light")
      .replaceAll("Soon", "Late")
      .replaceAll('"soon"', '"late"'),
  };
}

/** The number of rows in each table that an import fills. */
async function rowsOf({ read }: Database): Promise<Record<string, number>> {
  const [row = {}] = await read<Record<string, number>>`
    select (select count(*) from bookmarks) as bookmarks,
      (select count(*) from posts) as posts,
      (select count(*) from posts where publication_version > 0) as publications,
      (select count(*) from comments) as comments,
      (select count(*) from media) as media,
      (select count(*) from tags) as tags,
      (select count(*) from site_settings) as site_settings,
      (select count(*) from redirects) as redirects,
      (select count(*) from edits) as edits,
      (select count(*) from post_versions) as post_versions,
      (select count(*) from imports) as imports,
      (select count(*) from import_rows) as import_rows`;
  return Object.fromEntries(Object.entries(row).map(([table, count]) => [table, Number(count)]));
}

for (const engine of engines)
  test(`an import of any format that is killed leaves nothing, and can be repeated (${engine.name})`, async () => {
    await using place = await engine.createDatabase();
    using folder = temporaryFolder();
    const database = await openDatabase(place.url);
    const kills = engine === engines[0] ? KILLS : Math.ceil(KILLS / 2);
    const path = folder.file("file");
    for (const [format, file] of Object.entries(await files())) {
      const bytes = Buffer.from(file);
      writeFileSync(path, bytes);
      const statements = await statementsOf(engine, bytes);
      const before = await rowsOf(database);
      for (let kill = 1; kill <= kills; kill++) {
        // The last kill comes before the last statement.
        const at = Math.ceil((statements * kill) / kills);
        const child = Bun.spawn([process.execPath, PROGRAM, path, place.url, String(at)], {
          stdio: ["ignore", "ignore", "inherit"],
        });
        await child.exited;
        expect([format, at, child.signalCode]).toEqual([format, at, "SIGKILL"]);
        expect([format, at, await rowsOf(database)]).toEqual([format, at, before]);
      }
      const added = await importAny(database, bytes);
      expect([format, added]).toEqual([format, EXPECTED[format] ?? 120]);
    }
    await database.close();
  });

/** The number of new records of a file, if it is not 120. */
const EXPECTED: Readonly<Record<string, number>> = {
  "a blog of WordPress": 240,
  "a blog of Markdown": 121,
  "our archive": 13,
  "our JSON": 6,
};

/** The number of statements in the transaction that imports a file into an empty database. */
async function statementsOf(engine: Engine, bytes: Uint8Array): Promise<number> {
  await using place = await engine.createDatabase();
  const database = await openDatabase(place.url);
  let statements = 0;
  await importAny(
    observed(database, () => statements++),
    bytes,
  );
  await database.close();
  return statements;
}
