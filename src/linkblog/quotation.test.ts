import { describe, expect, test } from "bun:test";
import { decodeHTML } from "entities";
import { Random, testSeed } from "../../test/support/run/random.ts";
import { renderMarkdown } from "../posts/rendering/render-markdown.ts";
import { quotation } from "./quotation.ts";

const SOURCE = { title: "The river", url: "https://example.com/river", byline: "Ada", site: "Slow fruit" };

/** The text of rendered Markdown, with line feeds where its lines end. */
function shownBy(html: string): string {
  return decodeHTML(
    html
      .replace(/<br ?\/?>\n?/g, "\n")
      .replace(/<\/p>\s*<p>/g, "\n\n")
      .replace(/<[^<>]*>/g, ""),
  ).trim();
}

function quoted(quote: string): { readonly text: string; readonly html: string } {
  const { html } = renderMarkdown(quotation(quote, "", SOURCE), new Map());
  const [, inside = ""] = /^<blockquote>([\s\S]*)<\/blockquote>/.exec(html) ?? [];
  return { text: shownBy(inside), html: inside };
}

test("A quotation is followed by its source, and by the note as the writer's own text", () => {
  expect(quotation("One *line*.\n\nAnd another.", "  *My* note.\n", SOURCE)).toBe(
    "> One \\*line\\*.\n>\n> And another.\n\n— [The river](https://example.com/river), Ada, Slow fruit\n\n*My* note.",
  );
  const bare = { title: " ", url: "https://www.example.com/a_(b)", byline: null, site: null };
  expect(quotation("Words", "", bare)).toBe(
    "> Words\n\n— [https://www.example.com/a\\_(b)](<https://www.example.com/a_(b)>), example.com",
  );
  const same = { ...SOURCE, title: "[x](y) <b>", byline: "*Ada*", site: "*Ada*" };
  expect(quotation("Words", "", same)).toEndWith(
    "— [\\[x\\](y) \\<b>](https://example.com/river), \\*Ada\\*",
  );
});

describe("Readers see the quoted words", () => {
  test.each([
    "Plain words, and (more) of them: a-b_c 2 * 3!",
    "First.\n\nSecond.\n\nThird.",
    "A line\nand another one",
    "ends with \\",
    "\\\nends\\",
    "# No heading\n\n- no list\n+ no list\n1. no list\n23) no list",
    "---\n\n===\n\nWords\n---\n\nWords\n===",
    "> no quotation\n```\nno code\n~~~",
    "<script>alert(1)</script> <b>x</b> <!-- y --> &lt; &amp;copy;",
    "[a](https://example.com) ![b](c) [^1] [^1]: note [x]: y",
    "https://example.com/%D0%B0_b_c //example.com mailto:a@example.com HTTP://xn--e1afmkfd.example",
    "a | b\n--- | ---\n:-: | c",
    "**bold** __bold__ ~~gone~~ `code`",
    "שלום [עולם] * أهلا *",
    "今天**天气**很好。",
    "😀 a\u00a0b",
  ])("%j", (quote) => {
    const { text, html } = quoted(quote);
    expect(text).toBe(quote);
    expect(html.match(/<(?!\/?(?:p|br)[\s>/])[^>]*>/g)).toBeNull();
  });

  test("whatever they are made of", () => {
    const random = new Random(testSeed);
    const PARTS = [
      ...[
        "\\",
        "`",
        "```",
        "~~",
        "~~~",
        "*",
        "**",
        "_",
        "[",
        "]",
        "(",
        ")",
        "<",
        ">",
        "<script>",
        "</p>",
        "<!--",
        "&",
        "&amp;",
      ],
      ...[
        "#",
        "##",
        "+",
        "-",
        "---",
        "===",
        "1.",
        "12)",
        ":",
        ":--",
        "|",
        "!",
        "[^1]",
        "[^1]:",
        "^[",
        "[x]: http://a.b",
      ],
      ...[
        "http://example.com/%D0%B0",
        "//",
        "://",
        "mailto:",
        "a@b.cc",
        "ftp",
        "a",
        "word",
        "今天",
        "שלום",
        "{#id}",
        '"',
      ],
      ...[" ", "  ", "    ", "\t", "\n", "\n\n", "\n    ", "😀"],
    ];
    for (let round = 0; round < 2_000; round++) {
      const quote = Array.from({ length: 1 + random.below(9) }, () => random.pick(PARTS)).join("");
      if (quote.trim() === "") continue;
      const { text, html } = quoted(quote);
      const characters = (given: string) => given.replace(/\s+/g, "");
      expect(characters(text), quote).toBe(characters(quote));
      expect(html.match(/<(?!\/?(?:p|br)[\s>/])[^>]*>/g), quote).toBeNull();
    }
  });
});
