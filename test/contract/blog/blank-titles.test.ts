import { expect, test } from "bun:test";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { createPost } from "../../support/records/blog.ts";
import { describeApp } from "../../support/server/contract.ts";

/** Titles in which nobody sees anything: spaces, signs without width, an accent without a letter, fillers, noncharacters. */
const BLANK = [
  " ",
  "\u00a0\u3000",
  "\u200b\u200d",
  "\u0301",
  "\u2800",
  "\u3164",
  "\u202e",
  "\u0001",
  "\uffff",
];

/** Pages and feeds with the title of each post. */
const LISTS = [
  "/",
  "/archive",
  "/tags/quince",
  "/feed.atom",
  "/feed.rss",
  "/feed.json",
  "/search?q=quinces",
  "/write",
  "/find?q=quinces",
];

describeApp("A post with a title of blanks", (service) => {
  test("has a name on all pages and in all feeds, and keeps its title", async () => {
    const { request, database } = await service.startApp();
    const send = withHeaders(request, {
      cookie: await makeSession(database, await makeAccount(database, "ada")),
    });
    for (const title of BLANK) {
      const { id } = await createPost(send, { title, content: "Quinces.", published: true });
      const json = { tags: ["quince"] };
      const changed = await send(`/api/posts/${id}/publication/`, { method: "PATCH", json });
      expect(changed.status).toBe(200);
      expect(await (await send(`/api/posts/${id}/`)).json()).toMatchObject({ title });
      const { slug } = (await changed.json()) as { slug: string };
      const html = await (await send(`/posts/${slug}`)).text();
      expect(html).toContain("<title>Untitled");
      expect(html).toMatch(/<h1[^>]*>Untitled<\/h1>/);
      await send("/api/drafts/", { method: "POST", json: { title, content: "A draft." } });
    }
    for (const path of LISTS) {
      const text = await (await send(path)).text();
      // What is found on the page of all things is cut short.
      const shown = path.startsWith("/find") ? 1 : BLANK.length;
      expect([path, text.split("Untitled").length > shown]).toEqual([path, true]);
      const links = [...text.matchAll(/<a\b[^<>]*>((?:(?!<\/a>)[\s\S])*)<\/a>/g)].map(([, inside = ""]) =>
        inside.replaceAll(/<(?!img|svg)[^<>]*>/g, "").trim(),
      );
      expect(links).not.toContain("");
    }
  });
});
