import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import { smallDisks } from "../../support/databases/small-disk.ts";
import { expectRefused } from "../../support/machine/commands.ts";
import { makeAccount, makeToken, withToken } from "../../support/records/accounts.ts";
import { createComment, createPost } from "../../support/records/blog.ts";
import { create, fill, list } from "../../support/records/bookmarks.ts";
import { startApp, type TestApp } from "../../support/server/app.ts";
import { engines } from "../../support/server/engines.ts";
import { COMMAND, run, temporaryFolder } from "../../support/server/server.ts";

const FIREFOX = join(import.meta.dir, "../../data/bookmark-exports/firefox_nested.htm");

/** What is hard on a format made of markup. */
const HARD = [
  { title: "", description: "" },
  {
    title: `<b>"Tags" & 'quotes'</b> &amp; &lt;`,
    description: "</A><DT><DD>&copy=2 &#13; <!-- no comment --> ]]>",
  },
  { title: "Tabs\tand  spaces", description: "One line\nanother\n\n  an indented one\r\nand a last\ttab" },
  {
    title: "😀 \u{10ffff} é é \u0001\u007f\u0085",
    description: "#web, #Dev/JS (#no) #C++ #a--b #x.. #Web #dev-tools\n#ünï_code",
  },
  { title: "Same address", description: "once" },
  { title: "Same address", description: "twice" },
];

const withoutId = ({ id: _, ...rest }: BookmarkResponse) => rest;

for (const engine of engines)
  describe(`commonplace export (${engine.name})`, () => {
    const toEnd = new AsyncDisposableStack();
    const folder = toEnd.use(temporaryFolder());
    let app: TestApp;
    let env: { DATABASE_URL: string };

    const place = async () => ({ DATABASE_URL: toEnd.use(await engine.createDatabase()).url });
    const start = async (settings: Record<string, string>) => {
      const started = await startApp(settings);
      toEnd.defer(() => started.close());
      return started;
    };

    beforeAll(async () => {
      env = await place();
      app = await start({ ...env, COMMENTS: "moderated" });
      for (const fields of HARD) await create(app.request, fields);
      expect(await run(["import", FIREFOX], { env })).toMatchObject({ code: 1 });
    });
    afterAll(() => toEnd.disposeAsync());

    test("exports every bookmark so that its import is identical", async () => {
      const file = folder.file("bookmarks.html");
      const { code, stdout, stderr } = await run(["export", file], { env });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/^Exported 27 bookmarks from .* to .*bookmarks\.html\.\n$/);

      for (const words of [[], ["--no-tags"]]) {
        const other = await place();
        const imported = await run(["import", file, "--existing", "add", ...words], { env: other });
        expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining("  27 added\n") });
        const again = await start(other);
        expect((await list(again.request)).map(withoutId)).toEqual((await list(app.request)).map(withoutId));
      }
    });

    test("writes folders, hashtags as tags, and dates as other programs read them", async () => {
      const { stdout } = await run(["export", "-"], { env });
      const original = readFileSync(FIREFOX, "utf8");
      expect(stdout).toStartWith("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n");
      expect(/TAGS="[^"]*"/.exec(stdout)?.[0]).toBe('TAGS="web,Dev/JS,C++,a--b,x,dev-tools,ünï_code"');
      expect(stdout.match(/<DL><p>/g)).toHaveLength(stdout.match(/<\/DL><p>/g)?.length ?? 0);
      const headings = (html: string) =>
        [...html.matchAll(/<H3[^>]*>([^<]*)<\/H3>/g)].map(([, name]) => name);
      const written = headings(stdout);
      expect(written.length).toBeGreaterThan(3);
      for (const name of written) expect(headings(original)).toContain(name);
      const [, date] = /ADD_DATE="(\d+)"/.exec(original.slice(original.indexOf('HREF="http'))) ?? [];
      expect(stdout).toContain(`ADD_DATE="${date}"`);
    });

    test("exports everything as JSON, including posts, drafts and all comments", async () => {
      const account = await makeAccount(app.database, "editor");
      const editor = withToken(app.request, await makeToken(app.database, account));
      const post = await createPost(editor, { title: "Shown", published: true });
      const draft = await createPost(editor, { title: "Hidden", published: false });
      const shown = await createComment(editor, post);
      const waiting = await createComment(app.request, post, { author: "Passer-by" });
      const file = folder.file(`${engine.name}.json`);
      const { code, stdout } = await run(["export", file, "--format", "json"], { env });
      expect(code).toBe(0);
      expect(stdout).toMatch(/^Exported 27 bookmarks, 2 posts, 2 comments from /);
      const all = JSON.parse(readFileSync(file, "utf8"));
      expect(Object.keys(all)).toEqual(["program", "version", "exported_at", "bookmarks", "posts", "marks"]);
      const kept = await list(app.request);
      expect(all.bookmarks).toHaveLength(kept.length);
      for (const bookmark of all.bookmarks) {
        const { updated_at, created_by, folders, unread, archived, shared, ...rest } = bookmark;
        expect(kept).toContainEqual(rest);
        expect([unread, archived, shared]).toEqual([false, false, false]);
        expect([typeof updated_at, created_by, Array.isArray(folders)]).toEqual(["string", null, true]);
      }
      expect(all.bookmarks.some(({ folders }: { folders: string[] }) => folders.length > 1)).toBe(true);
      const none = { former_slugs: [], redirects: [], properties: {}, version: 1 };
      const { comments: _, ...postFields } = post;
      const { comments: __, ...draftFields } = draft;
      expect(all.posts).toEqual([
        {
          ...postFields,
          ...{ updated_at: expect.any(String), published_at: post.created_at, created_by: "editor" },
          ...none,
          publication: expect.objectContaining({ slug: "shown", tags: [] }),
          comments: [
            { ...shown, status: "shown", created_by: "editor", reasons: null, parent: null },
            { ...waiting, status: "waiting", created_by: null, reasons: null, parent: null },
          ],
        },
        {
          ...draftFields,
          ...none,
          publication: null,
          updated_at: draft.created_at,
          published_at: null,
          created_by: "editor",
          comments: [],
        },
      ]);
    });

    test("writes CSV that a spreadsheet reads, and HTML with --format netscape", async () => {
      const csv = await run(["export", "-", "--format", "csv"], { env });
      expect(csv.code).toBe(0);
      expect(csv.stdout).toStartWith(
        "url,title,description,tags,folder,unread,archived,shared,created_at,updated_at\r\n",
      );
      expect(csv.stdout).toMatch(
        /\r\nhttp:\/\/hginit\.com\/,[^\r]+,Dev,false,false,false,2016-05-19T19:39:07\.000Z,/,
      );
      const html = await run(["export", "-"], { env });
      expect(await run(["export", "-", "--format", "netscape"], { env })).toEqual(html);
    });

    test("exports an empty database in all formats", async () => {
      const empty = await place();
      await start(empty);
      const { code, stdout } = await run(["export", "-"], { env: empty });
      expect(code).toBe(0);
      expect(stdout).toMatch(/<DL><p>\n<\/DL><p>\n$/);
      const json = await run(["export", "-", "--format", "json"], { env: empty });
      expect(JSON.parse(json.stdout)).toMatchObject({ bookmarks: [], posts: [] });
      const csv = await run(["export", "-", "--format", "csv"], { env: empty });
      expect(csv.stdout).toMatch(/^url,title,[^\n]+\n$/);
      expect(json.stderr).toMatch(/^Exported 0 bookmarks, 0 posts, 0 comments from /);
    });

    test("writes more than a batch, in the order of their ids", async () => {
      const many = await place();
      await start(many);
      await fill(many.DATABASE_URL, 1_234);
      const { stdout } = await run(["export", "-", "--format", "json"], { env: many });
      expect(JSON.parse(stdout).bookmarks.map(({ id }: { id: number }) => id)).toEqual(
        Array.from({ length: 1_234 }, (_, index) => index + 1),
      );
    });
  });

describe("commonplace export", () => {
  const folder = temporaryFolder();
  const env = { DATABASE_URL: `sqlite:${folder.file("links.db")}` };
  beforeAll(async () => {
    const app = await startApp(env);
    await app.close();
    await fill(env.DATABASE_URL, 2_000, 1_000);
  });
  afterAll(() => folder[Symbol.dispose]());

  test("writes files that only the owner can read, and overwrites nothing without --force", async () => {
    const file = folder.file("once.html");
    expect(await run(["export", file], { env })).toMatchObject({ code: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, "mine");
    expectRefused(await run(["export", file], { env }), 1, /once\.html already exists; --force replaces it/);
    expect(readFileSync(file, "utf8")).toBe("mine");
    expect(await run(["export", file, "--force"], { env })).toMatchObject({ code: 0 });
    expect(readFileSync(file, "utf8")).toContain("<TITLE>Bookmarks</TITLE>");
    const over = await run(["export", folder.file("links.db"), "--force"], { env });
    expectRefused(over, 1, /links\.db is the database itself/);
  });

  test("refuses a missing database, and wrong arguments", async () => {
    const absent = { DATABASE_URL: `sqlite:${folder.file("absent.db")}` };
    expectRefused(await run(["export", "-"], { env: absent }), 1, /No database at/);
    expect(existsSync(folder.file("absent.db"))).toBe(false);
    expect(await run(["export"], { env })).toMatchObject({ code: 2, stdout: "" });
    expect(await run(["export", "-", "--format", "xml"], { env })).toMatchObject({ code: 2, stdout: "" });
  });

  for (const kind of smallDisks)
    test(`leaves no file when the disk is full (${kind.name})`, async () => {
      using disk = kind.make(256 * 1024);
      const file = join(disk.path, "export.html");
      const ran = await run(["export", file], { env, under: disk.under });
      expectRefused(ran, 1, /export\.html .*(?:no room|full|EFBIG|ENOSPC|large)/);
      expect(readdirSync(disk.path)).toEqual([]);
    });

  test("ends with 1 when its output is not read to the end", async () => {
    const child = Bun.spawn([COMMAND, "export", "-"], {
      env: { ...env, PATH: process.env.PATH ?? "" },
      stdout: "pipe",
      stderr: "pipe",
    });
    const reader = child.stdout.getReader();
    await reader.read();
    await reader.cancel();
    expect(await child.exited).toBe(1);
    expect(await new Response(child.stderr).text()).toMatch(/^commonplace: The standard output [^\n]+\n$/);
  });
});
