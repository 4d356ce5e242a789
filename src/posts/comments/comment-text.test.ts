import { expect, test } from "bun:test";
import { commentParts, countLinks } from "./comment-text.ts";

test("A comment's http(s) addresses are links, without the punctuation after them", () => {
  expect(commentParts("See https://example.com/a, (http://b.example/x_(y)) and HTTPS://C.example.")).toEqual([
    { text: "See " },
    { text: "https://example.com/a", href: "https://example.com/a" },
    { text: ", (" },
    { text: "http://b.example/x_(y)", href: "http://b.example/x_(y)" },
    { text: ") and " },
    { text: "HTTPS://C.example", href: "https://c.example/" },
    { text: "." },
  ]);
});

test("Nothing else is a link", () => {
  for (const text of [
    "javascript:alert(1)",
    "data:text/html,x",
    "ftp://example.com",
    "example.com",
    "https://",
    "https://user:password@example.com/",
    "<a href=x>",
  ])
    expect(commentParts(text)).toEqual([{ text }]);
});

test("Together the pieces are the text", () => {
  const text = 'a\nhttps://x.example/"b" <https://y.example/?a=1&b=2>… https://z.example/).';
  expect(
    commentParts(text)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
  expect(countLinks(text)).toBe(3);
});

test("of several blank lines one is left, and none at the ends", () => {
  const text = `\n\n a${"\n \t".repeat(9_000)}\nb\n\nc\nd\n\n`;
  expect(commentParts(text)).toEqual([{ text: "a\n \t\nb\n\nc\nd" }]);
});
