import { expect, test } from "bun:test";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { createPost } from "../../support/records/blog.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

describeApp("The page Write", (service) => {
  test("lists drafts, and unpublished changes of posts, under one name each", async () => {
    const { request, database } = await service.startApp();
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    const send = withHeaders(request, { cookie });
    const parts = async () => {
      const html = await (await send("/write")).text();
      const sections = html.split('<section class="row part" aria-labelledby="').slice(1);
      return Object.fromEntries(
        sections.map((section) => [
          section.slice(0, section.indexOf('"')),
          [...section.matchAll(/dir="auto">([^<]*)<\/a>/g)].map(([, title]) => title),
        ]),
      );
    };
    const save = (title: string, post: number | "") =>
      submit(send, `/write/${crypto.randomUUID()}`, {
        ...{ title, content: "", post: String(post), base_version: post === "" ? "" : "1", version: "0" },
        action: "save",
      });
    expect(await (await send("/write")).text()).toContain("No drafts or posts yet.");
    const published = await createPost(send, { title: "Published", content: "" });
    const draft = await createPost(send, { title: "Draft", content: "", published: false });
    await createPost(send, { title: "Other draft", content: "", published: false });
    await save("New", "");
    await save("Changed post", published.id);
    await save("Changed draft", draft.id);
    // Some may have been saved in the same millisecond.
    const found = await parts();
    expect<unknown>({ ...found, drafts: found.drafts?.toSorted() }).toEqual({
      drafts: ["Changed draft", "New", "Other draft"],
      changes: ["Changed post"],
      published: ["Published"],
    });
  });

  test("leads to every draft, post and version, and finds them by words of the title or the text", async () => {
    const { request, database } = await service.startApp();
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    const send = withHeaders(request, { cookie });
    const titlesOf = async (path: string) => {
      const html = await (await send(path)).text();
      const [, next] = /<a href="([^"]*)" rel="next">/.exec(html) ?? [];
      const titles = [...html.matchAll(/class="entry"[^>]*dir="auto">([^<]*)<\/a>/g)].map(
        ([, title]) => title,
      );
      return { titles, next: next?.replaceAll("&amp;", "&"), html };
    };
    for (let n = 0; n < 52; n++)
      await send(`/api/edits/${crypto.randomUUID()}/`, { method: "PUT", json: { title: `Draft ${n}` } });
    for (let n = 0; n < 21; n++) await createPost(send, { title: `Post ${n}`, content: "" });
    const all = await titlesOf("/write");
    expect(all.titles).toHaveLength(40);
    expect(all.html).toContain('href="/write?list=drafts"');
    const [first, published] = [
      await titlesOf("/write?list=drafts"),
      await titlesOf("/write?list=published"),
    ];
    expect([first.titles.length, published.titles.length, published.next]).toEqual([50, 21, undefined]);
    const second = await titlesOf(first.next ?? "");
    expect(new Set([...first.titles, ...second.titles]).size).toBe(52);
    expect([second.next, second.html]).toEqual([undefined, expect.stringContaining('rel="prev"')]);
    await createPost(send, { title: "Found", content: "Nine QUINCES, 100% ripe.", published: false });
    for (const [q, titles] of [
      ["quinces nine", ["Found"]],
      ["found", ["Found"]],
      ["100%", ["Found"]],
      ["9%e", []],
    ] as const)
      expect([q, (await titlesOf(`/write?q=${encodeURIComponent(q)}`)).titles]).toEqual([q, [...titles]]);
    // Versions: 20 on a page, each beside the next one.
    const { id } = await createPost(send, { title: "Often changed", content: "Text 0." });
    for (let n = 1; n <= 41; n++)
      await send(`/api/posts/${id}/`, { method: "PATCH", json: { content: `Text ${n}.` } });
    const versions: string[] = [];
    let path: string | undefined = `/write/${crypto.randomUUID()}/versions?post=${id}`;
    while (path !== undefined) {
      const page: Awaited<ReturnType<typeof titlesOf>> = await titlesOf(path);
      versions.push(
        ...[...page.html.matchAll(/<tr class="theirs">.*?(Text \d+\.)/g)].map(([, text = ""]) => text),
      );
      path = page.next;
    }
    expect(versions).toEqual(Array.from({ length: 41 }, (_, n) => `Text ${40 - n}.`));
  });

  test("refuses to schedule a post for a day that does not exist", async () => {
    const { request, database } = await service.startApp();
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    const send = withHeaders(request, { cookie });
    for (const publish_at of ["2099-02-30T09:30", "0099-01-01T09:30", "1969-07-20T20:17", "soon"]) {
      const fields = { title: "Soon", content: "", post: "", base_version: "", version: "0" };
      const editor = `/write/${crypto.randomUUID()}`;
      const refused = await submit(send, editor, { ...fields, publish_at, action: "publish" });
      expect([publish_at, refused.status]).toEqual([publish_at, 422]);
      expect(await refused.text()).toContain(
        "Enter a date and a time of the years 1970 to 9999, such as 2026-11-21 09:30.",
      );
    }
  });

  test("leads from an empty site to the editor with a new text", async () => {
    const { request, database } = await service.startApp();
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    const send = withHeaders(request, { cookie });
    const [, link = ""] =
      /<a href="([^"]*)">Write the first post</.exec(await (await send("/")).text()) ?? [];
    const editing = await send(link);
    const location = editing.headers.get("location") ?? "";
    expect([editing.status, location]).toEqual([303, expect.stringMatching(/^\/write\/[0-9a-f-]{36}$/)]);
    expect((await send(location)).status).toBe(200);
    expect((await request(link)).headers.get("location")).toBe("/sign-in?next=%2Fwrite%2Fnew");
  });
});
