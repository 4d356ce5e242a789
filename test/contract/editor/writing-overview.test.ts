import { expect, test } from "bun:test";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { createPost } from "../../support/records/blog.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeContract } from "../../support/server/contract.ts";

describeContract("The page Write", (service) => {
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
    expect(await (await send("/write")).text()).toContain("There are no drafts and no posts yet.");
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
