import { encoded } from "../files/encoded.ts";

/** A page written for the extractor, and exactly what is to be found in it. */
export interface WrittenPage {
  readonly name: string;
  readonly page: () => string | Uint8Array;
  /** `text/html` when nothing is said. */
  readonly contentType?: string;
  readonly found?: {
    readonly title: string;
    readonly words: number;
    /** The first and the last line of the text. */
    readonly first: string;
    readonly last: string;
    readonly isArticle: boolean;
    readonly byline?: string;
    readonly site?: string;
    readonly language?: string;
    readonly direction?: "ltr" | "rtl";
    readonly publishedAt?: string;
    readonly pictures?: readonly string[];
    /** Parts of the markup. */
    readonly html?: readonly string[];
    /** Words of the page that are not in the text. */
    readonly without?: readonly string[];
  };
  /** The code of the refusal. */
  readonly refused?: string;
}

/** Where all of them are. */
export const PAGE_URL = "https://pages.example/2026/11/page.html";

// 14 words, with commas, as prose has them.
const SENTENCE = "The river, which nobody had measured, rose slowly, and the town watched it come.";
const prose = (sentences: number) => Array.from({ length: sentences }, () => SENTENCE).join(" ");
const paragraphs = (count: number) => Array.from({ length: count }, () => `<p>${prose(4)}</p>`).join("\n");
const CHROME = `<nav class="menu"><ul><li><a href="/">Home</a></li><li><a href="/about">About us</a></li></ul></nav>`;
const FOOTER = `<footer class="footer"><p><a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a></p></footer>`;
const page = (title: string, body: string, head = "", attributes = ' lang="en"') =>
  `<!doctype html><html${attributes}><head><title>${title}</title>${head}</head><body>${CHROME}${body}${FOOTER}</body></html>`;

const RUSSIAN = "Река, которую никто не измерял, медленно поднималась, и город смотрел, как она приходит.";
const CHINESE = "这条河从来没有人测量过，它慢慢地上涨，整个城市都在看着它到来。";
const JAPANESE = "誰も測ったことのない川が、ゆっくりと水かさを増し、町はそれを見ていました。";
const ARABIC = "النهر الذي لم يقسه أحد، ارتفع ببطء، والمدينة كانت تراقبه وهو يأتي من بعيد.";
const FRENCH =
  "La rivière, que personne n'avait mesurée, montait lentement, et la ville l'a regardée arriver près des châteaux.";
const many = (text: string, times: number) => `<p>${text.repeat(times)}</p>`;

/** Sentences that nobody else says. */
const sentences = (who: string, count: number) =>
  Array.from(
    { length: count },
    (_, index) => `${who} saw the ${who}${index} river, and ${who} wrote that ${who}${index} would rise.`,
  ).join(" ");
const said = (who: string, count: number) => `<p>${sentences(who, count)}</p>`;
const reply = (who: string, count: number) =>
  `<div class="reply"><div class="votes"><b>12</b></div><div class="cell"><div class="post-text">${said(who, count)}</div><div class="signature">answered by <a href="/users/${who}">${who}</a></div></div></div>`;
const remark = (who: string, count: number, within = "") =>
  `<div class="thing"><p><a href="/u/${who}">${who}</a> 3 hours ago</p><div class="body">${said(who, count)}</div><div class="child">${within}</div></div>`;
const menus = (count: number) =>
  `<ul class="tags">${Array.from({ length: count }, (_, index) => `<li><a href="/t/${index}">Other ${index}</a></li>`).join("")}</ul>`;

export const writtenPages: readonly WrittenPage[] = [
  {
    name: "an article",
    page: () =>
      page(
        "The river and the town",
        `<main><article><h1>The river and the town</h1><p class="byline">By Ada Rivers</p>
<p>It began in spring. ${prose(3)}</p>${paragraphs(3)}<h2>What came after</h2>
<figure><img src="/flood.jpg" alt="The square under water" width="1200" height="800"><figcaption>The square in May</figcaption></figure>
<blockquote>${prose(1)}</blockquote><p>${prose(2)} It ended in autumn.</p></article></main>
<aside class="sidebar"><p>Related: ten other rivers</p></aside>`,
        `<meta property="og:site_name" content="River News"><meta name="author" content="Ada Rivers">
<meta property="article:published_time" content="2026-05-04T09:30:00+02:00">`,
      ),
    found: {
      title: "The river and the town",
      words: 270,
      first: `By Ada Rivers`,
      last: `${prose(2)} It ended in autumn.`,
      isArticle: true,
      byline: "Ada Rivers",
      site: "River News",
      language: "en",
      publishedAt: "2026-05-04T07:30:00.000Z",
      pictures: ["https://pages.example/flood.jpg"],
      html: [
        "<h2>What came after</h2>",
        '<figure><img src="picture-1" alt="The square under water" width="1200" height="800" loading="lazy"><figcaption>The square in May</figcaption></figure>',
      ],
      without: ["Related", "Imprint", "About us"],
    },
  },
  {
    name: "a recipe",
    page: () =>
      page(
        "Lentil soup",
        `<article><p>${prose(4)}</p><p>${prose(4)}</p><h2>Ingredients</h2><ul><li>200 g of lentils</li><li>1 onion</li><li>½ tsp of salt</li></ul>
<h2>Method</h2><ol start="1"><li>Wash the lentils.</li><li>Boil them for 20 minutes.</li></ol><p>${prose(3)} Serve it hot.</p></article>`,
        `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","headline":"Lentil soup","author":{"name":"Tom Cook"},"datePublished":"2025-01-02"}</script>`,
      ),
    found: {
      title: "Lentil soup",
      words: 177,
      first: prose(4),
      last: `${prose(3)} Serve it hot.`,
      isArticle: true,
      byline: "Tom Cook",
      language: "en",
      publishedAt: "2025-01-02T00:00:00.000Z",
      html: [
        "<ul><li>200 g of lentils</li><li>1 onion</li><li>½ tsp of salt</li></ul>",
        '<ol start="1"><li>Wash the lentils.</li>',
      ],
    },
  },
  {
    name: "code",
    page: () =>
      page(
        "How to count",
        `<article>${paragraphs(2)}<pre><code class="hljs language-ts"><span class="k">const</span> a = [
  1 &lt; 2,
];
</code></pre><p>Call <code>count()</code>. ${prose(3)}</p></article>`,
      ),
    found: {
      title: "How to count",
      words: 160,
      first: prose(4),
      last: `Call count(). ${prose(3)}`,
      isArticle: true,
      language: "en",
      html: [
        '<pre><code class="language-ts">const a = [\n  1 &lt; 2,\n];\n</code></pre>',
        "<code>count()</code>",
      ],
    },
  },
  {
    name: "tables",
    page: () =>
      page(
        "Rivers by length",
        `<article>${paragraphs(2)}<table><caption>The longest</caption><thead><tr><th scope="col">River</th><th scope="col">km</th></tr></thead>
<tbody>${["Nile", "Amazon", "Yangtze", "Mississippi", "Yenisei", "Ob"].map((name, index) => `<tr><td>${name}</td><td>${6_650 - index * 100}</td></tr>`).join("")}</tbody></table>
<p>${prose(4)}</p></article>`,
      ),
    found: {
      title: "Rivers by length",
      words: 184,
      first: prose(4),
      last: prose(4),
      isArticle: true,
      language: "en",
      html: [
        "<table><caption>The longest</caption><thead>",
        '<th scope="col">km</th>',
        "<td>Nile</td><td>6650</td>",
      ],
    },
  },
  {
    name: "Chinese",
    page: () =>
      page(
        "河流与城市",
        `<article>${many(CHINESE, 4)}${many(CHINESE, 4)}${many(CHINESE, 4)}</article>`,
        "",
        ' lang="zh_hans"',
      ),
    found: {
      title: "河流与城市",
      words: 155,
      first: CHINESE.repeat(4),
      last: CHINESE.repeat(4),
      isArticle: true,
      language: "zh-Hans",
    },
  },
  {
    name: "Arabic",
    page: () =>
      page(
        "النهر والمدينة",
        `<article>${many(`${ARABIC} `, 4)}${many(`${ARABIC} `, 4)}${many(`${ARABIC} `, 4)}</article>`,
        "",
        ' lang="ar"',
      ),
    found: {
      title: "النهر والمدينة",
      words: 168,
      first: `${ARABIC} `.repeat(4).trim(),
      last: `${ARABIC} `.repeat(4).trim(),
      isArticle: true,
      language: "ar",
      direction: "rtl",
    },
  },
  {
    name: "Arabic that repeats its title, once above the text and once within it",
    page: () =>
      page(
        "النهر والمدينة",
        `<article><h1>النهر والمدينة</h1>${many(`${ARABIC} `, 4)}${many(`${ARABIC} `, 4)}<h2>النهر والمدينة</h2>${many(`${ARABIC} `, 4)}</article>`,
        "",
        ' lang="ar"',
      ),
    found: {
      title: "النهر والمدينة",
      words: 170,
      first: `${ARABIC} `.repeat(4).trim(),
      last: `${ARABIC} `.repeat(4).trim(),
      isArticle: true,
      language: "ar",
      direction: "rtl",
      html: ["<h2>النهر والمدينة</h2>"],
    },
  },
  {
    name: "Hebrew that says its direction",
    page: () => page("Two", `<article dir="rtl">${paragraphs(4)}</article>`, "", ' lang="he"'),
    found: {
      title: "Two",
      words: 224,
      first: prose(4),
      last: prose(4),
      isArticle: true,
      language: "he",
      direction: "rtl",
    },
  },
  {
    name: "a page that scripts make",
    page: () =>
      `<!doctype html><title>App</title><div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript><script>render("${prose(40)}")</script>`,
    refused: "empty",
  },
  {
    name: "a paywall",
    page: () =>
      page(
        "For subscribers",
        `<article><p>${prose(1)}</p><div class="offer"><p>Subscribe to read on.</p></div></article>`,
      ),
    found: {
      title: "For subscribers",
      words: 18,
      first: SENTENCE,
      last: "Subscribe to read on.",
      isArticle: false,
      language: "en",
    },
  },
  {
    name: "ten megabytes of noise around an article",
    page: () =>
      page(
        "In the noise",
        `<article>${paragraphs(5)}</article><div class="comments">${`<div class="comment"><a href="/u">user</a> ${"noise ".repeat(1_600)}</div>`.repeat(1_000)}</div>`,
        `<style>${".a{color:red}".repeat(10_000)}</style><script>${"var a = 1;".repeat(10_000)}</script>`,
      ),
    found: {
      title: "In the noise",
      words: 280,
      first: prose(4),
      last: prose(4),
      isArticle: true,
      language: "en",
      without: ["noise"],
    },
  },
  {
    name: "a short question with a long answer and others",
    page: () =>
      page(
        "Which river rises first?",
        `<div id="content"><h1><a href="/q/1">Which river rises first?</a></h1><div role="main"><div class="question">${reply("ask", 3)}</div>
<h2>3 Answers</h2><div class="answers">${reply("bea", 60)}${reply("cem", 8)}${reply("dan", 1)}</div></div>
<div class="sidebar"><h4>Linked</h4>${menus(9)}<p>Here stand some other questions of this site, which nobody has asked for today.</p></div></div>`,
      ),
    found: {
      title: "Which river rises first?",
      words: 882,
      first: "12",
      last: "answered by dan",
      isArticle: true,
      language: "en",
      html: [
        "that ask2 would rise",
        "that bea59 would rise",
        "that cem7 would rise",
        "that dan0 would rise",
        "<h2>3 Answers</h2>",
      ],
      without: ["Other 3", "Linked", "About us", "Imprint"],
    },
  },
  {
    name: "a question, and answers as comments within each other",
    page: () =>
      page(
        "Ask: which river?",
        `<div class="side"><p>${prose(3)}</p></div><main><div class="entry">${said("ask", 4)}</div>
<div class="comments">${remark("bea", 9, remark("cem", 2, remark("dan", 6)))}${remark("eli", 20)}</div></main>`,
      ),
    found: {
      title: "Ask: which river?",
      words: 508,
      first: sentences("ask", 4),
      last: sentences("eli", 20),
      isArticle: true,
      language: "en",
      html: [
        "that ask3 would rise",
        "that bea8 would rise",
        "that cem1 would rise",
        "that dan5 would rise",
        "that eli19 would rise",
      ],
      without: ["measured", "About us", "Imprint"],
    },
  },
  {
    name: "an article with more words in its comments",
    page: () =>
      page(
        "The river",
        `<main><article>${said("ada", 20)}${said("bob", 9)}</article><div class="comments">${remark("cem", 40)}${remark("dan", 40)}</div></main>`,
        '<meta property="og:type" content="article">',
      ),
    found: {
      title: "The river",
      words: 348,
      first: sentences("ada", 20),
      last: sentences("bob", 9),
      isArticle: true,
      language: "en",
      without: ["cem", "dan"],
    },
  },
  {
    name: "an article in several boxes, and a note that looks more like one",
    page: () =>
      page(
        "The boxes",
        `<div class="page">${["ada", "bob", "cem"].map((who, index) => `<div class="row"><div class="col"><div class="box"><div class="text"><div class="field">${said(who, 18 - 6 * index)}</div></div></div></div></div>`).join("")}
<div class="related">${["x", "y"].map((who) => `<div class="teaser"><h3><a href="/${who}">What ${who} saw of it</a></h3>${said(who, 2)}</div>`).join("")}</div></div>
<div class="cookie-notice">${said("we", 3)}${said("they", 3)}</div>`,
      ),
    found: {
      title: "The boxes",
      words: 432,
      first: sentences("ada", 18),
      last: sentences("cem", 6),
      isArticle: true,
      language: "en",
      html: ["that ada17 would rise", "that bob11 would rise", "that cem5 would rise"],
      without: ["they saw", "x saw", "What y saw"],
    },
  },
  {
    name: "its text for browsers without scripts alone",
    page: () =>
      page(
        "Without scripts",
        `<noscript><main>${reply("ask", 9)}${reply("bea", 40)}</main></noscript><div id="app"><p>Loading the rest of this page, which takes a moment until all of it is there.</p></div>`,
      ),
    found: {
      title: "Without scripts",
      words: 596,
      first: "12",
      last: "answered by bea",
      isArticle: true,
      language: "en",
      html: ["that ask8 would rise", "that bea39 would rise"],
      without: ["Imprint"],
    },
  },
  {
    name: "a list of links",
    page: () =>
      page(
        "All news",
        `<ul>${Array.from({ length: 30 }, (_, index) => `<li><a href="/${index}">News number ${index}</a></li>`).join("")}</ul>`,
      ),
    found: {
      title: "All news",
      words: 90,
      first: "News number 0",
      last: "News number 29",
      isArticle: false,
      language: "en",
      html: ['<li><a href="https://pages.example/7">News number 7</a></li>'],
    },
  },
  {
    name: "a short text among menus and notices",
    page: () =>
      page(
        "The ferry",
        `<div class="navbar"><a href="/map">All lines</a></div><h1>The ferry</h1><p>${prose(1)}</p><p>It leaves at noon.</p>
<div id="cookie-banner"><p>We keep cookies.</p></div><div class="page-with-sidebar"><p>${prose(1)} It comes back at night.</p></div>`,
      ),
    found: {
      title: "The ferry",
      words: 37,
      first: SENTENCE,
      last: `${SENTENCE} It comes back at night.`,
      isArticle: false,
      language: "en",
      html: ["<p>It leaves at noon.</p>"],
      without: ["Home", "All lines", "cookies", "Imprint", "The ferry"],
    },
  },
  {
    name: "an article in cells that lay out the page",
    page: () =>
      page(
        "In cells",
        `<table><tr><td><ul>${menus(5)}</ul></td><td><table><tr><td>${sentences("ada", 9)}</td></tr><tr><td>${sentences("bob", 9)}</td></tr></table></td></tr></table>`,
      ),
    found: {
      title: "In cells",
      words: 216,
      first: sentences("ada", 9),
      last: sentences("bob", 9),
      isArticle: true,
      language: "en",
      html: ["<p>ada saw", "<p>bob saw"],
      without: ["Other 3", "About us"],
    },
  },
  {
    name: "lines about an author that name none, before the one that does",
    page: () =>
      page(
        "By whom",
        `<form class="authors"><p class="author-field"><label>Name *</label><input></p></form><article><p class="byline">Posted on</p><p class="author">Article by</p>
<p class="dateline">Monday, 4 May 2026</p><p class="author">Written by Ada Rivers on May 4, 2026 at 9:30 am</p>${paragraphs(4)}</article>
<div class="comments"><p class="comment-author">Bob says:</p><p>${prose(1)}</p></div>`,
      ),
    found: {
      title: "By whom",
      words: 232,
      first: "Posted on",
      last: prose(4),
      isArticle: true,
      byline: "Ada Rivers",
      language: "en",
      without: ["Bob"],
    },
  },
  {
    name: "Cyrillic that declares no encoding",
    page: () =>
      encoded(
        page("Река и город", `<article>${many(`${RUSSIAN} `, 4).repeat(4)}</article>`, "", ""),
        "windows-1251",
      ),
    found: {
      title: "Река и город",
      words: 208,
      first: `${RUSSIAN} `.repeat(4).trim(),
      last: `${RUSSIAN} `.repeat(4).trim(),
      isArticle: true,
    },
  },
  // Neither of these two encodings is one that is guessed.
  {
    name: "an encoding that the page declares",
    page: () =>
      encoded(
        page(
          "Река и город",
          `<article>${many(`${RUSSIAN} `, 4).repeat(4)}</article>`,
          `<meta charset=iso-8859-5>`,
          "",
        ),
        "iso-8859-5",
      ),
    found: {
      title: "Река и город",
      words: 208,
      first: `${RUSSIAN} `.repeat(4).trim(),
      last: `${RUSSIAN} `.repeat(4).trim(),
      isArticle: true,
    },
  },
  {
    name: "an encoding that is declared after the first kilobyte",
    page: () =>
      encoded(
        page(
          "Река и город",
          `<article>${many(`${RUSSIAN} `, 4).repeat(4)}</article>`,
          `<meta name="a" content="${"a".repeat(2_000)}"><meta charset="ibm866">`,
          "",
        ),
        "ibm866",
      ),
    found: {
      title: "Река и город",
      words: 208,
      first: `${RUSSIAN} `.repeat(4).trim(),
      last: `${RUSSIAN} `.repeat(4).trim(),
      isArticle: true,
    },
  },
  {
    name: "a header that wins over the page",
    page: () =>
      Buffer.from(
        page("川と町", `<article>${many(JAPANESE, 4).repeat(3)}</article>`, `<meta charset="shift_jis">`, ""),
      ),
    contentType: "text/html; charset=utf-8",
    found: {
      title: "川と町",
      words: 188,
      first: JAPANESE.repeat(4),
      last: JAPANESE.repeat(4),
      isArticle: true,
    },
  },
  {
    name: "a declared encoding of Japan",
    page: () =>
      encoded(
        page(
          "川と町",
          `<article>${many(JAPANESE, 4).repeat(3)}</article>`,
          `<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">`,
          ' lang="ja"',
        ),
        "shift_jis",
      ),
    found: {
      title: "川と町",
      words: 188,
      first: JAPANESE.repeat(4),
      last: JAPANESE.repeat(4),
      isArticle: true,
      language: "ja",
    },
  },
  {
    name: "UTF-16 with its mark",
    page: () =>
      Buffer.concat([
        Buffer.from([0xff, 0xfe]),
        encoded(page("In pairs", `<article>${paragraphs(4)}</article>`), "utf-16le"),
      ]),
    found: {
      title: "In pairs",
      words: 224,
      first: prose(4),
      last: prose(4),
      isArticle: true,
      language: "en",
    },
  },
  {
    name: "Latin-1 that says it is UTF-8",
    page: () =>
      encoded(
        page(
          "Été",
          `<article>${many(`${FRENCH} `, 3).repeat(4)}</article>`,
          '<meta charset="utf-8">',
          ' lang="fr"',
        ),
        "windows-1252",
      ),
    found: {
      title: "Été",
      words: 204,
      first: `${FRENCH} `.repeat(3).trim(),
      last: `${FRENCH} `.repeat(3).trim(),
      isArticle: true,
      language: "fr",
    },
  },
  {
    name: "UTF-8 with a broken character",
    page: () => {
      const whole = page(
        "Été",
        `<article>${many(`${FRENCH} `, 3).repeat(4)}</article>`,
        "<!-- BROKEN -->",
        ' lang="fr"',
      );
      return Buffer.from(Buffer.from(whole).toString("latin1").replace("BROKEN", "\xff"), "latin1");
    },
    found: {
      title: "Été",
      words: 204,
      first: `${FRENCH} `.repeat(3).trim(),
      last: `${FRENCH} `.repeat(3).trim(),
      isArticle: true,
      language: "fr",
    },
  },
  {
    name: "formulas, footnotes and films",
    page: () =>
      page(
        "Energy",
        `<article>${paragraphs(2)}<p>As <math display="block"><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math> says<sup><a href="#fn">1</a></sup>. ${prose(3)}</p>
<iframe src="https://www.youtube.com/embed/abc" title="A film of light"></iframe><p>${prose(3)}</p><ol><li id="fn">Einstein, 1905, in his paper on it.</li></ol></article>`,
      ),
    found: {
      title: "Energy",
      words: 212,
      first: prose(4),
      last: "Einstein, 1905, in his paper on it.",
      isArticle: true,
      language: "en",
      html: [
        '<math display="block"><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math>',
        'says\u200a<sup><a href="#copy-fn">1</a></sup>',
        '<li><span id="copy-fn"></span>Einstein',
        '<a href="https://www.youtube.com/embed/abc">A film of light</a>',
      ],
    },
  },
  {
    name: "pictures that scripts load",
    page: () =>
      page(
        "Pictures",
        `<article>${paragraphs(2)}<img class="lazy" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="one.jpg" alt="One">
<img src="/small.jpg" srcset="/small.jpg 400w, /large.jpg 1800w" alt="Two">
<img src="placeholder.gif"><noscript><img src="three.jpg" alt="Three"></noscript><p>${prose(4)}</p></article>`,
        '<base href="https://static.example/a/">',
      ),
    found: {
      title: "Pictures",
      words: 168,
      first: prose(4),
      last: prose(4),
      isArticle: true,
      language: "en",
      pictures: [
        "https://static.example/a/one.jpg",
        "https://static.example/large.jpg",
        "https://static.example/a/three.jpg",
      ],
    },
  },
  {
    name: "a page saved by a browser, with its pictures inside",
    page: () =>
      page(
        "Saved",
        `<article>${paragraphs(3)}<img src="data:image/png;base64,${Buffer.from("picture ".repeat(2_000)).toString("base64")}" alt="Inside"><p>${prose(4)}</p></article>`,
      ),
    contentType: "text/html; charset=utf-8",
    found: {
      title: "Saved",
      words: 224,
      first: prose(4),
      last: prose(4),
      isArticle: true,
      language: "en",
      pictures: ["data:image/png"],
      html: ['<img src="picture-1" alt="Inside" loading="lazy">'],
    },
  },
  {
    name: "hidden words",
    page: () =>
      page(
        "Seen",
        `<article>${paragraphs(3)}<p style="display:none">Secret one. ${prose(4)}</p><div hidden><p>Secret two. ${prose(4)}</p></div><p aria-hidden="true">Secret three. ${prose(4)}</p><p style="display">${prose(4)}</p></article>`,
      ),
    found: {
      title: "Seen",
      words: 224,
      first: prose(4),
      last: prose(4),
      isArticle: true,
      language: "en",
      without: ["Secret"],
    },
  },
  {
    name: "markup without ends",
    page: () =>
      `<title>Loose ends</title><body><div><h1>Loose ends<p>${prose(4)}<p>${prose(4)}<ul><li>first<li>second<table><tr><td>cell<td>cell</table><p><b><i>${prose(4)}</b></i><p>${prose(4)}`,
    found: { title: "Loose ends", words: 230, first: "Loose ends", last: prose(4), isArticle: false },
  },
  {
    name: "a PDF",
    page: () => Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3", "latin1"),
    contentType: "application/pdf",
    refused: "not-html",
  },
  { name: "nothing", page: () => "", refused: "empty" },
  {
    name: "a page of spaces",
    page: () => "<!doctype html><title>Nothing</title><body> &nbsp; <p>\u200b</p>",
    refused: "empty",
  },
];
