import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { indexedBookmarks } from "../../src/bookmarks/search/indexed-bookmarks.ts";
import { checkDatabase } from "../../src/checks/check-database.ts";
import { SYSTEM_CLOCK } from "../../src/clock.ts";
import { openDatabase } from "../../src/database/open.ts";
import { inspectDatabase } from "../../src/database/open-inspection.ts";
import { findUploadOfJob } from "../../src/imports/uploads.ts";
import { indexedPosts } from "../../src/posts/indexed-posts.ts";
import { indexWaiting } from "../../src/search/index/entries.ts";
import {
  columnsIn,
  type EarlierAnswer,
  earlierAnswers,
  isSqlite,
  pathOf,
  placeEarlier,
  type Reader,
  readerOf,
} from "../support/databases/earlier.ts";
import { startApp, type TestApp } from "../support/server/app.ts";
import { engines, type TestDatabase } from "../support/server/engines.ts";
import { run } from "../support/server/server.ts";

/** Rows that do not come along: the search index is made again, and keys without a maker end. */
const LEFT_BEHIND: Readonly<Record<string, string>> = {
  migrations: "true",
  previews: "true",
  // In other columns: a test of their own.
  import_uploads: "true",
  feed_keys: "created_by is null or created_by not in (select id from accounts)",
  meta: "name = 'oldest_program'",
};
/** An hour after the earlier responses were recorded: its session has not ended yet. */
const CLOCK = { ...SYSTEM_CLOCK, now: () => new Date("2026-11-26T07:31:00Z") };
/** Tables whose rows are part of others by now. */
const PARTS_OF_OTHERS: Readonly<Record<string, string>> = {
  content_keys: `(select *, secret_sha256 as key_sha256 from keys where kind = 'website') as content_keys`,
  feed_keys: `(select *, secret_sha256 as key_sha256, target as query, account_id as created_by
    from keys where kind = 'library-feed') as feed_keys`,
  comment_feed_keys: `(select *, secret_sha256 as key_sha256, account_id as created_by
    from keys where kind = 'comment-feed') as comment_feed_keys`,
  publications: `(select id as post_id, kind, link, slug, summary, language, image, canonical_url, publish_at,
      case when published and kind <> 'page' then published_at end as listed_at, publication_version as version
    from posts where publication_version > 0) as publications`,
  import_rows: `(select import_id, position, line, outcome, reason, record_id as bookmark_id,
      record_version as bookmark_version, before, raw_url, title as raw_title, raw_tags, raw_date, folders
    from import_rows where folders is not null) as import_rows`,
  // With numbers that are as wide as they were on PostgreSQL.
  import_records: `(select import_id, cast(position as bigint) as position, kind, file, cast(line as bigint) as line, title,
      outcome, reason, detail, record_id, record_key, record_version
    from import_rows where folders is null) as import_records`,
  undo_records: "changes",
  undo_rows: `(select change_id as record_id, record_id as bookmark_id, outcome, version, before
    from change_rows where record = 'bookmark') as undo_rows`,
};
/** Tables whose rows get new ids. */
const WITH_NEW_IDS = new Set(["content_keys", "feed_keys"]);
/** Rows that the upgrade adds. */
const ADDED: Readonly<Record<string, string>> = {
  meta: "name in ('schema', 'written_by')",
  site_settings: "name = 'hadAccount'",
};

describe.each(engines)("A database of commit 73274df2 ($name)", ({ createEmptyDatabase }) => {
  let place: TestDatabase;
  let url: string;
  let before: Map<string, string[]>;
  let app: TestApp;

  beforeAll(async () => {
    place = await createEmptyDatabase();
    url = place.url;
    await placeEarlier(url);
    before = await rowsOf(url, "public");
    // On PostgreSQL several may start at once: one upgrades, the others wait.
    const processes = isSqlite(url) ? [1] : [1, 2, 3];
    const opened = await Promise.all(
      processes.map(() => run(["account", "list"], { env: { DATABASE_URL: url } })),
    );
    for (const ran of opened) expect(ran).toMatchObject({ code: 0, stderr: "" });
    app = await startApp({ DATABASE_URL: url }, CLOCK);
    await indexWaiting(app.database, indexedBookmarks);
    await indexWaiting(app.database, indexedPosts);
  });
  afterAll(async () => {
    await app.close();
    await place[Symbol.asyncDispose]();
  });

  test("comes along with every column of every row, and stays as it was beside the new one", async () => {
    await using kept = readerOf(isSqlite(url) ? `sqlite:${keptFile(url)}` : url);
    const earlier = await columnsIn(kept, url, "commonplace_73274df2");
    await using reader = readerOf(url);
    const keptRows = new Map<string, string[]>();
    for (const [table, all] of earlier) {
      const columns = all.filter((name) => name !== "id" || !WITH_NEW_IDS.has(table));
      const from = isSqlite(url) ? table : `commonplace_73274df2.${table}`;
      keptRows.set(table, await sorted(kept, all, from, "false"));
      if (isDerived(table)) continue;
      expect(keptRows.get(table)?.length).toBeGreaterThan(0);
      const left = LEFT_BEHIND[table] ?? "false";
      if (left === "true") continue;
      const coming = await sorted(
        kept,
        columns,
        from,
        left.replace("from accounts", `from ${from.replace(table, "accounts")}`),
      );
      const now = PARTS_OF_OTHERS[table] ?? table;
      expect([table, await sorted(reader, columns, now, ADDED[table] ?? "false")]).toEqual([table, coming]);
    }
    expect(keptRows).toEqual(before);
  });

  test("goes on with an import in the background", async () => {
    const now = new Date("2025-11-24T16:00:01Z");
    const find = (key: string) => findUploadOfJob(app.database.read, key, now);
    expect(await find("upload")).toMatchObject({
      ...{ kind: "bookmarks", state: "uploaded", requested: { rule: "skip", tags: true } },
      ...{ importId: 2, records: 10, imported: 4 },
    });
    const pieces = await app.database.read<{ bytes: Uint8Array }>`select bytes from import_pieces`;
    expect(pieces.map(({ bytes }) => [...bytes])).toEqual([[0, 255, 16]]);
    expect(await find("waiting")).toBeUndefined();
  });

  test("has the same responses as before", async () => {
    const { token, answers } = earlierAnswers();
    for (const [path, earlier] of Object.entries(answers)) {
      const response = await app.request(path, { headers: { authorization: `Bearer ${token}` } });
      const now: EarlierAnswer = {
        status: response.status,
        ...(earlier.etag && { etag: response.headers.get("etag") }),
        body: (await response.text()).replaceAll(/http:\/\/localhost(?::\d+)?/g, "http://here"),
      };
      expect([path, now]).toEqual([path, earlier]);
    }
  });

  test("has nothing for `commonplace check` to find", async () => {
    const inspection = await inspectDatabase(url);
    const findings = await checkDatabase(inspection);
    await inspection.close();
    expect(findings.filter(({ status }) => status === "problem")).toEqual([]);
    expect(findings.map(({ check }) => check)).toContain("search");
  });

  test("is upgraded once, and never assigns an earlier id again", async () => {
    await (await openDatabase(url)).close();
    await using reader = readerOf(url);
    const copies = isSqlite(url)
      ? readdirSync(dirname(pathOf(url))).filter((name) => name.startsWith(`${basename(pathOf(url))}.`))
      : await reader.all("select nspname from pg_namespace where nspname like 'commonplace%'");
    expect(copies).toHaveLength(1);
    const headers = { authorization: `Bearer ${earlierAnswers().token}` };
    const add = async (path: string, json: object) =>
      ((await (await app.request(path, { method: "POST", headers, json })).json()) as { id: number }).id;
    expect(await add("/bookmarks/", { title: "New", url: "https://new.example/" })).toBe(1005);
    // The last one had been deleted.
    expect(await add("/api/posts/", { title: "New", content: "new" })).toBe(1003);
  });
});

describe.each(engines)("The upgrade ($name)", ({ createEmptyDatabase }) => {
  test("is refused while a server uses the database, which stays as it is", async () => {
    await using place = await createEmptyDatabase();
    await placeEarlier(place.url);
    const before = await rowsOf(place.url, "public");
    const name = new URL(isSqlite(place.url) ? "sqlite:" : place.url);
    name.searchParams.set("application_name", "commonplace");
    const server = readerOf(isSqlite(place.url) ? place.url : name.href);
    await server.all("select * from bookmarks");
    await expect(openDatabase(place.url)).rejects.toThrow(/stop (?:the server first|all servers first)\.$/);
    await server[Symbol.asyncDispose]();
    expect(await rowsOf(place.url, "public")).toEqual(before);
    await (await openDatabase(place.url)).close();
  });
});

/** The rows of each table, as text. */
async function rowsOf(url: string, schema: string): Promise<Map<string, string[]>> {
  await using reader = readerOf(url);
  const rows = new Map<string, string[]>();
  for (const [table, columns] of await columnsIn(reader, url, schema))
    rows.set(table, await sorted(reader, columns, table, "false"));
  return rows;
}

/** @param without the condition for rows to leave out */
async function sorted(
  reader: Reader,
  columns: readonly string[],
  from: string,
  without: string,
): Promise<string[]> {
  const names = columns.map((name) => `"${name}"`).join(", ");
  const rows = await reader.all(`select ${names} from ${from} where not (${without})`);
  return rows
    .map((row) => JSON.stringify(row, (_, value) => (typeof value === "bigint" ? `${value}` : value)))
    .toSorted();
}

function isDerived(table: string): boolean {
  return table.startsWith("search_");
}

/** The earlier file that the upgrade kept. */
function keptFile(url: string): string {
  const folder = dirname(pathOf(url));
  const kept = readdirSync(folder).filter((name) => name.includes(".before-upgrade-"));
  return `${folder}/${kept[0]}`;
}
