import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BookmarkResponse } from "../../src/bookmarks/bookmark.ts";
import { type Cluster, createDatabase, sharedCluster } from "../support/databases/postgres.ts";
import { makeAccount, makeToken, withToken } from "../support/records/accounts.ts";
import { createPost, type Envelope, storePosts } from "../support/records/blog.ts";
import {
  bookmarkIn,
  COLLECTION,
  create,
  draft,
  etagOf,
  list,
  pathOf,
  read,
} from "../support/records/bookmarks.ts";
import { startApp, type TestApp } from "../support/server/app.ts";
import { engines } from "../support/server/engines.ts";

/** Strings that sort differently by code point, by UTF-16 unit, without regard to case, and in English. */
const TITLES = [
  "a",
  "B",
  "b",
  "A",
  "Z",
  "z",
  "é",
  "e",
  "É",
  "ß",
  "ss",
  "\u{10000}",
  "\uFFFF",
  "\uE000",
  "\u{1F600}",
  "-a",
  " a",
  "a b",
  "ab",
  "a-b",
  "10",
  "9",
  "一",
  "ａ",
  "e\u0301",
];

describe("Ids beyond 32 bits", () => {
  const toEnd = new AsyncDisposableStack();
  let cluster: Cluster;
  let name: string;
  let app: TestApp;
  beforeAll(async () => {
    cluster = await sharedCluster();
    const place = toEnd.use(await createDatabase(cluster));
    name = place.name;
    app = await startApp({ DATABASE_URL: place.url });
    toEnd.defer(() => app.close());
  });
  afterAll(() => toEnd.disposeAsync());

  test("can be read, paged, changed and deleted, and are found by their index", async () => {
    const small = await create(app.request, { title: "small" });
    const outside = cluster.connect(name);
    for (const id of [2 ** 31, 2 ** 32 + 1, 10 ** 15 - 1]) {
      await outside.unsafe(`alter table bookmarks alter column id restart with ${id}`);
      const bookmark = await create(app.request, { title: String(id) });
      expect(bookmark.id).toBe(id);
      expect(BookmarkResponse.parse(bookmark)).toEqual(bookmark);
      expect(await read(app.request, bookmark)).toEqual(bookmark);
      const changed = await app.request(pathOf(bookmark), {
        method: "PATCH",
        json: { description: "changed" },
      });
      expect((await bookmarkIn(changed)).id).toBe(id);
      const headers = { "if-match": await etagOf(app.request, pathOf(bookmark)) };
      const put = await app.request(pathOf(bookmark), {
        method: "PUT",
        headers,
        json: { ...draft, title: String(id) },
      });
      expect(put.status).toBe(200);
    }
    const paged = [];
    for (let path: string | undefined = `${COLLECTION}?limit=1`; path !== undefined; ) {
      const page = await app.request(path);
      paged.push(...((await page.json()) as { id: number }[]).map(({ id }) => id));
      const [, next] = /<([^>]*)>/.exec(page.headers.get("link") ?? "") ?? [];
      path = next?.slice(new URL(next).origin.length);
    }
    expect(paged).toEqual([10 ** 15 - 1, 2 ** 32 + 1, 2 ** 31, small.id]);
    // A number that the driver would send as floating point could not use the index.
    await outside`set enable_seqscan = off`;
    const plan = await outside`explain select id from bookmarks where id = ${2 ** 32 + 1}`;
    expect(JSON.stringify(plan)).toContain("bookmarks_pkey");
    await outside.close();
    for (const { id } of (await list(app.request)).slice(0, 3))
      expect((await app.request(pathOf({ id }), { method: "DELETE" })).status).toBe(204);
    expect(await list(app.request)).toEqual([small]);
  });
});

test("Lists of all lengths use few statements, which the server prepares once for each connection", async () => {
  const cluster = await sharedCluster();
  await using place = await createDatabase(cluster);
  const app = await startApp({ DATABASE_URL: place.url, DATABASE_POOL_SIZE: "1" });
  const posts = Array.from({ length: 100 }, (_, index) => ({ createdAt: new Date(index) }));
  await storePosts(app.database, posts);
  for (let size = 1; size <= posts.length; size++) {
    const page = await app.request(`/api/posts/?page_size=${size}`);
    expect(((await page.json()) as Envelope).results).toHaveLength(size);
  }
  const kept = await app.database.snapshot(
    (sql) => sql`select name from pg_prepared_statements where statement like ${"%post_id in%"}`,
  );
  expect(kept.length).toBeWithin(1, Math.log2(128) + 2);
  await app.close();
});

test("All engines sort titles by code point", async () => {
  const orders = [];
  for (const engine of engines) {
    await using place = await engine.createDatabase();
    const app = await startApp({ DATABASE_URL: place.url });
    await storePosts(
      app.database,
      TITLES.map((title, index) => ({ title, createdAt: new Date(index) })),
    );
    const page = await app.request("/api/posts/?page_size=1000&ordering=title");
    orders.push(((await page.json()) as Envelope).results.map(({ title }) => title));
    await app.close();
  }
  const byCodePoint = TITLES.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  for (const order of orders) expect(order).toEqual(byCodePoint);
});

test("All engines answer the same requests with the same bytes", async () => {
  const transcripts = [];
  for (const engine of engines) {
    await using place = await engine.createDatabase();
    const app = await startApp({ DATABASE_URL: place.url });
    const editor = withToken(
      app.request,
      await makeToken(app.database, await makeAccount(app.database, "editor")),
    );
    const long = '\u{1F600}é\n\t"\\'.repeat(2 ** 20 / 4 / 8);
    const answers: string[] = [];
    const note = async (response: Response) => answers.push(`${response.status} ${await response.text()}`);
    await note(
      await app.request(COLLECTION, {
        method: "POST",
        json: { ...draft, title: "\u{10FFFF}".repeat(200), description: long },
      }),
    );
    await note(
      await app.request(`${COLLECTION}1`, {
        method: "PATCH",
        json: { url: "https://example.com/\u{1F600}" },
      }),
    );
    await note(await app.request(`${COLLECTION}?limit=1`));
    const post = await createPost(editor, { title: "T", content: long });
    await note(
      await editor(`/api/posts/${post.id}/comments/`, {
        method: "POST",
        json: { text: "\u{1F600}".repeat(10_000) },
      }),
    );
    await note(await app.request(`/api/posts/${post.id}/`));
    await note(await app.request("/api/posts/?page=2"));
    await note(await app.request("/bookmarks/99999999999999999999999999"));
    await note(await app.request("/bookmarks/9223372036854775807"));
    transcripts.push(answers.map((answer) => answer.replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"now"')));
    await app.close();
  }
  for (const transcript of transcripts) expect(transcript).toEqual(transcripts[0] ?? []);
});
