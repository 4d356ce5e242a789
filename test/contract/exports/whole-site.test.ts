import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Account } from "../../../src/accounts/account.ts";
import { readTreeFile } from "../../../src/readers/files/file-tree.ts";
import { openZip } from "../../../src/readers/files/zip-files.ts";
import { STYLE_SHEET } from "../../../src/web/site/setting-values.ts";
import { DEFAULT_SITE, SETTINGS } from "../../../src/web/site/site-settings.ts";
import { openBeside } from "../../support/databases/database.ts";
import { everything, move } from "../../support/databases/moving.ts";
import { recordsOf } from "../../support/files/archive-file.ts";
import type { ArchivedSite } from "../../support/files/archived-site.ts";
import { importBytes } from "../../support/files/imported-site.ts";
import { storeSite, wholeSite } from "../../support/files/whole-site.ts";
import { inMemory } from "../../support/files/zip.ts";
import { makeAccount, makeToken } from "../../support/records/accounts.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { fullRunTest } from "../../support/run/full-run.ts";
import { engines } from "../../support/server/engines.ts";
import { serve } from "../../support/server/serve.ts";
import { run, temporaryFolder } from "../../support/server/server.ts";

const ZIP = "/library/export/everything.zip";

/** What a site that is larger than every buffer is after it was written and read again, in each way that there is. */
describe("A whole site", () => {
  const toEnd = new AsyncDisposableStack();
  const folder = toEnd.use(temporaryFolder());
  let made: Awaited<ReturnType<typeof wholeSite>>;
  let site: ArchivedSite;
  let url: string;
  let send: Send;
  let account: Account;

  const place = async () => {
    const [sqlite] = engines;
    if (sqlite === undefined) throw new Error("There is no engine.");
    return toEnd.use(await sqlite.createDatabase()).url;
  };
  const command = async (words: readonly string[], of = url) => {
    const ran = await run(words, { env: { DATABASE_URL: of } });
    expect({ words, ...ran }).toMatchObject({ words, code: 0 });
    return ran.stdout;
  };
  const exported = async (format: string, of = url) => {
    const file = folder.file(`${format}-${crypto.randomUUID()}`);
    await command(["export", file, "--format", format], of);
    return readFileSync(file);
  };

  beforeAll(async () => {
    made = await wholeSite();
    site = made.site;
    url = await place();
    account = await storeSite(url, made.archive);
    const server = await serve({ DATABASE_URL: url, POSTS_ACCESS: "read", BOOKMARKS_ACCESS: "read" });
    toEnd.defer(() => server.stop());
    send = sendTo(server.url);
  });
  afterAll(() => toEnd.disposeAsync());

  fullRunTest("is larger than the buffers", () => {
    expect(made.archive.length).toBeGreaterThan(2 * 1024 * 1024);
    expect(JSON.stringify(site.post).length).toBeGreaterThan(4 * 1024 * 1024);
  });

  test("has another value than the initial one of each setting", () => {
    const initial = new Map<string, unknown>(Object.entries(DEFAULT_SITE));
    const changed = site.setting.filter(({ name, value }) => !Bun.deepEquals(value, initial.get(name)));
    const names = SETTINGS.filter(({ internal }) => !internal).map(({ name }) => name);
    expect(changed.map(({ name }) => name)).toEqual([...names.toSorted(), STYLE_SHEET]);
  });

  test("is whole in the archive of the command, with its images", async () => {
    const bytes = await exported("archive");
    const { last_ids: _, ...records } = await recordsOf(bytes);
    expect(records).toEqual(site as unknown as Record<string, unknown[]>);
    await using tree = await openZip(inMemory(bytes));
    for (const [path, image] of made.files)
      expect([
        path,
        Buffer.from((await readTreeFile(tree, path, 1_000_000)) ?? []).equals(Buffer.from(image)),
      ]).toEqual([path, true]);
  });

  test("is whole in the archive of the browser", async () => {
    const database = await openBeside(url);
    const key = await makeToken(database, account);
    await database.close();
    const headers = { authorization: `Token ${key}`, "sec-fetch-site": "same-origin" };
    const response = await send(ZIP, {
      method: "POST",
      headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
    });
    expect(response.status).toBe(200);
    const { last_ids: _, ...records } = await recordsOf(Buffer.from(await response.arrayBuffer()));
    expect(records).toEqual(site as unknown as Record<string, unknown[]>);
  });

  test("is whole in JSON: every bookmark, every post, and every comment, whoever wrote it and whatever its state", async () => {
    const all = JSON.parse(String(await exported("json")));
    const bookmarks = site.bookmark.map(({ version: _, states_updated_at: __, ...rest }) => rest);
    expect(all.bookmarks).toEqual(bookmarks);
    const comments = Map.groupBy(site.comment, ({ post }) => post);
    const posts = site.post.map((post) => ({
      ...post,
      comments: (comments.get(post.id) ?? []).map(({ post: _, ...rest }) => rest),
    }));
    expect(all.posts).toEqual(posts);
  });

  test("comes back from JSON with all that is in it", async () => {
    const json = await exported("json");
    const other = await place();
    const database = await openBeside(other);
    await makeAccount(database, "ada");
    expect(await importBytes(database, json)).toMatchObject({ refused: 0, skipped: 0 });
    await database.close();
    const [one, two] = [JSON.parse(String(json)), JSON.parse(String(await exported("json", other)))];
    expect({ ...two, exported_at: "" }).toEqual({ ...one, exported_at: "" });
  });

  test.each(["csv", "netscape"])("has every bookmark in %s, and they come back", async (format) => {
    const other = await place();
    const file = folder.file(`back.${format}`);
    await command(["export", file, "--format", format]);
    await command(["import", file, "--existing", "add"], other);
    const kept = (records: readonly { readonly url: string }[]) =>
      records.map((record) => {
        const { title, url, description, created_at, unread, archived, shared, folders } =
          record as ArchivedSite["bookmark"][number];
        return { title, url, description, created_at, unread, archived, shared, folders };
      });
    const { bookmarks } = JSON.parse(String(await exported("json", other)));
    const expected = kept(site.bookmark).toSorted(byUrl);
    expect(kept(bookmarks).toSorted(byUrl)).toEqual(expected);
  });

  test("is whole after a move, and after a backup and its restoration", async () => {
    const before = everything(url);
    const [moved, back] = [`sqlite:${folder.file("moved.db")}`, `sqlite:${folder.file("restored.db")}`];
    const copy = folder.file("backup.db");
    await command(["backup", copy]);
    await command(["restore", copy], back);
    const restored = everything(back);
    for (const [table, rows] of Object.entries(before))
      if (table !== "meta") expect([table, restored[table]]).toEqual([table, rows]);
    expect(await move(back, moved)).toMatchObject({ code: 0, stderr: "" });
    const there = everything(moved);
    for (const [table, rows] of Object.entries(restored))
      if (table !== "meta") expect([table, there[table]]).toEqual([table, rows]);
  });

  test("is whole in the lists and pages of the API", async () => {
    const published = site.post.filter((post) => post.published);
    const links = (await (await send("/bookmarks/")).json()) as { id: number }[];
    expect(links.map(({ id }) => id)).toEqual(site.bookmark.map(({ id }) => Number(id)).toReversed());
    const posts: { id: number; content: string; comments: unknown[] }[] = [];
    for (let page: string | undefined = "/api/posts/?page_size=130"; page !== undefined; ) {
      const answer = (await (await send(page)).json()) as {
        results: typeof posts;
        next: string | null;
      };
      posts.push(...answer.results);
      page = answer.next?.replace(/^http:\/\/[^/]+/, "");
    }
    expect(posts.map(({ id, content }) => [id, content])).toEqual(
      published.map(({ id, content }) => [Number(id), content]).toReversed() as [number, string][],
    );
    const shown = site.comment.filter(
      ({ post, status }) => status === "shown" && published.some(({ id }) => id === post),
    );
    expect(posts.flatMap(({ comments }) => comments)).toHaveLength(shown.length);
  });

  test("has its newest posts whole in each feed, and all in the sitemap", async () => {
    const published = site.post.filter(
      ({ published, publication }) => published && publication?.kind !== "page",
    );
    const newest = published.toReversed();
    for (const feed of ["/feed.atom", "/feed.rss", "/feed.json"]) {
      const text = await (await send(feed)).text();
      const entries = newest.filter(({ title }) => new RegExp(`[>"]${title}[<"]`).test(text));
      expect([feed, entries.map(({ id }) => id)]).toEqual([
        feed,
        newest.slice(0, entries.length).map(({ id }) => id),
      ]);
      expect(entries.length).toBeGreaterThan(9);
      const last = (text: string) => text.trim().split(/\s+/).at(-1) ?? "";
      for (const { content } of entries) expect([feed, text.includes(last(content))]).toEqual([feed, true]);
    }
    const sitemap = await (await send("/sitemap.xml")).text();
    const missing = site.post
      .filter((post) => post.published)
      .filter(({ publication }) => !sitemap.includes(`/${publication?.slug}<`));
    expect(missing.map(({ id }) => id)).toEqual([]);
  });
});

function byUrl(one: { readonly url: string }, other: { readonly url: string }): number {
  return one.url < other.url ? -1 : 1;
}
