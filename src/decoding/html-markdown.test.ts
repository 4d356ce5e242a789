import { expect, test } from "bun:test";
import { htmlAsMarkdown } from "./html-markdown.ts";

test.each([
  ["<h2>A</h2><p>One <em>two</em> <strong>three</strong>.</p>", "## A\n\nOne *two* **three**."],
  ["<p>a<br>b</p><hr><p>c</p>", "a\nb\n\n---\n\nc"],
  [
    '<p><a href="https://example.com/">out</a> <a href="#copy-n">in</a></p>',
    "[out](https://example.com/) in",
  ],
  ['<p><img src="picture-1" alt="A hill"> <img src="picture-2" alt=""></p>', "![A hill]"],
  ["<ul><li>a</li><li><p>b</p><ul><li>c</li></ul></li></ul><p>d</p>", "- a\n- b\n  - c\n\nd"],
  ['<ol start="9"><li>a</li><li>b</li></ol>', "9. a\n10. b"],
  ["<blockquote><p>a</p><p>b</p></blockquote><p>c</p>", "> a\n>\n> b\n\nc"],
  ['<blockquote><pre class="language-js">a\n  b &lt; c</pre></blockquote>', "> ```js\n> a\n>   b < c\n> ```"],
  ["<p>Call <code>f()</code></p>", "Call `f()`"],
  [
    "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1|2</td><td><p>3</p><p>4</p></td></tr></tbody></table><p>z</p>",
    "| a | b |\n| --- | --- |\n| 1\\|2 | 3 4 |\n\nz",
  ],
  ["<dl><dt>a</dt><dd>b</dd></dl>", "a\n\nb"],
  ["<p>x &amp; y</p>\n<div><p>z</p></div>", "x & y\n\nz"],
  ['<p><img src="https://example.com/a.png" alt="A hill"></p>', "![A hill](https://example.com/a.png)"],
  ['<pre tabindex="0"><code class="language-ts">let a;\n</code></pre>', "```ts\nlet a;\n```"],
  ["", ""],
  [
    "<p>&lt;img src=x onerror=alert(1)&gt; 1 &lt; 2 &amp;lt;</p>",
    "\\<img src=x onerror=alert(1)> 1 < 2 \\&lt;",
  ],
  [
    "<p>*not* _so_ snake_case `x` [y](z) ~~w~~ \\*</p>",
    "\\*not\\* \\_so\\_ snake_case \\`x\\` \\[y\\](z) \\~~w\\~~ \\\\\\*",
  ],
  ["<p>- a</p><p># b</p><p>1. c</p><p>&gt; d</p><p>-1 #e</p>", "\\- a\n\n\\# b\n\n1\\. c\n\n\\> d\n\n-1 #e"],
  ["<p><code>&lt;b&gt; *x* `y`</code> <code>``</code></p>", "`` <b> *x* `y` `` ``` `` ```"],
  ["<pre>```\n&lt;b&gt;<br>*</pre>", "````\n```\n<b>\n*\n````"],
  [
    '<p><a href="https://example.com/a)b_(c)">[x]</a> <img src="https://example.com/&lt;b&gt;" alt="]&lt;b&gt;"></p>',
    "[\\[x\\]](https://example.com/a%29b_%28c%29) ![\\]\\<b>](https://example.com/%3Cb%3E)",
  ],
])("%s", (html, markdown) => {
  expect(htmlAsMarkdown(html)).toBe(markdown);
});

test("lists, quotations and tables far within each other keep their words, and cost little", () => {
  const deep = (open: string, close: string, within: string) => open.repeat(24) + within + close.repeat(24);
  for (const [open, close] of [
    ["<blockquote>", "</blockquote>"],
    ["<ul><li>", "</li></ul>"],
    ["<table><tbody><tr><td>", "</td></tr></tbody></table>"],
  ] as const) {
    const lines = "a | b\n".repeat(5_000);
    const markdown = htmlAsMarkdown(deep(open, close, `<pre>${lines}</pre><ul><li>c</li><li>d</li></ul>`));
    expect(markdown.match(/[abcd]/g)?.length).toBe(10_002);
    expect(markdown.length).toBeLessThan(30 * lines.length);
  }
});

test("of a very long copy, these are the words", () => {
  const html = `<p>One <em>two</em> &amp; three</p><p>&lt;b&gt;</p><ul><li>four</li></ul>`;
  const text = htmlAsMarkdown(html.repeat(20_000));
  expect(text.startsWith("One two & three\n\n\\<b>\n\nfour\n\nOne two")).toBe(true);
  expect(text.match(/four/g)?.length).toBe(20_000);
});

test("of a text with more than 100 elements within each other, these are the words", () => {
  const emphasised = (depth: number, [open, close] = ["<em>", "</em>"]) =>
    htmlAsMarkdown(`<p>a<br>${"<br>".repeat(200)}</p>${open.repeat(depth)}one${close.repeat(depth)}`);
  expect(emphasised(100)).toEndWith(`${"*".repeat(100)}one${"*".repeat(100)}`);
  expect(emphasised(101)).toBe("a\n\none");
  expect(emphasised(20_000, ["<ul><li>", "</li></ul>"])).toBe("a\n\none");
});
