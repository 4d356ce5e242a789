import { expect, test } from "bun:test";
import type { Scope } from "../../src/accounts/scope.ts";
import { insertPost } from "../../src/posts/post-store.ts";
import { importSite } from "../../src/transfer/import/import-records.ts";
import { stageSite } from "../../src/transfer/stage-site.ts";
import { makeToken, withToken } from "../support/accounts.ts";
import { archiveOf } from "../support/archive-file.ts";
import { describeContract } from "../support/contract.ts";
import { importPage } from "../support/import-page.ts";
import { inMemory } from "../support/zip.ts";

const WHEN = "2026-11-21T06:40:12.345Z";

describeContract("A file that is imported by the page", (service) => {
  test("does not decide who may see or write something; other settings are shown with their values", async () => {
    const { request, importAll, database } = await importPage(service, { HOST: "0.0.0.0" });
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
    expect((await database.read`select name from site_settings`).map((row) => row.name)).toEqual([
      "description",
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

  test("needs a token with the scopes of everything that it writes", async () => {
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
    for (const lacking of all) {
      const scopes = all.filter((scope) => scope !== lacking);
      expect([lacking, ...(await statuses("/write/import", scopes))]).toEqual([lacking, 403, 403]);
    }
    expect(await statuses("/write/import", all)).toEqual([200, 422]);
    expect(await statuses("/library/import", ["account", "bookmarks:read"])).toEqual([403, 403]);
  });

  test("may give each post a thousand former slugs", async () => {
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
