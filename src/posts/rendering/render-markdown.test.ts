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

  test("written as HTML keep to the allowed levels", () => {
    expect(htmlOf('<h1 id="main" class="x">One</h1>\n<h6>Two</h6>')).toBe(
      '<h2 id="h-main">One</h2>\n<h4>Two</h4>',
    );
  });
});

describe("A link within a post leads to", () => {
  /** Each `#` link of a text with the element that it leads to. */
  function targets(text: string): [string, string | undefined][] {
    const html = htmlOf(text);
    const elements = new Map(
      [...html.matchAll(/<(\w+)[^<>]* id="([^"]+)"/g)].map(([, tag, id]) => [id, tag]),
    );
    return [...html.matchAll(/href="#([^"]*)"[^<>]*>([^<]*)/g)].map(([, id, words]) => [
      words ?? "",
      elements.get(id),
    ]);
  }

  const cases: readonly (readonly [what: string, text: string, ...elements: string[]])[] = [
    ["an id of HTML", '<p id="note1">1</p> <a href="#note1">a</a>', "p"],
    ["the name of a link", '<a name="end"></a>End <a href="#end">a</a>', "a"],
    [
      "an id of an element that has another one in its place",
      '<section id="s">x</section> <font id="f">y</font> <a href="#s">a</a> <a href="#f">b</a>',
      ..."div span".split(" "),
    ],
    ["an image", '<img id="fig1" src="https://a.example/1.png"> [a](#fig1)', "img"],
    [
      "the id that a heading was given",
      "## Part {#here}\n\n# Other {: #there .x}\n\n[a](#here) [b](#there)",
      ..."h2 h2".split(" "),
    ],
    [
      "a heading, by its text as GitHub and others write it",
      "## What’s *new*, in 2.0?\n\n[a](#whats-new-in-20) [b](#what-s-new-in-2-0) [c](#h-what-s-new-in-2-0) [d](#Whats_New_in_2.0)",
      ..."h2 h2 h2 h2".split(" "),
    ],
    [
      "a heading in any script",
      "## Öl und 日本語\n\n[a](#öl-und-日本語) <a href='#%C3%B6l-und-日本語'>b</a>",
      "h2",
      "h2",
    ],
    ["a footnote", "A[^1]\n\n[^1]: Note.", "li", "sup"],
    [
      "an id with white space or signs",
      '<p id="a &amp; b">x</p> <a href="#a &amp; b">a</a>\n\n[b](#a%20&%20b)',
      "p",
      "p",
    ],
  ];
  for (const [what, text, ...elements] of cases)
    test(what, () => {
      const found = targets(text).map(([, element]) =>
        element === "a" && what === "a footnote" ? "sup" : element,
      );
      expect(found).toEqual(elements);
    });

  test("the second of two equal headings by the number that GitHub gives it", () => {
    expect(htmlOf("# Same\n\n# Same\n\n[a](#same) [b](#same-1) [c](#h-same-2)")).toEndWith(
      '<p><a href="#h-same">a</a> <a href="#h-same-2">b</a> <a href="#h-same-2">c</a></p>',
    );
  });

  test("nothing of the page around it, and stays as it is without a target", () => {
    expect(htmlOf('<a id="content" href="#comments">a</a> [b](#) [c](#none)')).toBe(
      '<p><a href="#comments" id="h-content">a</a> <a href="#">b</a> <a href="#none">c</a></p>',
    );
  });

  test("the first of several equal ids; the others go", () => {
    expect(htmlOf('<p id="a">1</p><p id="a">2</p><p id="h-a">3</p><a name="a" href="#a">4</a>')).toBe(
      '<p id="h-a">1</p><p>2</p><p>3</p><a href="#h-a">4</a>',
    );
    expect(htmlOf('<a id="part"></a>\n\n## Part')).toBe('<p><a id="h-part"></a></p>\n<h2>Part</h2>');
  });

  test("no id that is too long, and code shows braces", () => {
    expect(htmlOf(`<p id="${"x".repeat(201)}">1</p>`)).toBe("<p>1</p>");
    expect(htmlOf("## Use `{#id}`\n\n## A {.b}")).toBe(
      '<h2 id="h-use-id">Use <code>{#id}</code></h2>\n<h2 id="h-a-b">A {.b}</h2>',
    );
  });
});

describe("An address without a scheme is https", () => {
  const cases: readonly (readonly [given: string, html: string])[] = [
    ["[a](//w.example/x)", '<p><a href="https://w.example/x">a</a></p>'],
    ["<a href='\n //w.example/x '>a</a>", '<p><a href="https://w.example/x">a</a></p>'],
    ['<a href="\\\\w.example/x">a</a>', '<p><a href="https://w.example/x">a</a></p>'],
    ["![a](//w.example/x.png)", '<p><img src="https://w.example/x.png" alt="a" decoding="async" /></p>'],
    [
      '<img srcset="//w.example/1.png 1x, //w.example/2.png 2x" alt="a">',
      '<img src="https://w.example/2.png" alt="a" decoding="async" />',
    ],
    ['<q cite="//w.example/x">a</q>', '<p><q cite="https://w.example/x">a</q></p>'],
    [
      '<video src="//w.example/x.mp4"></video>',
      '<p><a class="bare" href="https://w.example/x.mp4">https://w.example/x.mp4</a></p>',
    ],
  ];
  for (const [given, html] of cases) test(given, () => expect(htmlOf(given)).toBe(html));
});

describe("Emphasis beside Chinese, Japanese and Korean punctuation", () => {
  const cases: readonly (readonly [given: string, html: string])[] = [
    ["**中文（括号）**后面", "<strong>中文（括号）</strong>后面"],
    ["これは**「強調」**です。", "これは<strong>「強調」</strong>です。"],
    ["**강조(强調)**는 *(주)*입니다", "<strong>강조(强調)</strong>는 <em>(주)</em>입니다"],
    ["前~~（删）~~后", "前<s>（删）</s>后"],
    ["他说**“你好”**了", "他说<strong>“你好”</strong>了"],
    ["𠮷**(a)**𠮷", "𠮷<strong>(a)</strong>𠮷"],
    ["葛\u{e0101}**(a)**葛", "葛\u{e0101}<strong>(a)</strong>葛"],
    ["***（あ）***い", "<em><strong>（あ）</strong></em>い"],
    // As everywhere: white space inside, and underscores within words.
    ["中** 文 **后 _a_中_b_", "中** 文 **后 <em>a_中_b</em>"],
    ['a**"b"**c', 'a**"b"**c'],
    ["🦊**(a)**b", "🦊**(a)**b"],
  ];
  for (const [given, html] of cases) test(given, () => expect(htmlOf(given)).toBe(`<p>${html}</p>`));
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
    expect(htmlOf('<img src="javascript:a()" alt="x">')).toBe('<img alt="x" decoding="async" />');
  });
});

describe("What a script would load later is", () => {
  const shown = (name: string) => `<img src="https://e.example/${name}" alt="" decoding="async" />`;
  const cases: readonly (readonly [what: string, given: string])[] = [
    ["shown", '<img data-src="https://e.example/a.png">'],
    ["shown in place of a blank", '<img src="data:image/gif;base64,R0" data-lazy-src="//e.example/a.png">'],
    [
      "shown in place of a small one",
      '<img src="/img/1x1.trans.gif" data-original="https://e.example/a.png">',
    ],
    ["the largest", '<img data-srcset="https://e.example/s.png 300w, https://e.example/a.png 900w">'],
    [
      "shown once",
      '<img data-src="https://e.example/a.png"><noscript><img src="https://e.example/a.png"></noscript>',
    ],
    [
      "shown once, also if it comes last",
      '<noscript><img src="https://e.example/a.png"></noscript><img data-src="https://e.example/a.png">',
    ],
    ["a picture of AMP", '<amp-img src="https://e.example/a.png" width="1"></amp-img>'],
  ];
  for (const [what, given] of cases)
    test(what, () => expect(htmlOf(given).replace(/^<p>|<\/p>$/g, "")).toBe(shown("a.png")));

  test("nothing else than a picture that is there", () => {
    expect(htmlOf('<img src="https://e.example/a.png" data-src="https://e.example/b.png">')).toBe(
      shown("a.png"),
    );
    expect(htmlOf("![](https://e.example/a.png) ![](https://e.example/a.png)").match(/<img/g)).toHaveLength(
      2,
    );
  });
});

describe("In the place of what is embedded is a link to it:", () => {
  const link = (path: string) =>
    `<a class="bare" href="https://e.example/${path}">https://e.example/${path}</a>`;
  const cases: readonly (readonly [given: string, links: string])[] = [
    ['<iframe src="https://e.example/v" allow="*">no <b>frames</b></iframe>', link("v")],
    ['<iframe data-src="//e.example/v" src="about:blank"></iframe>', link("v")],
    ['<video src="https://e.example/v" controls><a href="https://e.example/v">Get it</a></video>', link("v")],
    [
      '<audio controls><source src="https://e.example/a"><source src="https://e.example/b">None</audio>',
      `${link("a")} ${link("b")}`,
    ],
    [
      '<object><param name="movie" value="https://e.example/v"><embed src="https://e.example/v"></object>',
      link("v"),
    ],
    ['<object data="https://e.example/v"><p>Install it</p></object>', link("v")],
    ['<embed src="https://e.example/v">', link("v")],
    ['<amp-video src="https://e.example/v"><p>x</p></amp-video>', link("v")],
    ['<amp-iframe src="https://e.example/v"></amp-iframe>', link("v")],
    ["<object><p>Words</p></object>", "<p>Words</p>"],
  ];
  for (const [given, links] of cases)
    test(given, () => expect(htmlOf(`<div>${given} end</div>`)).toBe(`<div>${links} end</div>`));

  test("players that scripts make", () => {
    expect(htmlOf('<amp-youtube data-videoid="a-1"></amp-youtube>')).toContain(
      'href="https://www.youtube.com/watch?v=a-1"',
    );
    expect(htmlOf('<amp-youtube data-videoid="a&amp;b"></amp-youtube>')).toBe("<p></p>");
  });

  test("and the text after one that never ends", () => {
    const html = htmlOf(
      '<video src="https://e.example/1">\n\nFirst <video src="https://e.example/2">\n\nLast',
    );
    expect(html).toBe(`${link("1")}\n<p>First ${link("2")}</p>\n<p>Last</p>`);
  });
});

test("Tildes and carets within a word stay as they are", () => {
  expect(htmlOf("H~2~O, 3~5 and x^2^, H<sub>2</sub>O")).toBe("<p>H~2~O, 3~5 and x^2^, H<sub>2</sub>O</p>");
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
    9,
    "ca305c0b7a220cca227ac6bcfb974424b221cc23e364515b0f6d1085fc802bc5",
  ]);
});
