import { describe, expect, test } from "bun:test";
import { importedFrom } from "../../support/files/imported-site.ts";

const RSS = `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>Blog</title><link>https://old.example/</link><description>About</description><image><title>Logo</title><link>https://old.example/</link></image>
<item><title>Fish &amp;amp; chips</title><link>https://old.example/2019/05/fish/</link><pubDate>Wed, 01 May 2019 10:00:00 +0200</pubDate><dc:creator>Ada</dc:creator>
<category>Old maps</category><description>In short</description><content:encoded><![CDATA[<p>Whole <b>text</b>.</p>]]></content:encoded></item>
<item><link>https://old.example/note</link><pubDate>Thu, 02 May 2019 10:00:00 GMT</pubDate><description>Only this &lt;i&gt;note&lt;/i&gt;</description></item>
<item><title>Heard</title><link>https://media.example/heard.mp3</link><pubDate>Fri, 03 May 2019 10:00:00 GMT</pubDate><description>&lt;p&gt;Notes&lt;/p&gt;</description><content:encoded>&lt;p&gt;Notes&lt;/p&gt;</content:encoded>
<enclosure url="https://media.example/heard.mp3?a=1&amp;b=2" type="audio/mpeg" length="1"/></item>
<item><title>Later</title><link>https://old.example/later</link><pubDate>Fri, 03 May 2199 10:00:00 GMT</pubDate><description>x</description></item>
</channel></rss>`;

const ATOM = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title><link href="https://old.example/"/>
<entry><title>One</title><link href="https://old.example/blog/one.html"/><link rel="self" href="https://old.example/x"/><category term="Rye"/>
<published>2019-05-01T10:00:00Z</published><updated>2019-06-01T10:00:00Z</updated><author><name>Bo</name></author><content type="html">&lt;p&gt;Hi&lt;/p&gt;</content></entry>
<entry><title>Two</title><link href="https://old.example/two"/><updated>2019-05-01T10:00:00Z</updated><content>1 &lt; 2</content></entry>
</feed>`;

describe("A feed that was saved as a file", () => {
  test("in RSS is read with texts, tags, authors, recordings and former addresses", async () => {
    const { posts, report } = await importedFrom(Buffer.from(RSS), "rss.xml");
    expect(report.format).toBe("feed");
    expect(posts["Fish & chips"]).toMatchObject({
      ...{ content: "<p>Whole <b>text</b>.</p>", published: true, published_at: "2019-05-01T08:00:00.000Z" },
      publication: { kind: "post", slug: "fish", summary: "In short", tags: ["Old-maps"] },
      redirects: ["/2019/05/fish"],
    });
    expect(posts["Only this note"]).toMatchObject({
      content: "<div>\nOnly this <i>note</i>\n</div>",
      publication: { slug: "note", summary: null },
    });
    expect(posts.Heard).toMatchObject({
      content: '<p><a href="https://media.example/heard.mp3?a=1&amp;b=2">Audio</a></p>\n<p>Notes</p>',
      ...{ publication: { slug: "heard", summary: null }, redirects: [] },
    });
    expect(posts.Later).toMatchObject({ published: false, redirects: [] });
    expect(report.notes.map(({ detail }) => detail)).toEqual([
      "“Later” has a date in the future: it becomes a draft.",
      "A feed often has only the latest posts: look whether all of yours are here.",
      "Of 2 posts the feed has only a description, which may be a summary.",
      expect.stringContaining("Ada"),
    ]);
  });

  test("is not published as far as its items lead to other sites, as those of a list of links do", async () => {
    const feed = (...links: readonly string[]) =>
      Buffer.from(
        `<rss version="2.0"><channel>${links.map((link, index) => `<item><title>No. ${index}</title><link>${link}</link><description>x</description></item>`).join("")}</channel></rss>`,
      );
    const links = feed("https://a.example/1", "https://b.example/2", "https://c.example/3");
    const { report } = await importedFrom(links, "links.rss");
    expect(report.visibility).toEqual({ public: 0, draft: 3, scheduled: 0 });
    expect(report.notes.map(({ detail }) => detail)).toContain(
      "Not published, but drafts: 3 posts, since their links lead to other sites, as those of a list of links do.",
    );
    const blog = feed("https://www.a.example/1", "https://a.example/2", "https://c.example/3");
    const { posts } = await importedFrom(blog, "blog.rss");
    expect(posts["No. 0"]).toMatchObject({ published: true, redirects: ["/1"] });
    expect(posts["No. 2"]).toMatchObject({ published: false, redirects: [] });
  });

  test("in Atom is read, too", async () => {
    const { posts } = await importedFrom(Buffer.from(ATOM), "atom.xml");
    expect(posts.One).toMatchObject({
      ...{ content: "<p>Hi</p>", updated_at: "2019-06-01T10:00:00.000Z", redirects: ["/blog/one.html"] },
      publication: { slug: "one", tags: ["Rye"] },
    });
    expect(posts.Two?.content).toBe("<div>\n1 &lt; 2\n</div>");
  });
});
