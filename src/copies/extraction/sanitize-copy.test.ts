import { describe, expect, test } from "bun:test";
import { Parser } from "htmlparser2";
import { hostileMarkup } from "../../../test/support/copies/hostile-markup.ts";
import { readTree } from "./page-tree.ts";
import { type SanitizedCopy, sanitizeCopy } from "./sanitize-copy.ts";

const URL_OF_PAGE = "https://site.example/texts/page.html";

function sanitized(html: string, { base = URL_OF_PAGE, hasFilms = true } = {}): SanitizedCopy {
  const { document, dataUrls } = readTree(`<body>${html}`, URL_OF_PAGE);
  return sanitizeCopy([document.body], { url: URL_OF_PAGE, base, dataUrls, hasFilms });
}

const htmlOf = (html: string) => sanitized(html).html;

/** What may stand in a copy: elements, and the attributes of all and of each. */
const OF_ALL = { lang: /^[\w-]+$/, dir: /^(?:ltr|rtl|auto)$/, class: /^language-[\w+#-]+$/, id: /^copy-/ };
const NUMBER = /^\d*$/;
const ALLOWED: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  a: { href: /^(?:https?:\/\/|#copy-)/, "aria-label": /^[\w.:-]+$/ },
  img: { src: /^picture-\d+$/, alt: /^/, width: NUMBER, height: NUMBER, loading: /^lazy$/ },
  ol: { start: NUMBER, reversed: NUMBER },
  li: { value: NUMBER },
  td: { colspan: NUMBER, rowspan: NUMBER },
  th: { colspan: NUMBER, rowspan: NUMBER, scope: /^\w+$/ },
  abbr: { title: /^/ },
  details: { open: NUMBER },
  math: { display: /^\w+$/ },
  ...Object.fromEntries(
    "p div h2 h3 blockquote pre code ul dl dt dd table tr figure summary span b i br hr mi mtext"
      .split(" ")
      .map((name) => [name, {}]),
  ),
};

/** What stands in a copy and may not. */
function forbidden(html: string): string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      const allowed: Readonly<Record<string, RegExp>> | undefined = ALLOWED[name];
      if (allowed === undefined) found.push(name);
      for (const [attribute, value] of Object.entries(attributes))
        if (!({ ...OF_ALL, ...allowed }[attribute]?.test(value) ?? false))
          found.push(`${name} ${attribute}=${value}`);
    },
    oncomment: (text) => void found.push(text),
    onprocessinginstruction: (name) => void found.push(name),
  });
  parser.end(html);
  return found;
}

describe("A page's markup", () => {
  test.each(hostileMarkup.map((markup) => [markup]))("%s is harmless", (markup) => {
    const { html, text } = sanitized(`<p>Before.</p>${markup}<p>After.`);
    expect(forbidden(html)).toEqual([]);
    expect(text).toStartWith("Before.");
  });

  test.each<[markup: string, html: string]>([
    // Blocks
    ["<h1>One</h1>two<p>three", "<h2>One</h2><p>two</p><p>three</p>"],
    ["<div>a<div>b</div>c</div>", "<p>a</p><p>b</p><p>c</p>"],
    ["<p>a<ul><li>b</ul>c", "<p>a</p><ul><li>b</li></ul><p>c</p>"],
    ["<b>a<p>b</p></b>c", "<p><b>a</b></p><p><b>b</b></p><p>c</p>"],
    [
      "<a href=/b><h2>a</h2><p>b</p></a>",
      '<h2><a href="https://site.example/b">a</a></h2><p><a href="https://site.example/b">b</a></p>',
    ],
    ["<p></p><div> </div><ul><li></ul><b></b>a", "<p>a</p>"],
    ["<li>a</li><td>b</td><dd>c</dd>", "<p>a</p><p>b</p><p>c</p>"],
    ["<ul>a<li>b<p>c</ul>", "<ul><li>a</li><li>b<p>c</p></li></ul>"],
    ["<h2>a<div>b</div></h2>", "<h2>a b</h2>"],
    ["<blockquote>a<br>b<br><br><br>c<br></blockquote>", "<blockquote><p>a<br>b<br><br>c</p></blockquote>"],
    ["<hr>a<hr>b", "<p>a</p><hr><p>b</p>"],
    [
      "<table><tr><th scope=col>a<th><tr><td colspan=2>b</table>",
      '<table><tr><th scope="col">a</th><th></th></tr><tr><td colspan="2">b</td></tr></table>',
    ],
    [
      "<table>a<tr>b<td>c<td>d</table>",
      "<table><tr><td>a</td></tr><tr><td>b</td><td>c</td><td>d</td></tr></table>",
    ],
    // Tables that only lay out what is in them
    ["<table><tr><td>a<tr><td>b</table>", "<p>a</p><p>b</p>"],
    ["<table role=presentation><tr><td>a<td>b</table>", "<p>a</p><p>b</p>"],
    [
      "<table><tr><td>a<td><table><tr><td>b<td>c</table></table>",
      "<p>a</p><table><tr><td>b</td><td>c</td></tr></table>",
    ],
    [
      "<table><tr><th>a<td><table><tr><td>b<td>c</table></table>",
      "<table><tr><th>a</th><td><table><tr><td>b</td><td>c</td></tr></table></td></tr></table>",
    ],
    // The numbers of lines
    [
      "<pre><span class=lineno>1 </span>a\n<span class=lineno>2 </span>b 3</pre><p class=ln>4 of c",
      "<pre>a\nb 3</pre><p>4 of c</p>",
    ],
    ['<table><tr><td class="rouge-gutter gl"><pre>1\n2</pre><td><pre>a\nb</pre></table>', "<pre>a\nb</pre>"],
    ["<table><tr><td> </table>a", "<p>a</p>"],
    ["<dl><dt>a<dd>b</dl>", "<dl><dt>a</dt><dd>b</dd></dl>"],
    ["<details><summary>a</summary>b</details>", '<details open=""><summary>a</summary><p>b</p></details>'],
    ["<pre class=lang-js>\n\n a\n  b <b>c</b></pre>", '<pre class="language-js"> a\n  b <b>c</b></pre>'],
    ["<pre><div>a</div><div>b</div></pre>", "<pre>a\nb\n</pre>"],
    ["<x-a><template shadowrootmode=open>a</template></x-a>b", "<p>a</p><p>b</p>"],
    // Lines
    [" a  <b> b </b> c\n", "<p>a <b>b</b> c</p>"],
    ["a&nbsp; b &lt;i&gt; &amp;amp;", "<p>a&nbsp; b &lt;i&gt; &amp;amp;</p>"],
    ["a<font color=red>b</font><span>c</span><tt>d</tt><q>e</q>", "<p>abc<code>d</code><q>e</q></p>"],
    [
      "<span lang=pt-BR>a</span><div dir=rtl>b</div>",
      '<p><span lang="pt-BR">a</span></p><div dir="rtl"><p>b</p></div>',
    ],
    ["<button>a</button><select><option>b</select><textarea>c</textarea>d", "<p>d</p>"],
    // Links
    ["<a href=../b?c=d&amp;e>a</a>", '<p><a href="https://site.example/b?c=d&amp;e">a</a></p>'],
    ["<a href=mailto:a@b.example>a</a><a>b</a>", "<p>ab</p>"],
    [
      "<a href=#n>1</a><p id=n>note<p id=m>other",
      '<p><a href="#copy-n">1</a></p><p><span id="copy-n"></span>note</p><p>other</p>',
    ],
    [
      "<a href=#n>1</a><p><a name=n></a>note<p><a name=m href=#n>other</a>",
      '<p><a href="#copy-n">1</a></p><p><span id="copy-n"></span>note</p><p><a href="#copy-n">other</a></p>',
    ],
    // Formulas
    [
      "<span class=katex><span class=katex-mathml><math><mi>x</mi></math></span><span class=katex-html aria-hidden=true>x</span></span>" +
        "<span class=katex><span class=katex-html aria-hidden=true>y</span></span>",
      "<p><math><mi>x</mi></math>y</p>",
    ],
    [
      "<p>a <script type=math/tex>x<y</script><span class=MathJax><math><mi>z</mi></math></span><script type='math/tex'>z</script>",
      "<p>a <code>x&lt;y</code><math><mi>z</mi></math></p>",
    ],
    [
      "<img src=a.svg alt='\\frac{a}{b}'><img class=latex src=b.svg alt=c><img src=c.svg alt=d>",
      "<p><code>\\frac{a}{b}</code><code>c</code></p>",
    ],
    [
      "<math display=block onclick=a><mi>x</mi><semantics><annotation>x</annotation></semantics></math>",
      '<p><math display="block"><mi>x</mi><semantics></semantics></math></p>',
    ],
    [
      "<span style='display: none'><math><mi>x</mi></math></span><img class=fallback-image src=x.png>",
      '<p><math><mi>x</mi></math><img src="picture-1" alt="" loading="lazy"></p>',
    ],
    // What is not shown
    [
      "<p hidden>a<p style='color: red; display:none'>b<p style='visibility: hidden'>c</p><dialog>d</dialog><template>e</template>f",
      "<p>f</p>",
    ],
    [
      "<video src=/a.mp4></video><iframe title='A film' src=https://films.example/1></iframe>",
      '<p><a href="https://site.example/a.mp4" aria-label="site.example">▶</a></p><p><a href="https://films.example/1">A film</a></p>',
    ],
  ])("%j becomes %j", (markup, html) => {
    expect(htmlOf(markup)).toBe(html);
  });

  test("has its words in lines, one for each block", () => {
    const { text } = sanitized(
      "<h1>One</h1><p>two <b>thr</b>ee<br>four</p><ul><li>five<li><p>six<p>seven</ul><pre>e\n f</pre>",
    );
    expect(text).toBe("One\ntwo three\nfour\nfive\nsix\nseven\ne\n f");
  });

  test("reads links from the base of the page", () => {
    expect(sanitized("<a href=b>a</a>", { base: "https://other.example/c/" }).html).toContain(
      "https://other.example/c/b",
    );
  });
});

describe("The pictures of a page", () => {
  test.each<[markup: string, urls: readonly string[]]>([
    ["<img src=a.png>", ["https://site.example/texts/a.png"]],
    [
      "<img src=a.png><img src=b.png><img src=a.png>",
      ["https://site.example/texts/a.png", "https://site.example/texts/b.png"],
    ],
    ["<img src=//cdn.example/a.png>", ["https://cdn.example/a.png"]],
    ["<img src=blank.gif data-src=a.png>", ["https://site.example/texts/a.png"]],
    [
      "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw=' data-src=/a.png>",
      ["https://site.example/a.png"],
    ],
    ["<img src=/s.png srcset='/s.png 400w, /m.png 1600w, /l.png 4000w'>", ["https://site.example/m.png"]],
    ["<img src=/s.png srcset='/s.png 400w, /m.png 800w'>", ["https://site.example/m.png"]],
    ["<img src=/s.png srcset='/m.png, /l.png 2x, /x.png 3x'>", ["https://site.example/l.png"]],
    [
      "<picture><source type=image/avif srcset=/a.avif><source type=image/webp srcset=/a.webp><img src=/blank.gif></picture>",
      ["https://site.example/a.webp"],
    ],
    [
      "<img src=/drawing.svg><img src=/pixel.png width=1 height=1><img src=file:///etc/passwd><img src=javascript:a>",
      [],
    ],
    ["<img>", []],
  ])("of %j are %j", (markup, urls) => {
    expect(sanitized(markup).pictures.map(({ url }) => url)).toEqual([...urls]);
  });

  test.each([
    ["1", "1"],
    ["0", "40"],
    ["40", " 2px "],
    ["1.5", "40"],
    ["001", "40"],
    ["2", undefined],
  ])("are none that show nothing, as with %p by %p pixels", (width, height) => {
    const size = `width="${width}"${height === undefined ? "" : ` height="${height}"`}`;
    expect(htmlOf(`<p>a</p><img src=a.png ${size}>`)).toBe("<p>a</p>");
  });

  test("have their text and their size, and stand where they were", () => {
    expect(
      htmlOf(
        "<figure><img src=a.png alt='A &quot;b&quot;\n c' width=640 height=480px><figcaption>Caption</figcaption></figure>",
      ),
    ).toBe(
      '<figure><img src="picture-1" alt="A &quot;b&quot; c" width="640" height="480" loading="lazy"><figcaption>Caption</figcaption></figure>',
    );
  });

  test("that are within the page are taken out of it", () => {
    const bytes = Buffer.from("a picture ".repeat(1_000));
    const { html, pictures } = sanitized(
      `<img src="data:image/png;base64,${bytes.toString("base64")}"><img src="data:image/png,%41b">`,
    );
    expect(html).not.toContain("data:");
    expect(pictures.map(({ url, bytes }) => [url, bytes && Buffer.from(bytes).toString()])).toEqual([
      ["data:image/png", bytes.toString()],
      ["data:image/png", "Ab"],
    ]);
  });

  test("are 30 at most; the captions of others stay", () => {
    const figures = Array.from(
      { length: 31 },
      (_, index) => `<figure><img src=${index}.png><figcaption>Number ${index}</figcaption></figure>`,
    );
    const { html, text, pictures } = sanitized(figures.join(""));
    expect(pictures).toHaveLength(30);
    expect(html).not.toContain("picture-31");
    expect(text).toEndWith("Number 30");
  });
});
