import { expect, test } from "bun:test";
import { makeImage } from "../../support/files/images.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { submit } from "../../support/requests/forms.ts";
import type { Send } from "../../support/requests/send.ts";
import { describeApp } from "../../support/server/contract.ts";

const upload = async (send: Send, width: number) => {
  const headers = { "content-type": "image/png" };
  const response = await send("/api/media/", {
    method: "POST",
    headers,
    body: await makeImage("png", { width }),
  });
  return ((await response.json()) as { url: string }).url;
};

const form = (send: Send, fields: Record<string, string>) =>
  submit(send, `/write/${crypto.randomUUID()}`, {
    ...{ title: "Quinces", content: "", post: "", base_version: "", version: "0", action: "publish" },
    ...fields,
  });

describeApp("The details of a post in the editor", (service) => {
  test("make an address of what is typed as one", async () => {
    const { request, database } = await service.startApp();
    const send = withHeaders(request, {
      cookie: await makeSession(database, await makeAccount(database, "ada")),
    });
    for (const [slug, path] of [
      ["River Map!", "/posts/river-map"],
      ["Äpfel & Birnen", "/posts/apfel-birnen"],
      ["2026", "/posts/post-2026"],
    ] as const)
      expect((await form(send, { slug })).headers.get("location")).toBe(path);
    expect((await form(send, { slug: "?!" })).status).toBe(422);
  });

  test("stand below a title that is one line, without white space at its ends", async () => {
    const { request, database } = await service.startApp();
    const send = withHeaders(request, {
      cookie: await makeSession(database, await makeAccount(database, "ada")),
    });
    for (const [typed, title] of [
      ["A week of sourdough ", "A week of sourdough"],
      [" A week \r\n\r\n of\rsourdough\n", "A week of sourdough"],
      ["Two  blanks, and\u00a0one that holds", "Two  blanks, and\u00a0one that holds"],
    ] as const) {
      const saved = await form(send, { title: typed, action: "save" });
      const key = saved.headers.get("location")?.split("/")[2];
      const edit = (await (await send(`/api/edits/${key}/`)).json()) as { title: string };
      const published = await form(send, { title: typed });
      expect(published.status).toBe(303);
      const { results } = (await (await send("/api/posts/?ordering=-id")).json()) as {
        results: { title: string }[];
      };
      expect([edit.title, results[0]?.title]).toEqual([title, title]);
    }
    expect((await form(send, { title: " \r\n " })).status).toBe(422);
  });

  test("are refused with a count of images without a description, and published with them on request", async () => {
    const { request, database } = await service.startApp();
    const send = withHeaders(request, {
      cookie: await makeSession(database, await makeAccount(database, "ada")),
    });
    const content = "![](/media/1.png) ![A](/media/2.png) ![](/media/3.png)";
    const refused = await form(send, { content });
    const page = await refused.text();
    expect(refused.status).toBe(422);
    expect(page).toContain("<h2>2 pictures have no description.</h2>");
    expect(page).toContain("Publish anyway");
    // Beside another error, there is nothing to publish yet.
    const other = await (await form(send, { content, title: "" })).text();
    expect(other).toContain("Not published: 2 problems to fix");
    expect(other).not.toContain("Publish anyway");
    expect((await form(send, { content, action: "publish-anyway" })).status).toBe(303);
  });

  test("have the cover, which stays when the post is updated, until it is removed", async () => {
    const { request, database } = await service.startApp();
    const send = withHeaders(request, {
      cookie: await makeSession(database, await makeAccount(database, "ada")),
    });
    const image = await upload(send, 300);
    await form(send, { image });
    const publication = async () =>
      (await (await send("/api/posts/1/publication/")).json()) as { image: string | null };
    expect((await publication()).image).toBe(image);
    expect(await (await send(`/write/${crypto.randomUUID()}?post=1`)).text()).toContain(`value="${image}"`);
    await form(send, { post: "1", base_version: "1", image: "" });
    expect((await publication()).image).toBe(null);
  });

  test("say that the images of an unpublished post stay readable, and delete those unused with the draft", async () => {
    const { request, database } = await service.startApp();
    const send = withHeaders(request, {
      cookie: await makeSession(database, await makeAccount(database, "ada")),
    });
    const [own, shared, cover] = [await upload(send, 300), await upload(send, 301), await upload(send, 302)];
    await form(send, { title: "Another", content: `![A](${shared})` });
    const content = `![A](${own}) ![B](${shared})`;
    await form(send, { content, image: cover });
    const fields = { post: "2", base_version: "1", content, image: cover };
    const unpublished = await form(send, { ...fields, action: "unpublish" });
    expect(unpublished.headers.getSetCookie().join()).toContain("post-unpublished-images");
    expect((await request(own)).status).toBe(200);
    const asked = await form(send, { ...fields, action: "delete" });
    expect(await asked.text()).toContain('name="images" value="delete"');
    // The working copy of the unpublished post has them, too, and is deleted with it.
    const key = unpublished.headers.get("location")?.split("/")[2];
    await submit(send, `/write/${key}`, {
      ...{ title: "Quinces", version: "1", ...fields },
      ...{ action: "delete-now", images: "delete" },
    });
    const statuses = await Promise.all([own, shared, cover].map(async (url) => (await request(url)).status));
    expect(statuses).toEqual([404, 200, 404]);
  });
});
