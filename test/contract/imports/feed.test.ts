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

/** A feed of Atom with one entry. @param more attributes of the feed */
function atom(entry: string, more = ""): string {
  return `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" ${more}><title>Blog</title><link href="https://old.example/"/>
<entry><title>One</title><link href="https://old.example/2020/one/"/><updated>2020-05-01T10:00:00Z</updated>${entry}</entry></feed>`;
}

/** A feed of RSS with one item. */
function rss(item: string, more = ""): string {
  return `<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" ${more}><channel><title>Blog</title>
<link>https://old.example/</link><item><title>One</title><link>https://old.example/2020/one/</link><pubDate>Fri, 01 May 2020 10:00:00 GMT</pubDate>${item}</item></channel></rss>`;
}

describe("The text of a feed", () => {
  const xhtml = '<div xmlns="http://www.w3.org/1999/xhtml">';
  const cases: readonly (readonly [what: string, feed: string, content: string])[] = [
    [
      "in XHTML",
      atom(
        `<content type="xhtml">${xhtml}<p>Words <strong>in bold</strong>, x &lt; y.</p><pre>a\n  b</pre></div></content>`,
      ),
      "<p>Words <strong>in bold</strong>, x &lt; y.</p><pre>a\n  b</pre>",
    ],
    [
      "in XHTML with a prefix, empty elements and a language",
      atom(
        '<content type="xhtml"><h:div><h:p xml:lang="de" title="&quot;">A<h:br/>B<h:a name="x"/></h:p></h:div></content>',
        'xmlns:h="http://www.w3.org/1999/xhtml"',
      ),
      '<p lang="de" title="&quot;">A<br>B<a name="x"></a></p>',
    ],
    [
      "in XHTML without the element around it",
      atom(`<content type="xhtml"><p>A</p><p>B</p></content>`),
      "<p>A</p><p>B</p>",
    ],
    [
      "in XHTML with several elements around it",
      atom(`<content type="xhtml">${xhtml}A</div>${xhtml}B</div></content>`),
      "<div>A</div><div>B</div>",
    ],
    [
      "as escaped HTML",
      atom('<content type="html">&lt;p&gt;A &amp;amp; B&lt;/p&gt;</content>'),
      "<p>A &amp; B</p>",
    ],
    ["in CDATA", atom('<content type="html"><![CDATA[<p>A</p>]]></content>'), "<p>A</p>"],
    [
      "as plain text",
      atom('<content type="text">1 &lt; 2 &amp;amp; 3</content>'),
      "<div>\n1 &lt; 2 &amp;amp; 3\n</div>",
    ],
    [
      "as plain text by its media type",
      atom('<content type="text/plain">1 &lt; 2</content>'),
      "<div>\n1 &lt; 2\n</div>",
    ],
    [
      "elsewhere",
      atom('<content type="text/html" src="/whole/one"/>'),
      '<p><a href="https://old.example/whole/one">https://old.example/whole/one</a></p>',
    ],
    ["in Base64", atom('<content type="application/octet-stream">PHA+QTwvcD4=</content>'), "<p>A</p>"],
    [
      "of Atom 0.3",
      `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>B</title><entry><title>One</title>
       <issued>2020-05-01T10:00:00Z</issued><content type="text/html" mode="escaped">&lt;p&gt;A&lt;/p&gt;</content></entry></feed>`,
      "<p>A</p>",
    ],
    [
      "with prefixes for all elements",
      `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>B</a:title><a:entry><a:title>One</a:title><a:updated>2020-05-01T10:00:00Z</a:updated>
       <a:content type="xhtml">${xhtml}<p>A</p></div></a:content></a:entry></a:feed>`,
      "<p>A</p>",
    ],
    [
      "of RSS 1.0, with another prefix for its modules",
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:c="http://purl.org/rss/1.0/modules/content/">
       <channel rdf:about="https://old.example/"><title>B</title><link>https://old.example/</link></channel>
       <item rdf:about="https://old.example/1"><title>One</title><link>https://old.example/1</link><c:encoded><![CDATA[<p>A</p>]]></c:encoded></item></rdf:RDF>`,
      "<p>A</p>",
    ],
    [
      "of RSS 0.90",
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://my.netscape.com/rdf/simple/0.9/">
       <channel><title>B</title></channel><item><title>One</title><link>https://old.example/1</link><description>A</description></item></rdf:RDF>`,
      "<div>\nA\n</div>",
    ],
    [
      "of RSS 0.91, not escaped",
      `<rss version="0.91"><channel><item><title>One</title><description>1 &lt; 2 <b>A</b></description></item></channel></rss>`,
      "<div>\n1 &lt; 2 <b>A</b>\n</div>",
    ],
    [
      "of RSS in its body",
      rss('<body xmlns="http://www.w3.org/1999/xhtml"><p>A</p></body><description>Short</description>'),
      "<p>A</p>",
    ],
    [
      "nested more deeply than a feed",
      atom(`<content type="xhtml">${xhtml}${"<p>".repeat(80)}A${"</p>".repeat(80)}</div></content>`),
      `${"<p>".repeat(80)}A${"</p>".repeat(80)}`,
    ],
  ];
  for (const [what, feed, content] of cases)
    test(what, async () => {
      const { posts, report } = await importedFrom(Buffer.from(feed), "feed.xml");
      expect(report.format).toBe("feed");
      expect(posts.One?.content).toBe(content);
    });

  test("is named in the report if it is a file", async () => {
    const feed = atom('<content type="image/png">iVBORw0KGgoAAAA=</content><summary>Short</summary>');
    const { posts, report } = await importedFrom(Buffer.from(feed), "feed.xml");
    expect(posts.One?.content).toBe("<div>\nShort\n</div>");
    expect(report.notes.map(({ detail }) => detail)).toContain(
      "Contents of the type “image/png” are not imported (1 post).",
    );
  });
});

describe("A relative address in a feed depends on", () => {
  const html =
    '&lt;p&gt;&lt;img src="/a.png"&gt; &lt;img src=b.png srcset="b.png 1x, c.png 2x"&gt; &lt;a href="../other/?a=1&amp;amp;b"&gt;o&lt;/a&gt; &lt;a href="#x"&gt;x&lt;/a&gt;&lt;/p&gt;';
  const at = (base: string, other: string, host = "https://old.example") =>
    `<p><img src="${host}/a.png"> <img src="${base}b.png" srcset="${base}b.png 1x, ${base}c.png 2x"> <a href="${other}?a=1&amp;b">o</a> <a href="#x">x</a></p>`;
  const cases: readonly (readonly [what: string, feed: string, content: string])[] = [
    [
      "the link of its item",
      rss(`<description>${html}</description>`),
      at("https://old.example/2020/one/", "https://old.example/2020/other/"),
    ],
    [
      "the link of the feed, if the item has none",
      rss(`<description>${html}</description>`).replace("<link>https://old.example/2020/one/</link>", ""),
      at("https://old.example/", "https://old.example/other/"),
    ],
    [
      "xml:base, each on the one around it",
      atom(`<content type="html" xml:base="two/">${html}</content>`, 'xml:base="https://base.example/one/"'),
      at("https://base.example/one/two/", "https://base.example/one/other/", "https://base.example"),
    ],
    [
      "a relative xml:base, and that on the link",
      atom(`<content type="html" xml:base="/base/">${html}</content>`),
      at("https://old.example/base/", "https://old.example/other/"),
    ],
  ];
  for (const [what, feed, content] of cases)
    test(what, async () => {
      const { posts, report } = await importedFrom(Buffer.from(feed), "feed.xml");
      expect(posts.One?.content).toBe(content);
      // The pictures are counted, so that they can be brought along.
      expect(report.notes.map(({ detail }) => detail).join("\n")).toMatch(/2 pictures stay at/);
    });

  test("xml:base of elements within XHTML", async () => {
    const feed = atom(
      '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p xml:base="https://a.example/x/"><a href="y">y</a></p><a href="y">y</a></div></content>',
    );
    const { posts } = await importedFrom(Buffer.from(feed), "feed.xml");
    expect(posts.One?.content).toBe(
      '<p><a href="https://a.example/x/y">y</a></p><a href="https://old.example/2020/one/y">y</a>',
    );
  });

  test("the feed also for the links of its items, which lead to the posts", async () => {
    const feed = atom("<content>A</content>").replace('"https://old.example/2020/one/"', '"/2020/one/"');
    const { posts } = await importedFrom(Buffer.from(feed), "feed.xml");
    expect(posts.One).toMatchObject({ published: true, redirects: ["/2020/one"] });
  });
});
