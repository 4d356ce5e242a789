import { describe, expect, test } from "bun:test";
import { SEED_POSTS } from "../../../seed/posts.ts";
import { hostileMarkup } from "../../../test/support/pages/hostile-markup.ts";
import { renderMarkdown } from "./render-markdown.ts";
import { type ImageSize, RENDERER_VERSION } from "./rendered-post.ts";

const photo = "/media/aa11.jpg";
const sizes = new Map<string, ImageSize>([[photo, { width: 2000, height: 1500, widths: [800, 1600] }]]);

function htmlOf(text: string): string {
  return renderMarkdown(text, sizes).html.trim();
}

describe("A post's headings", () => {
  test("start below the page's title, at any original level", () => {
    expect(htmlOf("# One\n\n## Two\n\n# Three")).toBe(
      '<h2 id="h-one">One</h2>\n<h3 id="h-two">Two</h3>\n<h2 id="h-three">Three</h2>',
    );
    expect(htmlOf("## One\n\n### Two")).toBe('<h2 id="h-one">One</h2>\n<h3 id="h-two">Two</h3>');
  });

  test("skip no level, and end at the fourth", () => {
    const html = htmlOf("# One\n\n### Two\n\n#### Three\n\n##### Four\n\n###### Five");
    expect([...html.matchAll(/<(h\d)/g)].map(([, tag]) => tag)).toEqual(["h2", "h3", "h4", "h4", "h4"]);
  });

  test("have ids of their own, with a prefix, in any script", () => {
    expect(htmlOf("# Same\n\n# Same\n\n# Über *Öl*\n\n# 日本語\n\n# !")).toBe(
      [
        '<h2 id="h-same">Same</h2>',
        '<h2 id="h-same-2">Same</h2>',
        '<h2 id="h-über-öl">Über <em>Öl</em></h2>',
        '<h2 id="h-日本語">日本語</h2>',
        '<h2 id="h-section">!</h2>',
      ].join("\n"),
    );
  });

  test("written as HTML lose their id and keep to the allowed levels", () => {
    expect(htmlOf('<h1 id="main" class="x">One</h1>\n<h6>Two</h6>')).toBe("<h2>One</h2>\n<h4>Two</h4>");
  });
});

describe("A post's text", () => {
  test("has footnotes with links in both directions", () => {
    expect(htmlOf("A[^x] B[^x]\n\n[^x]: Note.")).toBe(
      '<p>A<sup><a href="#fn-1" aria-label="Note 1" id="fnref-1">1</a></sup> ' +
        'B<sup><a href="#fn-1" aria-label="Note 1" id="fnref-1-1">1</a></sup></p>\n' +
        '<aside class="notes" aria-label="Notes"><ol>\n<li id="fn-1"><p>Note. ' +
        '<a href="#fnref-1" aria-label="Back to the text">↩\u{fe0e}</a> ' +
        '<a href="#fnref-1-1" aria-label="Back to the text">↩\u{fe0e}</a></p>\n</li>\n</ol></aside>',
    );
  });

  test("links addresses with a scheme, and no words that look like hosts", () => {
    expect(htmlOf("See https://example.com/a, not example.com or me@example.com.")).toBe(
      '<p>See <a class="bare" href="https://example.com/a">https://example.com/a</a>, not example.com or me@example.com.</p>',
    );
  });

  test("marks links whose text is their address, and no others", () => {
    const marked = '<a class="bare" href="https://a.example/?b&amp;c">https://a.example/?b&amp;c</a>';
    expect(htmlOf("<https://a.example/?b&c> [it](https://a.example/)")).toBe(
      `<p>${marked} <a href="https://a.example/">it</a></p>`,
    );
    expect(htmlOf('<a class="bare" href="https://a.example/">it</a>')).toBe(
      '<p><a href="https://a.example/">it</a></p>',
    );
  });

  test("colors code of a known language with classes, and leaves other code alone", () => {
    expect(htmlOf("```ts\nconst a = 1;\n```")).toBe(
      '<pre tabindex="0"><code class="language-ts"><span class="hl-keyword">const</span> a = ' +
        '<span class="hl-number">1</span>;\n</code></pre>',
    );
    expect(htmlOf("```klingon\na < b\n```")).toBe(
      '<pre tabindex="0"><code class="language-klingon">a &lt; b\n</code></pre>',
    );
  });

  test("colors each of the twenty languages, by its name and its usual short one", () => {
    const names = ["bash", "c", "cpp", "csharp", "css", "diff", "go", "ini", "java", "javascript", "json"];
    names.push("markdown", "php", "python", "ruby", "rust", "sql", "typescript", "xml", "yaml");
    names.push("sh", "js", "ts", "py", "rb", "rs", "html", "toml", "yml", "md", "c++", "cs");
    // Each language has a number, a word, a mark or a comment in one of these lines.
    const code = '# a\n- b: 1\n<a href="x">\nselect 1 from t;\n';
    const plain = names.filter((name) => !htmlOf(`\`\`\`${name}\n${code}\`\`\``).includes('class="hl-'));
    expect(plain).toEqual([]);
  });

  test("aligns the columns of a table by class, in a box that scrolls", () => {
    expect(htmlOf("| a | b |\n|--:|:-:|\n| 1 | 2 |")).toMatch(
      /^<div class="table" role="region" tabindex="0" aria-label="Table"><table>[\s\S]*<th class="end">a<\/th>\n<th class="middle">b<\/th>[\s\S]*<td class="end">1<\/td>/,
    );
  });

  test("keeps hard line breaks", () => {
    expect(htmlOf("one  \ntwo\\\nthree")).toBe("<p>one<br />\ntwo<br />\nthree</p>");
  });

  test("shows task lists with boxes, and other brackets as they are", () => {
    expect(htmlOf("- [ ] *open*\n- [x] done\n- [y] [ ]\n- [x]\n\n[ ] text")).toBe(
      '<ul>\n<li class="task">☐ <em>open</em></li>\n<li class="task">☑ done</li>\n<li>[y] [ ]</li>\n<li>[x]</li>\n</ul>\n<p>[ ] text</p>',
    );
    expect(htmlOf("1. [X] a\n\n   [ ] b\n\n[x]: /link")).toContain('<a href="/link">X</a> a');
  });

  test("keeps languages and directions", () => {
    expect(htmlOf('<p lang="he" dir="rtl">שלום</p>')).toBe('<p lang="he" dir="rtl">שלום</p>');
  });
});

describe("A post's images", () => {
  test("of our own have their size and smaller forms", () => {
    expect(htmlOf(`![A leaf](${photo})`)).toBe(
      '<p><img src="/media/aa11.jpg" alt="A leaf" width="2000" height="1500" ' +
        'srcset="/media/aa11-800.jpg 800w, /media/aa11-1600.jpg 1600w, /media/aa11.jpg 2000w" ' +
        'sizes="(min-width: 52rem) 38rem, 100vw" decoding="async" /></p>',
    );
  });

  test("alone in a paragraph, with a title, are figures with a caption", () => {
    expect(htmlOf('![A](https://example.com/a.png "A *plain* <b>caption</b>")')).toBe(
      '<figure><img src="https://example.com/a.png" alt="A" decoding="async" />' +
        "<figcaption>A *plain* &lt;b&gt;caption&lt;/b&gt;</figcaption></figure>",
    );
  });

  test("are loaded when they come into view, except for the first", () => {
    const [first, ...others] =
      htmlOf("![](/media/1.jpg) ![](/media/2.jpg)\n\n![](/media/3.jpg)").match(/<img[^>]*>/g) ?? [];
    expect(first).not.toContain("loading=");
    expect(others).toHaveLength(2);
    for (const image of others) expect(image).toContain('loading="lazy"');
  });

  test("over http are links, since pages load none", () => {
    expect(htmlOf("![A](http://example.com/a.png)")).toBe('<p><a href="http://example.com/a.png">A</a></p>');
  });

  test("of other schemes load nothing", () => {
    expect(htmlOf('<img src="data:image/svg+xml,<svg/>" alt="x" onerror="a()">')).toBe(
      '<img alt="x" decoding="async" />',
    );
    expect(htmlOf('<img src="//example.com/a.png" alt="x">')).toBe('<img alt="x" decoding="async" />');
  });
});

test("An iframe, video or audio of another site becomes a link to it", () => {
  const link = (path: string) =>
    `<a class="bare" href="https://example.com/${path}">https://example.com/${path}</a>`;
  expect(htmlOf('See <iframe src="https://example.com/v" allow="*"></iframe>')).toBe(
    `<p>See ${link("v")}</p>`,
  );
  expect(htmlOf('<video src="https://example.com/v.mp4" controls></video>')).toBe(`<p>${link("v.mp4")}</p>`);
  expect(htmlOf('<audio controls><source src="https://example.com/a.mp3"></audio>')).toBe(
    `<p><span>${link("a.mp3")}</span></p>`,
  );
});

describe("What lists say of a post", () => {
  test("starts with the prose, without headings, code, footnotes and captions", () => {
    const text = "# Head\n\nFirst *words*[^1].\n\n```\ncode\n```\n\n- A point\n\n[^1]: A note.";
    expect(renderMarkdown(text, sizes).excerpt).toBe("First words. A point");
  });

  test("separates lines that end without punctuation", () => {
    const text =
      "First:\n\n- measure the **whole**\n- measure a part (one)\n- ![](/a.png)\n- then stop.\n\nOne  \nTwo";
    expect(renderMarkdown(text, sizes).excerpt).toBe(
      "First: measure the whole · measure a part (one) · then stop. One Two",
    );
  });

  test("includes whether the excerpt leaves something out", () => {
    const more = [
      "A.\n\n```\ncode\n```",
      "A.\n\n![](/a.png)",
      "## Head\n\nA.",
      "A.[^1]\n\n[^1]: Note.",
      "word ".repeat(90),
    ];
    for (const text of more) expect([text, renderMarkdown(text, sizes).hasMore]).toEqual([text, true]);
    for (const text of ["", "A. *B*\n\n> C.", "A<sup>2</sup>."])
      expect([text, renderMarkdown(text, sizes).hasMore]).toEqual([text, false]);
  });

  test("ends with a sentence if one ends in the second half", () => {
    const excerptOf = (text: string) => renderMarkdown(text, sizes).excerpt;
    const long = `${"word ".repeat(30)}end. `;
    expect(excerptOf(`${long}“And a second one?” ${long.repeat(3)}`)).toBe(`${long}“And a second one?”`);
    expect(excerptOf(`${long}It cost 3.50, i.e. much, said Mr. Green at ${"word ".repeat(40)}`)).toBe(
      long.trim(),
    );
    expect(excerptOf(`Short. ${"word ".repeat(80)}`)).toEndWith("word…");
    expect(excerptOf(`${"文".repeat(150)}。${"字".repeat(200)}。`)).toBe(`${"文".repeat(150)}。`);
    expect(excerptOf(`${"word ".repeat(50)}end.`)).toEndWith("word end.");
  });

  test("ends at a word, by characters and not by halves of them", () => {
    const { excerpt } = renderMarkdown("word ".repeat(100), sizes);
    expect(excerpt).toEndWith("word…");
    expect(excerpt.length).toBeLessThanOrEqual(281);
    expect(renderMarkdown("🦊".repeat(400), sizes).excerpt).toBe(`${"🦊".repeat(280)}…`);
    const lines = `${"word ".repeat(54)}end`;
    expect(renderMarkdown(`${lines}\n\n${"a".repeat(20)}`, sizes).excerpt).toEndWith("word end…");
  });

  test("counts minutes by words, and by characters where words have no spaces", () => {
    expect(renderMarkdown("", sizes).minutes).toBe(1);
    expect(renderMarkdown("word ".repeat(1150), sizes).minutes).toBe(5);
    expect(renderMarkdown("語".repeat(2000), sizes).minutes).toBe(4);
  });

  test("names the first image", () => {
    expect(renderMarkdown(`text ![a](${photo}) ![b](https://example.com/b.png)`, sizes).image).toBe(photo);
    expect(renderMarkdown("text", sizes).image).toBeUndefined();
  });
});

test("Another rendering, also by another version of a library, has another version number, so that none is stale", () => {
  const hash = new Bun.CryptoHasher("sha256");
  for (const text of [...hostileMarkup, ...SEED_POSTS.map(({ content }) => content)])
    hash.update(JSON.stringify(renderMarkdown(text, sizes)));
  // When this fails, raise RENDERER_VERSION and put both in here.
  expect([RENDERER_VERSION, hash.digest("hex")]).toEqual([
    7,
    "16919dacd3905b8540848afa7ed66ddce43212ef94afbc189fbd6acbaee871ba",
  ]);
});
