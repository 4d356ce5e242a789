import { describe, expect, test } from "bun:test";
import { htmlParts } from "../../../src/readers/html/html-parts.ts";
import { importedFrom } from "../../support/files/imported-site.ts";
import { zipOf } from "../../support/files/zip.ts";
import { countingModules, expectLinear } from "../../support/steps/count-steps.ts";

/** A page in the shape of Medium's export. */
function mediumPage({
  heading = '<h3 name="1" class="graf graf--h3 graf--title">First light</h3>',
  date = true,
} = {}) {
  return `<!DOCTYPE html><html><head><title>First light</title></head><body><article class="h-entry">
<header><h1 class="p-name">First light</h1></header>
<section data-field="subtitle" class="p-summary">
  In short &amp; plain
</section>
<section data-field="body" class="e-content">
<section name="2" class="section section--body"><div class="section-divider"><hr class="section-divider"></div>
<div class="section-content">${heading}<h4 class="graf graf--h4 graf--subtitle">In short &amp; plain</h4>
<p class="graf">Some <em>text</em>.</p><figure><img src="https://cdn-images-1.medium.com/max/2000/abc.jpeg" alt="Sun"></figure></div></section>
</section>
<footer><p class="p-tags">Tagged in <a href="https://medium.com/tag/maps" class="p-tag">Old Maps</a>, <a href="https://medium.com/tag/rye" class="p-tag">Rye</a></p>
<p>By <a href="https://medium.com/@ada" class="p-author h-card">Ada</a>${date ? ' on <a href="https://medium.com/p/abcd"><time class="dt-published" datetime="2018-08-11T11:23:34.123Z">August 11, 2018</time></a>' : ""}.</p>
<p><a href="https://medium.com/@ada/first-light-efefef121212" class="p-canonical">Canonical link</a></p></footer></article></body></html>`;
}

describe("Medium's export", () => {
  test("is read with titles, summaries, tags, dates and former addresses; drafts and responses stay hidden", async () => {
    const response = mediumPage({ heading: "<p>First light was good to read.</p>" }).replaceAll(
      "First light<",
      "First light was<",
    );
    const { posts, report } = await importedFrom(
      await zipOf(
        Object.entries({
          "posts/2018-08-11_First-light-efefef121212.html": mediumPage(),
          "posts/draft_Second-0123456789ab.html": mediumPage({ date: false }).replaceAll(
            "First light",
            "Second",
          ),
          "posts/2018-08-12_x-0123456789ac.html": response,
          "profile/profile.html": "<p>Ada</p>",
        }),
      ),
    );
    expect(report.format).toBe("medium");
    expect(posts["First light"]).toMatchObject({
      published: true,
      published_at: "2018-08-11T11:23:34.123Z",
      publication: { slug: "first-light", summary: "In short & plain", tags: ["Old-Maps", "Rye"] },
      redirects: ["/@ada/first-light-efefef121212"],
    });
    expect(posts["First light"]?.content).toBe(
      '<section name="2" class="section section--body">\n<div class="section-content">\n<p class="graf">Some <em>text</em>.</p><figure><img src="https://cdn-images-1.medium.com/max/2000/abc.jpeg" alt="Sun"></figure></div></section>',
    );
    expect(posts.Second).toMatchObject({ published: false, redirects: [] });
    expect(posts["First light was"]).toMatchObject({ published: false });
    expect(report.notes.map(({ code, detail }) => [code, detail])).toEqual([
      ["not_public", "“First light was” looks like a response to a post: it becomes a draft."],
      ["picture_linked", "1 picture stays at cdn-images-1.medium.com, unless it is brought along."],
      ["slug_changed", "The address ends in first-light-2 instead of first-light."],
      ["slug_changed", "The address ends in first-light-3 instead of first-light."],
      ["account_unknown", expect.stringContaining("Ada")],
    ]);
  });
});

describe("Substack's export", () => {
  const LIST = `post_id,post_date,is_published,email_sent_at,type,audience,title,subtitle,podcast_url
101.first-light,2019-07-26T20:48:19.814Z,true,2019-07-26T20:48:19.814Z,newsletter,everyone,"First, light",&#x201C;In short&#x201D;,
102.for-payers,2019-07-27T20:48:19.814Z,true,,newsletter,only_paid,For payers,,
103.heard,2019-07-28T20:48:19.814Z,true,,podcast,everyone,Heard,,https://example.com/a.mp3?b=1&c=2
104.unsent,,false,,newsletter,everyone,Unsent,,
105.about,2019-07-29T20:48:19.814Z,true,,page,everyone,About,,
106.gone,2019-07-29T20:48:19.814Z,true,,newsletter,everyone,Gone,,
`;
  const BUTTON =
    '<p class="button-wrapper" data-attrs="{}"><a class="button primary" href="https://ada.substack.com/subscribe?"><span>Sign up</span></a></p>';

  test("is read with its list and its texts; what was for payers stays hidden", async () => {
    const names = ["101.first-light", "102.for-payers", "103.heard", "104.unsent", "105.about"];
    const { posts, report } = await importedFrom(
      await zipOf(
        Object.entries({
          "export/posts.csv": LIST,
          ...Object.fromEntries(
            names.map((name) => [`export/posts/${name}.html`, `<p>Of ${name}.</p>\n${BUTTON}<p>End.</p>`]),
          ),
          "export/posts/101.first-light.delivers.csv": "post_id,timestamp,email\n",
        }),
      ),
    );
    expect(report.format).toBe("substack");
    expect(posts["First, light"]).toMatchObject({
      ...{
        published: true,
        published_at: "2019-07-26T20:48:19.814Z",
        content: "<p>Of 101.first-light.</p>\n<p>End.</p>",
      },
      publication: { kind: "post", slug: "first-light", summary: "“In short”" },
      redirects: ["/p/first-light"],
    });
    expect(posts["For payers"]).toMatchObject({ published: false, redirects: [] });
    expect(posts.Heard?.content).toBe(
      '<p><a href="https://example.com/a.mp3?b=1&amp;c=2">Audio</a></p>\n<p>Of 103.heard.</p>\n<p>End.</p>',
    );
    expect(posts.Unsent).toMatchObject({ published: false });
    expect(posts.About).toMatchObject({ publication: { kind: "page" } });
    expect(posts.Gone).toBeUndefined();
    expect(
      report.rows.filter(({ outcome }) => outcome === "skipped").map(({ title, line }) => [title, line]),
    ).toEqual([["Gone", 7]]);
    expect(report.notes.map(({ code, detail }) => [code, detail])).toEqual([
      ["not_public", "“For payers” was not shown to everybody (“audience: only_paid”): it becomes a draft."],
      ["not_taken", "Left out: 5 buttons to subscribe, share or comment at Substack."],
    ]);
  });
});

describe("Buttondown's export", () => {
  const PLAIN = "<!-- buttondown-editor-mode: plaintext -->## First\n\nSome *text*.";
  const FANCY = "<!-- buttondown-editor-mode: fancy --><p>One</p>\n\n<p>Two</p>";

  test.each([
    [
      "emails.csv",
      `id,secondary_id,subject,publish_date,source,slug,email_type
a,1,"Hi, all",2023-01-02 16:55:00+00:00,app,plain,public
b,2,Fancy,2023-01-05 13:00:00+00:00,app,fancy,
c,3,Unsent,,app,unsent,
d,4,Paid,2023-01-06 13:00:00+00:00,app,paid,premium
`,
    ],
    [
      "emails.json",
      JSON.stringify([
        { subject: "Hi, all", publish_date: "2023-01-02 16:55:00+00:00", slug: "plain" },
        { subject: "Fancy", publish_date: "2023-01-05 13:00:00+00:00", slug: "fancy" },
        { subject: "Unsent", publish_date: null, slug: "unsent" },
        { subject: "Paid", publish_date: "2023-01-06 13:00:00+00:00", slug: "paid", email_type: "premium" },
      ]),
    ],
  ])("is read with titles and dates of its list %s", async (name, list) => {
    const { posts, report } = await importedFrom(
      await zipOf(
        Object.entries({
          [`export/${name}`]: list,
          "export/emails/plain.md": PLAIN,
          "export/emails/fancy.md": FANCY,
          "export/emails/unsent.md": "x",
          "export/emails/paid.md": "x",
        }),
      ),
    );
    expect(posts["Hi, all"]).toMatchObject({
      ...{ content: "## First\n\nSome *text*.", published: true, published_at: "2023-01-02T16:55:00.000Z" },
      publication: { slug: "plain" },
    });
    expect(posts.Fancy?.content).toBe("<p>One</p>\n<p>Two</p>");
    expect(posts.Unsent).toMatchObject({ published: false });
    expect(posts.Paid).toMatchObject({ published: false });
    expect(report.notes.map(({ code }) => code)).toEqual(["not_public", "date_missing"]);
  });

  test("of its command is read with its front matter", async () => {
    const { posts } = await importedFrom(
      await zipOf(
        Object.entries({
          "emails/a.md": `---\nid: a\nsubject: Hello\nstatus: published\nslug: hello\npublish_date: 2024-01-15T10:00:00Z\n---\n${PLAIN}`,
          "emails/b.md": "---\nsubject: Not yet\nstatus: draft\nslug: not-yet\n---\nx",
        }),
      ),
    );
    expect(posts.Hello).toMatchObject({
      ...{ content: "## First\n\nSome *text*.", published_at: "2024-01-15T10:00:00.000Z" },
    });
    expect(posts["Not yet"]).toMatchObject({ published: false });
  });
});

describe("The parts of HTML", () => {
  const parse = (html: string, read = htmlParts) =>
    read(
      html,
      ({ name }) => (name === "b" ? name : undefined),
      ({ classes }) => classes.includes("gone"),
    );

  test("lose what is left out, once, and nothing else where an end is missing", () => {
    expect(
      parse('a<i class="gone">b<i class="gone">c</i></i>d<img class="gone">e<i class="gone">f').html,
    ).toBe('ade<i class="gone">f');
    const { parts } = parse('<b>1<i class="gone">2</i><b>3</b></b >4<b>5');
    expect(parts.get("b")?.map(({ text, html }) => [text, html])).toEqual([
      ["13", "1<b>3</b>"],
      ["5", "5"],
    ]);
  });

  test.each(["<b>", "<i>", '<i class="gone">', '<b></b><i class="gone"></i>', '<i class="gone"></i>'])(
    "take time in proportion to their size: %s",
    async (piece) => {
      const counting = await countingModules<typeof import("../../../src/readers/html/html-parts.ts")>(
        import.meta.resolve("../../../src/readers/html/html-parts.ts"),
      );
      await expectLinear((length) => parse(`${piece}x`.repeat(length), counting.htmlParts));
    },
  );
});
