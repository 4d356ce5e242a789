import { describe, expect, test } from "bun:test";
import { faultsOfAtom, faultsOfJsonFeed, faultsOfRss } from "../../support/pages/feed-rules.ts";
import { createComment, createPost, describeBlog, pathOf } from "../../support/records/blog.ts";
import { submit } from "../../support/requests/forms.ts";

const RULES = { atom: faultsOfAtom, rss: faultsOfRss, json: faultsOfJsonFeed } as const;
const TYPES = {
  atom: "application/atom+xml; charset=utf-8",
  rss: "application/rss+xml; charset=utf-8",
  json: "application/feed+json; charset=utf-8",
} as const;

/** Every construct of a post's text that refers to something, relative in all ways that there are. */
const CONTENT = `# Head

[root](/about) [dot](./x) [up](../y?z=1#w) [fragment](#fn) [host](//example.com/a) [empty]() [mail](mailto:a@b.example)
[script](javascript:alert(1)) [data](data:text/html,x) ![picture](media/a.png "t") ![own](/media/${"0".repeat(40)}.jpg)

<a href="relative" onclick="x()" style="color:red">raw</a> <img src=x onerror=alert(1) srcset="a.png 1x, /b.png 2x">
<blockquote cite="quoted">q</blockquote> <iframe src="https://example.com/"></iframe> <script>alert(1)</script>

A note.[^1] ]]> & <b>bold</b> "quotes" \u0001\u001f\ufffe

| a | b |
|---|---|
| 1 | 2 |

\`\`\`js
const html = "<p>&amp;</p>"; // ]]>
\`\`\`

[^1]: Of the foot. <https://example.com/?a=1&b=2>
`;

describeBlog("The rules of the W3C's feed validator", ({ anyone, editor }) => {
  async function check(path: string, format: keyof typeof RULES): Promise<void> {
    const response = await anyone(path);
    expect([path, response.status, response.headers.get("content-type")]).toEqual([path, 200, TYPES[format]]);
    expect([path, ...RULES[format](await response.text(), `http://localhost${path}`)]).toEqual([path]);
  }

  async function checkAll(): Promise<void> {
    for (const format of ["atom", "rss", "json"] as const) await check(`/feed.${format}`, format);
    await check("/links.atom", "atom");
  }

  test("are followed by feeds without an entry", checkAll);

  test("are followed by every feed, whatever posts and comments contain", async () => {
    const publish = async (title: string, content: string, publication: object) => {
      const post = await createPost(editor, { title, content });
      const json = { slug: `post-${post.id}`, ...publication };
      const response = await editor(`${pathOf(post)}publication/`, { method: "PATCH", json });
      expect(response.status).toBe(200);
      return post;
    };
    const post = await publish("Hostile <b>&amp;</b> ]]> \u0002 🦊", CONTENT, {
      tags: ["dev/js", "C#", '"<&>"'],
      summary: "A <summary> & more ]]> \u0003",
      language: "de",
      image: "/media/a.png",
    });
    await publish("A link", "", { kind: "link", link: "https://[::1]/a|b?a=1&b=%22<x>&c[]={d}^`\\#[e]" });
    await publish("A title alone", "", { tags: ["dev"] });
    for (const text of ['One & two\n<i>three</i> https://example.com/?a="1"&b', "Two \u0001 ]]>"])
      await createComment(editor, post, { author: "Ada \u0003<b>", text });
    await checkAll();
    for (const format of ["atom", "rss", "json"] as const) {
      await check(`/tags/dev/feed.${format}`, format);
      await check(`/tags/%22%3C%26%3E%22/feed.${format}`, format);
    }
    await check(`/posts/post-${post.id}/comments.atom`, "atom");
  });

  describe("A moderator's feed of waiting comments", () => {
    test("follows them, too, is identified by its key alone, and ends when it is deleted", async () => {
      const post = await createPost(editor, { title: "Waited for <b>" });
      const settings = await submit(editor, "/moderation/feeds", {});
      expect([settings.status, settings.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
      const shown = await settings.text();
      const [, path = ""] =
        /http:\/\/localhost(\/moderation\/feeds\/[0-9a-f]{40}\/comments\.atom)/.exec(shown) ?? [];
      await check(path, "atom");
      await editor(`/api/comments/${(await createComment(editor, post, { text: "Wait & <see>" })).id}/`, {
        method: "PUT",
        json: { status: "waiting" },
      });
      await check(path, "atom");
      const feed = await anyone(path);
      const xml = await feed.text();
      expect(feed.headers.get("cache-control")).toStartWith("private");
      expect(xml).toContain("editor on “Waited for");
      expect(xml).toContain("<![CDATA[Wait &amp; &lt;see&gt;]]>");
      const etag = feed.headers.get("etag") ?? "";
      expect((await anyone(path, { headers: { "if-none-match": etag } })).status).toBe(304);
      for (const wrong of ["0".repeat(40), "x", "%00"])
        expect((await anyone(`/moderation/feeds/${wrong}/comments.atom`)).status).toBe(404);
      expect((await anyone("/moderation/feeds")).status).toBe(303);
      const [, end = ""] =
        /name="end" value="(\d+)"/.exec(await (await editor("/moderation/feeds")).text()) ?? [];
      expect((await submit(editor, "/moderation/feeds", { end })).status).toBe(303);
      expect((await anyone(path)).status).toBe(404);
    });
  });
});
