import { expect, test } from "bun:test";
import { countingModules, expectLinear } from "../../../test/support/steps/count-steps.ts";
import { titleFromText } from "./entry.ts";
import { htmlToContent, isHtmlContent } from "./entry-text.ts";

test("HTML becomes one block that CommonMark leaves alone", () => {
  for (const [html, text] of [
    ["<p>One</p>\r\n\r\n  <p>Two</p>\n", "<p>One</p>\n<p>Two</p>"],
    ["Hello <b>you</b>", "<div>Hello <b>you</b></div>"],
    ["<p>a</p><pre>x\n\n  y</pre>\n\n<p>b</p>", "<p>a</p>\n<pre>x\n<!-- -->\n  y</pre>\n<p>b</p>"],
    ["<PRE>never\n\nclosed", "<div><PRE>never\nclosed</div>"],
    ["  \n ", ""],
  ] as const) {
    expect([html, htmlToContent(html)]).toEqual([html, text]);
    if (text !== "") expect(isHtmlContent(text)).toBe(true);
    // Writing it again does not change it.
    expect(htmlToContent(text)).toBe(text);
  }
});

test("a note is called by its first words", () => {
  const now = new Date("2026-11-22T08:30:00Z");
  expect(titleFromText("# A *plain* [link](https://a.example/) <b>here</b>", now)).toBe("A plain link here");
  expect(titleFromText("word ".repeat(40), now)).toMatch(/^(word ){10,}word…$/);
  expect(titleFromText("![](</media/x.png>)", now)).toBe("2026-11-22 08:30");
});

test.each(["<pre>", "<", "[", "![a](", "\n ", " \t", "<p>\n\n"])(
  "text of nothing but %j takes linear time",
  async (piece) => {
    const counting = await countingModules<typeof import("./entry.ts") & typeof import("./entry-text.ts")>(
      import.meta.resolve("./entry.ts"),
      import.meta.resolve("./entry-text.ts"),
    );
    await expectLinear((length) => {
      const text = piece.repeat(length);
      counting.htmlToContent(text);
      counting.isHtmlContent(text);
      counting.titleFromText(text, new Date(0));
    });
  },
);
