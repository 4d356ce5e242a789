import { expect, test } from "bun:test";
import { SCOPES, type Scope } from "../../src/accounts/scope.ts";
import { jobKinds } from "../../src/app/job-kinds.ts";
import { readConfig } from "../../src/config/read-config.ts";
import type { Database, Sql } from "../../src/database/database.ts";
import type { Mark } from "../../src/marks/mark.ts";
import { heldMark } from "../../src/marks/mark-changes.ts";
import { changeNote, removeMark } from "../../src/marks/undo-marks.ts";
import { makeImage } from "../support/files/images.ts";
import { useLimits } from "../support/given/use-limits.ts";
import { makeAccount, makeSession, makeToken, withToken } from "../support/records/accounts.ts";
import {
  type Blog,
  bodyOf,
  COMMENTS,
  createComment,
  createPost,
  describeBlog,
  etagOf,
  pathOf,
  read,
} from "../support/records/blog.ts";
import { makeMark } from "../support/records/marks.ts";
import { submit } from "../support/requests/forms.ts";
import { run } from "../support/server/server.ts";

interface Undone {
  readonly changed: number;
  readonly kept: readonly { readonly id: number; readonly title: string; readonly url: string }[];
  readonly gone: number;
}

/** A change that was just made. */
interface Made {
  readonly key: string;
  /** How many records it is about. */
  readonly records: number;
  /** What was there before it, and is to be there again. */
  readonly before: unknown;
  /** The same now. */
  readonly look: () => Promise<unknown>;
  /** Changes it further. @returns what the undo says then */
  readonly since?: () => Promise<Partial<Undone>>;
}

interface Kind {
  readonly scope: Scope;
  /** Whether nothing is left that could change since. */
  readonly isAlone?: boolean;
  readonly make: (blog: Blog) => Promise<Made>;
}

const KINDS: Readonly<Record<string, Kind>> = {
  "a changed link": {
    scope: "bookmarks:write",
    make: async (blog) => {
      const id = await addLink(blog);
      const look = lookAtLinks(blog, [id]);
      const before = await look();
      const form = await (await blog.browser(`/library/${id}/edit`)).text();
      const version = /name="version" value="(\d+)"/.exec(form)?.[1] ?? "";
      const fields = { title: "Changed", url: "https://example.com/b", tags: "", note: "", version };
      expect((await submit(blog.browser, `/library/${id}/edit`, fields)).status).toBe(303);
      return { key: await newestKey(blog), records: 1, before, look, since: () => changeLink(blog, id) };
    },
  },
  "a bulk change": {
    scope: "bookmarks:write",
    make: async (blog) => {
      const ids = [await addLink(blog), await addLink(blog)];
      const look = lookAtLinks(blog, ids);
      const before = await look();
      const json = { select: { ids }, add_tags: ["x"] };
      const changed = await bodyOf<{ undo: string }>(
        await blog.editor("/bookmarks/bulk", { method: "POST", json }),
      );
      return {
        ...{ key: keyOf(changed.undo), records: 2, before, look },
        since: async () => ({ ...(await changeLink(blog, ids[0] ?? 0)), changed: 1 }),
      };
    },
  },
  "a removed mark": {
    scope: "bookmarks:write",
    make: async (blog) => {
      const mark = await addMark(blog);
      const look = lookAtMarks(blog, mark);
      const before = await look();
      const key = await changeMark(blog, mark, (sql) => removeMark(sql, mark, undefined, new Date()));
      return {
        ...{ key, records: 1, before, look },
        since: async () => {
          await submit(blog.browser, `/library/${mark.bookmarkId}/remove`, {});
          return { changed: 0, kept: [], gone: 1 };
        },
      };
    },
  },
  "a changed note of a mark": {
    scope: "bookmarks:write",
    make: async (blog) => {
      const mark = await addMark(blog);
      const look = lookAtMarks(blog, mark);
      const before = await look();
      const key = await changeMark(blog, mark, (sql) =>
        changeNote(sql, mark, "another", undefined, new Date()),
      );
      return {
        ...{ key, records: 1, before, look },
        since: async () => {
          await blog.editor(`/bookmarks/${mark.bookmarkId}/marks/${mark.id}`, {
            ...{ method: "PATCH", json: { note: "since" } },
          });
          const kept = [{ id: mark.id, title: mark.quote, url: `/library/${mark.bookmarkId}` }];
          return { changed: 0, kept, gone: 0 };
        },
      };
    },
  },
  "a removed draft": {
    scope: "posts:write",
    isAlone: true,
    make: async (blog) => {
      const { id, image } = await addDraft(blog);
      const look = () => everythingOf(blog, id, image);
      const before = await look();
      await removeDraft(blog, id, { images: "delete" });
      return { key: await newestKey(blog), records: 1, before, look };
    },
  },
  "removed comments": {
    scope: "comments:moderate",
    make: async (blog) => {
      const post = await createPost(blog.editor);
      const ids: number[] = [];
      for (const text of ["One", "Two", "Three"])
        ids.push((await createComment(blog.editor, post, { text })).id);
      // The removed ones reply, and are replied to.
      await blog.database.write(async (sql) => {
        for (const [index, id] of ids.entries())
          await sql`update comments set parent_id = ${ids[index - 1] ?? null} where id = ${id}`;
      });
      const look = () => everythingOf(blog, post.id);
      const before = await look();
      const removed = ids.slice(0, 2).map(String);
      await submit(blog.browser, "/moderation", { all: "remove", id: removed, status: "shown" });
      return {
        ...{ key: await newestKey(blog), records: 2, before, look },
        since: async () => {
          await blog.editor(pathOf(post), { method: "DELETE" });
          return { changed: 0, kept: [], gone: 2 };
        },
      };
    },
  },
  "a rejected wave": {
    scope: "comments:moderate",
    make: async (blog) => {
      const post = await createPost(blog.editor);
      const word = crypto.randomUUID();
      const ids: number[] = [];
      for (const author of ["Pens", "Pills"]) {
        const said = await blog.anyone(`/api/posts/${post.id}/comments/`, {
          ...{ method: "POST", json: { author, text: `Buy ${word}` } },
        });
        ids.push((await bodyOf<{ id: number }>(said)).id);
      }
      const look = () => everythingOf(blog, post.id);
      const before = await look();
      const json = { contains: word.toUpperCase() };
      const { undo, rejected } = await bodyOf<{ undo: string; rejected: number }>(
        await blog.editor(`${COMMENTS}reject/`, { method: "POST", json }),
      );
      expect(rejected).toBe(2);
      return {
        ...{ key: keyOf(undo), records: 2, before, look },
        since: async () => {
          const [first] = ids;
          await blog.editor(`${COMMENTS}${first}/`, { method: "PUT", json: { status: "shown" } });
          return {
            changed: 1,
            kept: [
              { id: Number(first), title: "Pens", url: `/posts/${await slugOf(blog, post.id)}#c${first}` },
            ],
          };
        },
      };
    },
  },
};

async function addMark(blog: Blog): Promise<Mark> {
  return makeMark(blog.database, await addLink(blog), "Marked words", { note: "A note" });
}

/** Makes a change of a mark. @returns the key that undoes it */
async function changeMark(
  { database }: Blog,
  { bookmarkId, id }: Mark,
  change: (sql: Sql) => Promise<string | null>,
): Promise<string> {
  return database.write(async (sql) => {
    await heldMark(sql, bookmarkId, id);
    return String(await change(sql));
  });
}

function lookAtMarks(blog: Blog, { bookmarkId }: Mark) {
  return () => read(blog.editor, `/bookmarks/${bookmarkId}/marks/`);
}

describeBlog(
  "A change",
  (blog) => {
    const { once } = blog;
    for (const [name, { scope, isAlone, make }] of Object.entries(KINDS)) {
      test(`of ${name} is undone once; in two tabs, too`, async () => {
        const { key, records, before, look } = await make(blog);
        const after = await look();
        expect(after).not.toEqual(before);
        const path = `/api/undo/${key}/`;
        const expected = { changed: records, kept: [], gone: 0 };
        const dry = await blog.editor(`${path}?dry_run=true`, { method: "POST" });
        expect(await bodyOf<Undone>(dry)).toEqual(expected);
        expect(await look()).toEqual(after);
        const tabs = await Promise.all([1, 2].map(() => blog.editor(path, { method: "POST" })));
        expect(tabs.map(({ status }) => status).toSorted()).toEqual([200, 409]);
        expect(await look()).toEqual(before);
        expect((await submit(blog.browser, `/library/undo/${key}`, {})).status).toBe(409);
        expect(await look()).toEqual(before);
        expect(
          await blog.database.read`select 1 as n from change_rows join changes on changes.id = change_id
          where key = ${key}`,
        ).toEqual([]);
      });

      once(`of ${name} needs the scope that it needed itself`, async () => {
        const { key, look } = await make(blog);
        const after = await look();
        const account = await makeAccount(blog.database, crypto.randomUUID());
        const others = SCOPES.filter((one) => one !== scope);
        const lacking = withToken(blog.anyone, await makeToken(blog.database, account, { scopes: others }));
        const having = withToken(blog.anyone, await makeToken(blog.database, account, { scopes: [scope] }));
        const path = `/api/undo/${key}/`;
        for (const query of ["", "?dry_run=true"]) {
          expect((await blog.anyone(path + query, { method: "POST" })).status).toBe(401);
          const refused = await lacking(path + query, { method: "POST" });
          expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
            403,
            expect.stringContaining(`scope="${scope}"`),
          ]);
        }
        expect((await submit(blog.anyone, `/library/undo/${key}`, {})).status).not.toBe(200);
        expect(await look()).toEqual(after);
        const list = "/api/undo/?limit=1";
        const listed = async (send: Blog["editor"]) => read<{ undo: string }[]>(send, list);
        expect(await listed(having)).toMatchObject([{ undo: path }]);
        expect((await listed(lacking)).map(({ undo }) => undo)).not.toContain(path);
        expect((await having(path, { method: "POST" })).status).toBe(200);
      });

      once(`of ${name} cannot be undone after 30 days, and leaves nothing behind`, async () => {
        const { key, look } = await make(blog);
        const after = await look();
        const old = new Date(Date.now() - 30 * 24 * 60 * 60 * 1000);
        await blog.database.write((sql) => sql`update changes set created_at = ${old} where key = ${key}`);
        expect((await blog.editor(`/api/undo/${key}/`, { method: "POST" })).status).toBe(404);
        expect((await submit(blog.browser, `/library/undo/${key}`, {})).status).toBe(404);
        await purge(blog.database);
        expect(await blog.database.read`select 1 as n from changes where key = ${key}`).toEqual([]);
        const [rows] = await blog.database.read<{ n: number }>`
          select count(*) as n from change_rows where change_id not in (select id from changes)`;
        expect(Number(rows?.n)).toBe(0);
        expect(await look()).toEqual(after);
      });

      if (isAlone) continue;
      test(`of ${name}, of which something has changed since, keeps that and says so`, async () => {
        const { key, since } = await make(blog);
        const expected = (await since?.()) ?? {};
        const path = `/api/undo/${key}/`;
        const dry = await bodyOf<Undone>(await blog.editor(`${path}?dry_run=true`, { method: "POST" }));
        expect(dry).toMatchObject(expected);
        const page = await submit(blog.browser, `/library/undo/${key}`, {});
        expect(page.status).toBe((expected.kept ?? []).length > 0 ? 200 : 303);
        for (const { title } of expected.kept ?? []) expect(await page.text()).toContain(title);
        const again = await bodyOf<Undone>(await blog.editor(path, { method: "POST" }));
        expect(again).toMatchObject({ ...expected, changed: 0 });
      });
    }

    once("of a draft is seen nowhere meanwhile, and leaves its address as a deleted one does", async () => {
      const { id, word, title, image } = await addDraft(blog);
      const gone = await createPost(blog.editor, { published: false });
      await blog.editor(pathOf(gone), { method: "DELETE" });
      const totals = async () =>
        Promise.all(
          ["/api/drafts/", "/api/posts/"].map(
            async (path) => (await read<{ count: number }>(blog.editor, path)).count,
          ),
        );
      const [drafts = 0, posts] = await totals();
      const etag = await etagOf(blog.editor, "/api/drafts/");
      await removeDraft(blog, id);
      expect(await totals()).toEqual([drafts - 1, Number(posts)]);
      expect(await etagOf(blog.editor, "/api/drafts/")).not.toBe(etag);
      for (const of of [`/api/drafts/#/`, `/api/drafts/#/versions/`, "/posts/#", "/write?post=#"]) {
        const [here, there] = await Promise.all(
          [id, gone.id].map((one) => blog.editor(of.replace("#", String(one)))),
        );
        expect([of, here?.status]).toEqual([of, there?.status]);
      }
      for (const path of [
        `/search?q=${word}`,
        `/find?q=${word}`,
        `/write?q=${word}`,
        `/api/drafts/?q=${word}`,
        "/feed.atom",
        "/sitemap.xml",
        "/write",
        "/today",
        "/moderation?status=shown",
      ])
        expect([path, (await (await blog.editor(path)).text()).includes(title)]).toEqual([path, false]);
      expect((await blog.anyone(`/media/${image}`)).status).toBe(200);
      const removed = await (await blog.browser("/library/removed")).text();
      expect(removed).toContain(title);
      // Nobody else sees it there.
      expect(await (await blog.anyone("/library/removed")).text()).not.toContain(title);
    });

    test("of a draft takes its images along where that was asked for, and brings them back", async () => {
      const { id, image } = await addDraft(blog);
      const status = async () => (await blog.anyone(`/media/${image}`)).status;
      await removeDraft(blog, id, { images: "delete" });
      const key = await newestKey(blog);
      expect(await status()).toBe(404);
      expect((await blog.editor(`/api/undo/${key}/`, { method: "POST" })).status).toBe(200);
      expect(await status()).toBe(200);
      await removeDraft(blog, id, { images: "delete" });
      // The same image again, by hand: it stays then.
      await upload(blog, width - 1);
      const old = new Date(Date.now() - 30 * 24 * 60 * 60 * 1000);
      await blog.database.write((sql) => sql`update changes set created_at = ${old}`);
      await purge(blog.database);
      const [left] = await blog.database.read<{ n: number }>`
        select count(*) as n from media_forms where sha not in (select sha from media)`;
      expect(Number(left?.n)).toBe(0);
    });

    test("of a draft leaves the images that an earlier version of another post has, or that came to be used", async () => {
      const draft = await addDraft(blog);
      const later = await addDraft(blog);
      const other = await createPost(blog.editor, { content: `![A](/media/${draft.image})` });
      await blog.editor(`/api/posts/${other.id}/`, { method: "PATCH", json: { content: "Without." } });
      await removeDraft(blog, draft.id, { images: "delete" });
      const status = async (image: string) => (await blog.anyone(`/media/${image}`)).status;
      expect(await status(draft.image)).toBe(200);
      await removeDraft(blog, later.id, { images: "delete" });
      expect(await status(later.image)).toBe(404);
      const json = { content: `![A](/media/${later.image})` };
      await blog.editor(`/api/posts/${other.id}/`, { method: "PATCH", json });
      const old = new Date(Date.now() - 30 * 24 * 60 * 60 * 1000);
      await blog.database.write((sql) => sql`update changes set created_at = ${old}`);
      await purge(blog.database);
      expect(await status(later.image)).toBe(200);
    });

    test("of a draft leaves to others what they have taken meanwhile: slug, redirect, publication date", async () => {
      const { id, slug } = await addDraft(blog);
      await removeDraft(blog, id);
      const key = await newestKey(blog);
      const taking = await createPost(blog.editor, { published: false });
      await publish(blog, taking, { slug });
      expect((await blog.editor(`/api/undo/${key}/`, { method: "POST" })).status).toBe(200);
      expect(await slugOf(blog, taking.id)).toBe(slug);
      expect(await slugOf(blog, id)).toBeNull();
      const late = await createPost(blog.editor, { published: false });
      const soon = new Date(Date.now() + 60_000).toISOString();
      await publish(blog, late, { publish_at: soon });
      await removeDraft(blog, late.id);
      await blog.database.write(async (sql) => {
        const [row] = await sql<{ before: string }>`
          select before from change_rows where record = 'post' and record_id = ${late.id}`;
        const past = JSON.stringify({
          ...JSON.parse(String(row?.before)),
          publishAt: "2026-01-01T00:00:00.000Z",
        });
        await sql`update change_rows set before = ${past} where record = 'post' and record_id = ${late.id}`;
      });
      await submit(blog.browser, "/library/removed", { post: String(late.id) });
      expect(await read(blog.editor, `/api/drafts/${late.id}/`)).toMatchObject({ published: false });
      const [row] = await blog.database.read`select publish_at from posts where id = ${late.id}`;
      expect(row).toEqual({ publish_at: null });
    });

    test("of comments waits for its post", async () => {
      const post = await createPost(blog.editor, { published: false });
      await blog.editor(`/api/drafts/${post.id}/`, { method: "PATCH", json: { published: true } });
      const comment = await createComment(blog.editor, post);
      await submit(blog.browser, "/moderation", { remove: String(comment.id), status: "shown" });
      const ofComment = await newestKey(blog);
      await blog.editor(`/api/posts/${post.id}/`, { method: "PATCH", json: { published: false } });
      await removeDraft(blog, post.id);
      const ofPost = await newestKey(blog);
      const undo = async (key: string) =>
        bodyOf<Undone>(await blog.editor(`/api/undo/${key}/`, { method: "POST" }));
      expect(await undo(ofComment)).toEqual({ changed: 0, kept: [], gone: 1 });
      expect(await (await blog.browser("/library/removed")).text()).toContain("its post is gone");
      expect(await undo(ofPost)).toMatchObject({ changed: 1 });
      expect(await undo(ofComment)).toEqual({ changed: 1, kept: [], gone: 0 });
    });

    test("of a link or of a comment that is removed for now waits for it", async () => {
      for (const { kind, form, remove } of [
        {
          ...{ kind: "a bulk change", form: "bookmark" },
          remove: (id: string) => submit(blog.browser, `/library/${id}/remove`, {}),
        },
        {
          ...{ kind: "a rejected wave", form: "comment" },
          remove: (id: string) => submit(blog.browser, "/moderation", { remove: id, status: "rejected" }),
        },
      ]) {
        const made = await KINDS[kind]?.make(blog);
        const { key, before, look } = made ?? expect.unreachable();
        const [row] = await blog.database.read<{ record_id: number }>`
          select record_id from change_rows join changes on changes.id = change_id where key = ${key} order by record_id`;
        const id = String(row?.record_id);
        const undo = async () => bodyOf<Undone>(await blog.editor(`/api/undo/${key}/`, { method: "POST" }));
        await remove(id);
        expect([kind, await undo()]).toEqual([kind, { changed: 1, kept: [], gone: 1 }]);
        expect(await undo()).toEqual({ changed: 0, kept: [], gone: 1 });
        await submit(blog.browser, "/library/removed", { [form]: id });
        expect(await undo()).toEqual({ changed: 1, kept: [], gone: 0 });
        expect(await look()).toEqual(before);
      }
    });

    test("of a draft is undone on a server of posts alone, which knows no links", async () => {
      const { browser, editor } = blog.servedWith({ SERVICES: "posts" });
      const { id, title } = await addDraft(blog);
      const link = await KINDS["a bulk change"]?.make(blog);
      await removeDraft(blog, id);
      const page = await (await browser("/library/removed")).text();
      expect([page.includes(title), page.includes('name="bookmark"')]).toEqual([true, false]);
      expect((await editor(`/api/undo/${link?.key}/`, { method: "POST" })).status).toBe(404);
      await submit(browser, `/library/undo/${await newestKey(blog)}`, {});
      expect((await editor(`/api/drafts/${id}/`)).status).toBe(200);
    });

    test("is undone from the notice, from the list of what was removed, and at the command line", async () => {
      const { id, title } = await addDraft(blog);
      const here = async () => (await blog.editor(`/api/drafts/${id}/`)).status;
      const key = await openKey(blog, id);
      const posted = await submit(blog.browser, `/write/${key}`, await deletion(blog, id));
      const cookie = posted.headers.getSetCookie().map((one) => one.split(";", 1)[0]);
      const session = await makeSession(blog.database, await makeAccount(blog.database, crypto.randomUUID()));
      const page = await blog.anyone("/write", { headers: { cookie: [session, ...cookie].join("; ") } });
      const action = /action="(\/library\/undo\/[0-9a-f]{32})"/.exec(await page.text())?.[1];
      expect(action).toBeDefined();
      expect((await submit(blog.browser, String(action), {})).headers.get("location")).toBe("/write");
      expect(await here()).toBe(200);
      await removeDraft(blog, id);
      const list = await (await blog.browser("/library/removed")).text();
      expect(list).toContain(`name="post" value="${id}"`);
      const restored = await submit(blog.browser, "/library/removed", { post: String(id) });
      expect(await here()).toBe(200);
      const [notice = ""] = restored.headers.getSetCookie();
      const after = await blog.anyone("/library/removed", { headers: { cookie: `${session}; ${notice}` } });
      expect(await after.text()).toContain(`Restored. <a href="/write?post=${id}">Show it</a>`);
      await removeDraft(blog, id);
      const env = { DATABASE_URL: blog.databaseUrl };
      const listed = await run(["undo"], { env });
      expect(listed.stdout).toContain("1 post");
      expect(listed.stdout).toContain(title);
      const done = await run(["undo", await newestKey(blog)], { env });
      expect(done).toMatchObject({ code: 0, stdout: "Undone: 1 post restored.\n" });
      expect(await here()).toBe(200);
    });
  },
  { COMMENTS: "moderated", BOOKMARKS_ACCESS: "private" },
);

describeBlog("A change of comments on a post that takes three", (blog) => {
  useLimits({ commentsPerPost: 3 });

  test("comes back as far as there is room, and keeps the rest to be undone later", async () => {
    const post = await createPost(blog.editor);
    const add = async () => (await createComment(blog.editor, post)).id;
    const removed = [await add(), await add()];
    await submit(blog.browser, "/moderation", { all: "remove", id: removed.map(String), status: "shown" });
    const path = `/api/undo/${await newestKey(blog)}/`;
    const others = [await add(), await add()];
    const undo = async (query = "") => bodyOf<Undone>(await blog.editor(path + query, { method: "POST" }));
    const expected = { changed: 1, kept: [{ id: removed[1], title: "editor" }], gone: 0 };
    expect(await undo("?dry_run=true")).toMatchObject(expected);
    expect(await undo()).toMatchObject(expected);
    expect(await undo()).toMatchObject({ ...expected, changed: 0 });
    await blog.editor(`${COMMENTS}${others[0]}/`, { method: "DELETE" });
    expect(await undo()).toEqual({ changed: 1, kept: [], gone: 0 });
    const { comments } = await read(blog.editor, pathOf(post));
    expect(comments.map(({ id }) => id)).toEqual([...removed, Number(others[1])]);
  });
});

async function addLink({ editor }: Blog): Promise<number> {
  const json = { title: "A link", url: "https://example.com/a", description: "#a" };
  return (await bodyOf<{ id: number }>(await editor("/bookmarks/", { method: "POST", json }))).id;
}

const lookAtLinks =
  ({ editor }: Blog, ids: readonly number[]) =>
  () =>
    Promise.all(ids.map(async (id) => (await editor(`/bookmarks/${id}`)).json()));

async function changeLink({ editor }: Blog, id: number): Promise<Partial<Undone>> {
  await editor(`/bookmarks/${id}`, { method: "PATCH", json: { title: "By hand" } });
  return { changed: 0, kept: [{ id, title: "By hand", url: expect.any(String) as unknown as string }] };
}

/** The key of the change that was made last. */
async function newestKey({ database }: Blog): Promise<string> {
  const [row] = await database.read<{ key: string }>`select key from changes order by id desc limit 1`;
  return String(row?.key);
}

function keyOf(path: string): string {
  return path.split("/")[3] ?? "";
}

async function publish({ editor }: Blog, post: Parameters<typeof pathOf>[0], json: object): Promise<void> {
  const path = `${pathOf(post)}publication/`;
  const headers = { "if-match": await etagOf(editor, path) };
  const response = await editor(path, { method: "PATCH", json, headers });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
}

async function slugOf({ database }: Blog, id: number): Promise<string | null> {
  const [row] = await database.read<{ slug: string | null }>`select slug from posts where id = ${id}`;
  return row?.slug ?? null;
}

async function upload({ editor }: Blog, width: number): Promise<string> {
  const image = await makeImage("png", { width });
  const headers = { "content-type": "image/png" };
  const response = await editor("/api/media/", { method: "POST", headers, body: image });
  return (await bodyOf<{ url: string }>(response)).url.replace(/^\/media\//, "");
}

let width = 100;

/** A draft with everything that can belong to one. */
async function addDraft(blog: Blog) {
  const { editor, database } = blog;
  const word = `w${crypto.randomUUID().replaceAll("-", "")}`;
  const title = `Draft ${word}`;
  const image = await upload(blog, width++);
  const post = await createPost(editor, { title, content: "First." });
  for (const content of ["Second.", `Third: ${word} ![A](/media/${image})`])
    await editor(`/api/posts/${post.id}/`, { method: "PATCH", json: { content } });
  const slug = `slug-${word}`;
  await publish(blog, post, { slug: `former-${word}` });
  await publish(blog, post, { slug, tags: ["Dev/JS", "déjà-vu"], summary: "S" });
  await createComment(editor, post, { text: "Shown" });
  await createComment(blog.anyone, post, { author: "Stranger", text: "Waits" });
  await database.write(async (sql) => {
    await sql`insert into redirects (path, post_id) values (${`/old/${word}`}, ${post.id})`;
    await sql`insert into post_properties (post_id, properties) values (${post.id}, ${'{"mood":["glad"]}'})`;
    await sql`update comments set sender = null where post_id = ${post.id}`;
    await sql`
      update comments set parent_id = (select min(id) from comments where post_id = ${post.id})
      where post_id = ${post.id} and author = 'Stranger'`;
  });
  await editor(`/api/posts/${post.id}/`, { method: "PATCH", json: { published: false } });
  return { id: post.id, word, title, slug, image };
}

/** The rows of a post and all that belongs to it, and what is derived from it. */
async function everythingOf({ database, editor }: Blog, id: number, image?: string) {
  const { read: sql } = database;
  const json = (rows: unknown) =>
    JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? Number(value) : value));
  const rows = {
    posts: (await sql`select * from posts where id = ${id}`).map((post) => ({
      ...post,
      // It counts undoing of comments, too.
      ...(image === undefined && { comments_version: 0 }),
    })),
    slugs: await sql`select * from former_slugs where post_id = ${id} order by slug`,
    redirects: await sql`select * from redirects where post_id = ${id} order by path`,
    tags: await sql`select * from post_tags where post_id = ${id} order by position`,
    properties: await sql`select * from post_properties where post_id = ${id}`,
    versions: await sql`select * from post_versions where post_id = ${id} order by number`,
    comments: await sql`
      select id, post_id, parent_id, author, text, status, reasons, created_at, created_by from comments
      where post_id = ${id} order by id`,
    totals: await sql`
      select name, sum(n) as n from counters where name in ('posts:total', 'drafts:total') group by name order by name`,
    indexed: await sql`select id, title, version from search_posts where id = ${id}`,
    images: await sql`select sha, type, size from media where ${image ?? ""} like sha || '%'`,
  };
  const found = [];
  for (const { id: post } of rows.indexed as { id: number }[])
    for (const path of ["posts", "drafts"]) found.push(await (await editor(`/api/${path}/${post}/`)).text());
  return JSON.parse(json({ ...rows, found })) as unknown;
}

/** The key of an editor of a draft. */
async function openKey({ browser }: Blog, id: number): Promise<string> {
  const { headers } = await browser(`/write?post=${id}`);
  return /^\/write\/([0-9a-f-]{36})/.exec(headers.get("location") ?? "")?.[1] ?? "no key";
}

async function deletion({ database }: Blog, id: number): Promise<Record<string, string>> {
  const [row] = await database.read<{ title: string; content: string; earlier: number }>`
    
    select title, content, (select count(*) from post_versions where post_id = ${id}) as earlier
    from posts where id = ${id}`;
  const { title = "", content = "", earlier = 0 } = row ?? {};
  return {
    ...{ title, content, post: String(id), base_version: String(Number(earlier) + 1), version: "0" },
    ...{ action: "delete-now" },
  };
}

async function removeDraft(blog: Blog, id: number, more: Record<string, string> = {}): Promise<void> {
  const fields = { ...(await deletion(blog, id)), ...more };
  const response = await submit(blog.browser, `/write/${await openKey(blog, id)}`, fields);
  expect(response.status).toBe(303);
}

async function purge(database: Database): Promise<void> {
  const job = { id: 1, kind: "purge", key: "", payload: {}, attempts: 1, lease: "", requests: 1 };
  await jobKinds(readConfig({}), database).purge?.run(job, new AbortController().signal);
}
