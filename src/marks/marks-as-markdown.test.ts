import { expect, test } from "bun:test";
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import footnotes from "markdown-it-footnote";
import { rounds } from "../../test/support/run/full-run.ts";
import { testSeed } from "../../test/support/run/random.ts";
import type { ListedMark } from "./all-marks.ts";
import { marksAsMarkdown } from "./marks-as-markdown.ts";

const numRuns = Number(process.env.FUZZ_RUNS ?? rounds(200, 2_000));
const URL = "https://example.com/a_b*c?d=[e]&f=%3Cg%3E#(h)";

function mark(quote: string, note = "", title = "A title"): ListedMark {
  const at = new Date("2026-11-21T06:40:00Z");
  return {
    ...{
      id: 1,
      bookmarkId: 7,
      quote,
      prefix: "",
      suffix: "",
      position: null,
      note,
      version: 1,
      createdBy: null,
    },
    ...{ createdAt: at, updatedAt: at, bookmark: { id: 7, title, url: URL } },
  };
}

async function fileOf(...marks: ListedMark[]): Promise<string> {
  const links = async function* () {
    yield marks;
  };
  return (await Array.fromAsync(marksAsMarkdown(links()))).join("");
}

test("A link is a heading with its address; below it are quotations, their notes and the days", async () => {
  const marks = [
    mark("One sentence.\nAnother\r\n\n paragraph. ", "A note,\nin two lines.\n\nAnd more."),
    mark("Two"),
  ];
  expect(await fileOf(...marks)).toBe(`# Marks

## A title

<${URL}>

> One sentence.\\
> Another
>
> paragraph.

A note,\\
in two lines.

And more.

2026-11-21

> Two

2026-11-21
`);
});

test("A link without a title has its address, from right to left nothing is lost, and without marks there is a heading", async () => {
  expect(await fileOf(mark("الكلمات ‏العربية", "ملاحظة", "عنوان"))).toContain(
    `## عنوان\n\n<${URL}>\n\n> الكلمات ‏العربية\n\nملاحظة\n`,
  );
  expect(await fileOf(mark("a", "", "\u200b"))).toContain("## https:/\\/example.com/a\\_b");
  expect(await fileOf()).toBe("# Marks\n");
});

/** What means something in Markdown, in its extensions, or in HTML. */
const TEXTS = [
  ...[
    "# a",
    "a #",
    "## a ##",
    "> a",
    "- a",
    "+ a",
    "* a",
    "1. a",
    "12) a",
    "- [ ] a",
    "    a",
    "\ta",
    "a  ",
    "a\\",
  ],
  ...["---", "***", "___", "===", "```", "~~~", "`a`", "*a*", "_a_", "**a**", "~~a~~", "==a==", "~a~", "^a^"],
  ...[
    "<b>a</b>",
    "<script>a</script>",
    "<!-- a",
    "-->",
    "&amp;",
    "&#38;",
    "&lt;b&gt;",
    "<https://a.example>",
  ],
  ...[
    "[a](b)",
    "![a](b)",
    "[a]: /b",
    "[^1]",
    "[^1]: a",
    "^[a]",
    "[[a]]",
    "|a|b|",
    "|-|-|",
    "a | b",
    "$a$",
    "$$a$$",
  ],
  ...[
    "https://a.example/b_c",
    "HTTP://a.example",
    "www.a.example",
    "WWW.a.example",
    "a@b.example",
    "ftp://a.example",
  ],
  ...[
    "mailto:a@b.example",
    "a\\",
    "\\",
    "\\\\",
    "\\*a\\*",
    ": a",
    "term\n: a",
    "a\n===",
    "a\n---",
    "\u2028# a",
    "\v- a",
  ],
  ...[
    "\r# a",
    "a\n\n    b",
    "a\n- b",
    "{.a}",
    "{{ a }}",
    "{% a %}",
    ":a:",
    "a",
    "b c",
    " ",
    "\n",
    "  ",
    "1",
    "é",
    "字",
  ],
];

const texts = fc.oneof(
  fc
    .array(fc.constantFrom(...TEXTS), { maxLength: 8 })
    .chain((parts) => fc.constantFrom("", " ", "\n").map((separator) => parts.join(separator))),
  fc.string({ unit: "grapheme-ascii", maxLength: 40 }),
);

const markdown = new MarkdownIt({ html: true, linkify: true }).use(footnotes);
const everything = {
  ...{
    tables: true,
    strikethrough: true,
    tasklists: true,
    autolinks: true,
    wikiLinks: true,
    latexMath: true,
  },
  underline: true,
};
const renderers = {
  "markdown-it": (text: string) => markdown.render(text),
  Bun: (text: string) => Bun.markdown.html(text, everything),
};

/** The words of a text, without white space. */
const wordsOf = (text: string) => text.replace(/\s+/g, "");
const asHtml = (text: string) =>
  wordsOf(Bun.escapeHTML(text)).replaceAll("&#x27;", "'").replaceAll("&#39;", "'");

test(`Nothing in a quote, a note or a title becomes anything else than its text (${numRuns} texts)`, async () => {
  const property = fc.asyncProperty(texts, texts, texts, async (quote, note, title) => {
    const file = await fileOf(mark(quote, note, `a${title}`));
    for (const render of Object.values(renderers)) {
      const html = render(file).replaceAll("&#x27;", "'").replaceAll("&#39;", "'");
      const [, heading = "", quoted = "", rest = ""] =
        /^<h1>Marks<\/h1>\n<h2>(.*?)<\/h2>\n<p><a href="[^"]+">[^<]+<\/a><\/p>\n(?:<blockquote>\n(.*?)<\/blockquote>\n)?(.*)<p>2026-11-21<\/p>\n$/s.exec(
          html,
        ) ?? [];
      const shown = (part: string) => wordsOf(part.replaceAll(/<\/?p>|<br ?\/?>/g, ""));
      expect({ file, heading: shown(heading), quoted: shown(quoted), note: shown(rest) }).toEqual({
        ...{ file, heading: asHtml(`a${title}`), quoted: asHtml(quote), note: asHtml(note) },
      });
    }
  });
  await fc.assert(property, { numRuns, seed: testSeed });
});
