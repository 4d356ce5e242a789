import { expect, test } from "bun:test";
import { startCpuTimer } from "../../../test/support/cpu-time.ts";
import { titleOf } from "./entry.ts";
import { isHtmlText, markdownOfHtml } from "./entry-text.ts";

test("HTML becomes one block that CommonMark leaves alone", () => {
  for (const [html, text] of [
    ["<p>One</p>\r\n\r\n  <p>Two</p>\n", "<p>One</p>\n<p>Two</p>"],
    ["Hello <b>you</b>", "<div>Hello <b>you</b></div>"],
    ["<p>a</p><pre>x\n\n  y</pre>\n\n<p>b</p>", "<p>a</p>\n<pre>x\n<!-- -->\n  y</pre>\n<p>b</p>"],
    ["<PRE>never\n\nclosed", "<div><PRE>never\nclosed</div>"],
    ["  \n ", ""],
  ] as const) {
    expect([html, markdownOfHtml(html)]).toEqual([html, text]);
    if (text !== "") expect(isHtmlText(text)).toBe(true);
    // Written again, it stays as it is.
    expect(markdownOfHtml(text)).toBe(text);
  }
});

test("a note is called by its first words", () => {
  const now = new Date("2026-11-22T08:30:00Z");
  expect(titleOf("# A *plain* [link](https://a.example/) <b>here</b>", now)).toBe("A plain link here");
  expect(titleOf("word ".repeat(40), now)).toMatch(/^(word ){10,}word…$/);
  expect(titleOf("![](</media/x.png>)", now)).toBe("2026-11-22 08:30");
});

test("text that is never closed takes linear time", () => {
  for (const piece of ["<pre>", "<", "[", "![a](", "\n ", " \t", "<p>\n\n"]) {
    const text = piece.repeat(200_000);
    const elapsed = startCpuTimer();
    markdownOfHtml(text);
    isHtmlText(text);
    titleOf(text, new Date(0));
    expect([piece, elapsed() < 1_500]).toEqual([piece, true]);
  }
});
