import { expect, test } from "bun:test";
import type { Scope } from "../../../src/accounts/scope.ts";
import { insertPost } from "../../../src/posts/post-store.ts";
import { importSite } from "../../../src/transfer/import/import-records.ts";
import { stageSite } from "../../../src/transfer/stage-site.ts";
import { archiveOf } from "../../support/files/archive-file.ts";
import { archivedImage } from "../../support/files/archived-site.ts";
import { importPage } from "../../support/files/import-page.ts";
import { inMemory } from "../../support/files/zip.ts";
import { makeAccount, makeToken, withToken } from "../../support/records/accounts.ts";
import { fullRunTest } from "../../support/run/full-run.ts";
import { describeApp } from "../../support/server/contract.ts";

const WHEN = "2026-11-21T06:40:12.345Z";

describeApp("A file that is imported by the page", (service) => {
  test("does not decide who may see or write something; other settings are shown with their values", async () => {
    const { request, importAll, database } = await importPage(service, {
      BOOKMARKS_ACCESS: "auto",
      HOST: "0.0.0.0",
    });
    const archive = await archiveOf({
      setting: [
        { name: "bookmarksAccess", value: "open", updated_at: WHEN },
        { name: "comments", value: "moderated", updated_at: WHEN },
        { name: "description", value: "Notes <of> Ada", updated_at: WHEN },
      ],
    });
    expect((await request("/bookmarks/")).status).toBe(401);
    const { preview } = await importAll(archive);
    for (const text of ["Left out (open)", "Left out (moderated)", "Value: Notes &lt;of> Ada"])
      expect(preview).toContain(text);
    expect((await request("/bookmarks/")).status).toBe(401);
    expect((await database.read`select name from site_settings`).map((row) => row.name).toSorted()).toEqual([
      "description",
      "hadAccount",
    ]);

    const byOperator = async () => {
      const fileName = "site.zip";
      using site = await stageSite(inMemory(archive), { fileName, now: new Date() });
      if (site === undefined) throw new Error("not an archive");
      const rows = [...(await importSite(database, site)).rows];
      return rows.map(({ outcome, detail }) => `${outcome}: ${detail}`);
    };
    await database.write((sql) =>
      insertPost(sql, { title: "Here", content: "", published: false }, undefined, new Date()),
    );
    expect((await byOperator())[0]).toStartWith("skipped: Left out (open)");
    await database.write((sql) => sql`delete from posts`);
    expect((await byOperator()).slice(0, 2)).toEqual(["added: Value: open", "added: Value: moderated"]);
  });

  test("does not decide what other accounts have written", async () => {
    const { importAll, database, account } = await importPage(service);
    const bob = await makeAccount(database, "bob");
    const { record: image, files } = await archivedImage(40);
    const times = { created_at: WHEN, updated_at: WHEN };
    const post = { title: "First", content: "", published: true, published_at: WHEN, ...times };
    const comment = { post: 7, text: "Hi", status: "shown" as const, created_at: WHEN };
    const edit = { post: null, title: "", content: "", ...times };
    const key = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
    const archive = await archiveOf(
      {
        image: [{ ...image, created_by: "bob" }],
        bookmark: [{ id: 5, title: "", url: "https://bun.sh/", created_by: "bob", ...times }],
        post: [
          { ...post, id: 7, created_by: "Bob", publication: null },
          { ...post, id: 8, title: "Second", created_by: "ada", publication: null },
          { ...post, id: 9, title: "Third", created_by: null, publication: null },
        ],
        version: [
          {
            post: 7,
            number: 1,
            title: "",
            content: "",
            published: false,
            replaced_at: WHEN,
            replaced_by: "bob",
          },
        ],
        comment: [
          { ...comment, id: 3, author: "Bob", created_by: "bob" },
          { ...comment, id: 4, author: "Ada", created_by: "ada" },
        ],
        edit: [
          { ...edit, key: key(1), created_by: "bob" },
          { ...edit, key: key(2), created_by: "ada" },
        ],
      },
      files,
    );
    const { preview } = await importAll(archive);
    for (const note of [
      "bob: 4 items belong to your account",
      "Bob: 1 item belongs to your account",
      "bob: 1 comment has the name but no account",
    ])
      expect(preview).toContain(note);
    const authors = await Promise.all([
      database.read`select created_by as by from media`,
      database.read`select created_by as by from bookmarks`,
      database.read`select created_by as by from posts order by id`,
      database.read`select replaced_by as by from post_versions`,
      database.read`select created_by as by from comments order by id`,
      database.read`select created_by as by from edits order by key`,
    ]);
    const [ada, none] = [account.id, null];
    expect(authors.map((rows) => rows.map(({ by }) => by && Number(by)))).toEqual([
      [ada],
      [ada],
      [ada, ada, none],
      [ada],
      [none, ada],
      [ada, ada],
    ]);
    expect(authors.flat().map(({ by }) => by && Number(by))).not.toContain(bob.id);
  });

  test("needs a session: no token is taken, whatever its scopes", async () => {
    const { request, database, account } = await importPage(service);
    const statuses = async (path: string, scopes: readonly Scope[]) => {
      const send = withToken(request, await makeToken(database, account, { scopes }));
      const body = new FormData();
      body.set("file", new File([await archiveOf({})], "site.zip"));
      return [
        (await send(path)).status,
        (await send(path, { method: "POST", body, headers: { "sec-fetch-site": "same-origin" } })).status,
      ];
    };
    const all: readonly Scope[] = ["account", "posts:write", "bookmarks:write", "comments:moderate"];
    for (const path of ["/write/import", "/library/import"])
      expect(await statuses(path, all)).toEqual([303, 401]);
  });

  fullRunTest("may give each post a thousand former slugs", async () => {
    const { importAll, database } = await importPage(service);
    const posts = Array.from({ length: 33 }, (_, n) => ({
      ...{ id: n + 1, title: `Post ${n}`, content: "", published: true, created_by: null },
      ...{ created_at: WHEN, updated_at: WHEN, published_at: WHEN, publication: { slug: `post-${n}` } },
      former_slugs: Array.from({ length: 1_000 }, (_, m) => `former-${n}-${m}`),
    }));
    await importAll(await archiveOf({ post: posts }));
    const [slugs] = await database.read`select count(*) as n from former_slugs`;
    expect(Number(slugs?.n)).toBe(33_000);
  });

  test("changes the entity tags of a known post and of its list when it adds a comment", async () => {
    const { request, importAll } = await importPage(service);
    const post = {
      ...{ id: 7, title: "Old", content: "Hello.", published: true, created_by: null, publication: null },
      ...{ created_at: WHEN, updated_at: WHEN, published_at: WHEN },
    };
    await importAll(await archiveOf({ post: [post] }));
    const paths = ["/api/posts/7/", "/api/posts/"];
    const tags = await Promise.all(
      paths.map(async (path) => (await request(path)).headers.get("etag") ?? ""),
    );
    const comment = {
      id: 3,
      post: 7,
      author: "Bo",
      text: "Welcome!",
      status: "shown" as const,
      created_at: WHEN,
    };
    await importAll(await archiveOf({ post: [post], comment: [comment] }));
    for (const [index, path] of paths.entries()) {
      const now = await request(path, { headers: { "if-none-match": tags[index] ?? "" } });
      expect([path, now.status, (await now.text()).includes("Welcome!")]).toEqual([path, 200, true]);
    }
  });
});
