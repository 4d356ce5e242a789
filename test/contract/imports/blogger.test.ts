import { describe, expect, test } from "bun:test";
import { messageOf } from "../../../src/errors.ts";
import { stageSite } from "../../../src/transfer/stage-site.ts";
import { makeImage } from "../../support/files/images.ts";
import { type Files, importedFiles, importedFrom } from "../../support/files/imported-site.ts";
import { inMemory } from "../../support/files/zip.ts";

/** An entry in the shape of the backup of Blogger's settings. */
function entry(kind: string, id: number, more: string): string {
  return `<entry><id>tag:blogger.com,1999:blog-1.post-${id}</id>
 <published>2010-11-2${id}T08:21:00.000-08:00</published><updated>2018-08-02T12:22:48.286-07:00</updated>
 <category scheme="http://schemas.google.com/g/2005#kind" term="http://schemas.google.com/blogger/2008/kind#${kind}"/>
 ${more}<author><name>Ada</name><email>noreply@blogger.com</email></author></entry>`;
}

const FEED = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:thr="http://purl.org/syndication/thread/1.0"><id>tag:blogger.com,1999:blog-1.archive</id>
${entry("settings", 0, "<title>No</title><content type='text'>secret@example.com</content>")}
${entry(
  "post",
  1,
  `<category scheme="http://www.blogger.com/atom/ns#" term="Old maps"/><title type="text">Fish &amp; chips</title>
 <content type="html">&lt;p&gt;Hi &amp;amp; &lt;img src="//1.bp.example/s320/a.jpg"&gt;&lt;/p&gt;</content>
 <link rel="alternate" href="http://ada.blogspot.example/2010/11/fish-chips.html"/>`,
)}
${entry("post", 2, '<app:control><app:draft>yes</app:draft></app:control><title type="text">Later</title><content type="html">x</content>')}
${entry("page", 3, '<title>About</title><content>y</content><link rel="alternate" href="http://ada.blogspot.example/p/about.html"/>')}
${entry("comment", 4, '<title>Nice</title><content type="html">Nice&lt;br /&gt;one</content><thr:in-reply-to ref="tag:blogger.com,1999:blog-1.post-1"/>')}
${entry("comment", 5, '<title>Yes</title><content>Yes</content><link rel="related" href="http://www.blogger.com/feeds/1/1/comments/default/4"/><thr:in-reply-to ref="tag:blogger.com,1999:blog-1.post-1"/>')}
</feed>`;

/** An entry in the shape of Google Takeout's `feed.atom`. */
function taken(type: string, id: number, status: string, more = ""): string {
  return `<entry><id>tag:blogger.com,1999:blog-2.post-${id}</id><blogger:type>${type}</blogger:type><blogger:status>${status}</blogger:status>
 <author><name>Bo</name><blogger:type>BLOGGER</blogger:type></author><title>No. ${id}</title>
 <content type='html'>Hi &lt;img src="https://blogger.example/s320/sun.jpg"&gt;</content><published>2026-06-0${id}T10:00:00Z</published>${more}</entry>`;
}

const TAKEOUT = `<?xml version='1.0' encoding='utf-8'?>
<feed xmlns='http://www.w3.org/2005/Atom' xmlns:blogger='http://schemas.google.com/blogger/2018'><id>x</id>
${taken("POST", 1, "LIVE", "<category term='Rye' scheme='tag:x'/><blogger:filename>/2026/06/no-1.html</blogger:filename><blogger:metaDescription>Short</blogger:metaDescription><blogger:trashed/>")}
${taken("POST", 2, "DRAFT")}${taken("POST", 3, "LIVE", "<blogger:trashed>2026-06-09T10:00:00Z</blogger:trashed>")}
${taken("COMMENT", 4, "PENDING", "<blogger:parent>tag:blogger.com,1999:blog-2.post-1</blogger:parent><blogger:inReplyTo/>")}
${taken("COMMENT", 5, "SPAM", "<blogger:parent>tag:blogger.com,1999:blog-2.post-1</blogger:parent>")}
${taken("COMMENT", 6, "LIVE", "<blogger:parent>tag:blogger.com,1999:blog-2.post-1</blogger:parent><blogger:inReplyTo>tag:blogger.com,1999:blog-2.post-4</blogger:inReplyTo>")}
</feed>`;

describe("A blog of Blogger", () => {
  test("is read with pages, drafts, labels, comments and old paths; what has no place is counted", async () => {
    const { posts, comments, report } = await importedFrom(Buffer.from(FEED));
    expect(report.format).toBe("blogger");
    expect(posts["Fish & chips"]).toMatchObject({
      content: '<p>Hi &amp; <img src="//1.bp.example/s320/a.jpg"></p>',
      published_at: "2010-11-21T16:21:00.000Z",
      updated_at: "2018-08-02T19:22:48.286Z",
      publication: { kind: "post", slug: "fish-chips", tags: ["Old-maps"] },
      redirects: ["/2010/11/fish-chips.html"],
    });
    expect(posts.Later).toMatchObject({ published: false, redirects: [] });
    expect(posts.About).toMatchObject({
      publication: { kind: "page", slug: "about" },
      redirects: ["/p/about.html"],
    });
    expect(comments).toMatchObject([
      { id: 1, author: "Ada", text: "Nice\none", status: "shown", post_id: 1, parent: null },
      { text: "Yes", parent: 1 },
    ]);
    const details = report.notes.map(({ detail }) => detail);
    expect(details).toContain("Entries of the type “settings” are not imported (1 entry).");
    expect(details).toContain("1 picture stays at 1.bp.example, unless it is brought along.");
    expect(JSON.stringify([posts, report])).not.toContain("secret@example.com");
  });

  test("of Google Takeout finds its pictures in the albums", async () => {
    const { posts, comments, images, report } = await importedFiles({
      "Takeout/Blogger/Blogs/Ada/feed.atom": TAKEOUT,
      "Takeout/Blogger/Blogs/Ada/theme-classic.html": "<html>",
      "Takeout/Blogger/Albums/Ada/sun.jpg": await makeImage("jpeg"),
    });
    expect(posts["No. 1"]).toMatchObject({
      content: `<div>\nHi <img src="${images[0]}">\n</div>`,
      publication: { slug: "no-1", tags: ["Rye"], summary: "Short" },
      redirects: ["/2026/06/no-1.html"],
    });
    expect(posts["No. 2"]).toMatchObject({ published: false });
    expect(comments).toMatchObject([
      { id: 1, author: "Bo", status: "waiting" },
      { status: "shown", parent: 1 },
    ]);
    expect(report.rows.filter(({ outcome }) => outcome !== "added").map(({ detail }) => detail)).toEqual([
      "Skipped: it is in the trash of Blogger.",
      "Its status at Blogger is “spam”.",
    ]);
  });

  const settings = (value: string) =>
    `<entry><id>tag:blogger.com,1999:blog-1.settings.BLOG_READ_ACCESS_MODE</id><content type="text">${value}</content></entry></feed>`;
  const table = (value: string) => `blog_name,blog_read_access_mode\nAda,${value}\n`;
  const hidden = (more: string) => TAKEOUT.replace("LIVE</blogger:status>", `LIVE</blogger:status>${more}`);

  test.each<[what: string, files: Files, published: readonly string[]]>([
    ["settings behind the posts", { "a.xml": FEED.replace("</feed>", settings("PRIVATE")) }, []],
    ["settings for all", { "a.xml": FEED.replace("</feed>", settings("PUBLIC")) }, ["About", "Fish & chips"]],
    ["the table of Takeout", { "a/feed.atom": TAKEOUT, "a/settings.csv": table("PRIVATE_READERS") }, []],
    ["the same for all", { "a/feed.atom": TAKEOUT, "a/settings.csv": table("PUBLIC") }, ["No. 1"]],
    ["the same without a value", { "a/feed.atom": TAKEOUT, "a/settings.csv": table("") }, []],
    ["the same without the column", { "a/feed.atom": TAKEOUT, "a/settings.csv": "blog_name\nAda\n" }, []],
    ["the same without a row", { "a/feed.atom": TAKEOUT, "a/settings.csv": "blog_read_access_mode\n" }, []],
    ["the table of another blog", { "a/feed.atom": TAKEOUT, "b/settings.csv": table("PRIVATE") }, ["No. 1"]],
    ["another element", { "a.atom": hidden("<blogger:visibility>PRIVATE</blogger:visibility>") }, []],
    ["another prefix", { "a.atom": hidden("<x:control><x:draft>yes</x:draft></x:control>") }, []],
  ])("is public only if everybody may read it: %s", async (_, files, published) => {
    const { posts } = await importedFiles(files);
    const shown = Object.entries(posts).filter(([, post]) => post.published);
    expect(shown.map(([title]) => title).toSorted()).toEqual([...published]);
  });

  test("is refused with the line where its file ends in the middle, or a text is not escaped", async () => {
    const refusal = (text: string) =>
      stageSite(inMemory(Buffer.from(text)), { fileName: "b.xml", now: new Date() }).then(
        () => "read",
        messageOf,
      );
    expect(await refusal(FEED.slice(0, -50))).toMatch(/^b\.xml, line \d+: .+ Nothing was imported\.$/);
    expect(await refusal(FEED.replace("&lt;p&gt;", "<p>").replace("&lt;/p&gt;", "</p>"))).toMatch(
      /line 11: the HTML in <content> is not escaped/,
    );
  });
});
