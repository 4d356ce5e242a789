import { describe, expect, test } from "bun:test";
import { parse } from "yaml";
import type { ArchivedPost } from "./archived-posts.ts";
import { markdownCopy } from "./markdown-copy.ts";

/** Every member of a publication, each with a value that nothing else has; the copy says its kind by its path. */
const PUBLICATION: Required<Omit<NonNullable<ArchivedPost["publication"]>, "kind">> = {
  link: "https://link.example/",
  slug: "its-slug",
  summary: "Its summary.",
  tags: ["its-tag"],
  publish_at: "2031-05-01T09:00:00.000Z",
  language: "nl",
  image: "/media/image.png",
  canonical_url: "https://canonical.example/",
};

test("the Markdown copy of a post has every member of its publication", () => {
  const copy = markdownCopy({
    ...{ id: 7, title: "Title", content: "Text.", published: false, version: 1 },
    ...{ created_at: "2026-11-28T12:00:00.000Z", updated_at: "2026-11-28T12:00:00.000Z", published_at: null },
    created_by: null,
    publication: { kind: "link", ...PUBLICATION },
    ...{ former_slugs: ["old-slug"], redirects: ["/2020/old.html"], properties: { mood: ["calm"] } },
  });
  const values = [...Object.values(PUBLICATION).flat(), "/posts/old-slug", "/2020/old.html", 'mood: "calm"'];
  for (const value of values) expect(copy).toContain(String(value));
});

/** Texts that a YAML 1.1 or 1.2, a generator, or a reader of lines takes for something else. */
const AMBIGUOUS = [
  ..."y n yes no on off true false null ~ Yes NO On TRUE Null .inf -.INF .nan = << - ? | > 1 -1 +1 0 007 0o17 0x1F 0b1".split(
    " ",
  ),
  ...[
    "1_000",
    "1.5",
    "1e3",
    "1.",
    ".5",
    "12:30",
    "190:20:30",
    "2024-01-01",
    "2024-01-01T10:00:00Z",
    "2001-12-14 21:59:43",
  ],
  ...[
    " leading",
    "trailing ",
    "",
    " ",
    "# note",
    "a # b",
    "a: b",
    "a:",
    ": a",
    "- a",
    "? a",
    "! a",
    "!!str a",
    "& a",
    "*a",
  ],
  ...[
    "@a",
    "`a`",
    "%a",
    "[a]",
    "{a}",
    "a, b",
    "'a'",
    '"a"',
    "\\",
    "\\n",
    "---",
    "...",
    "+++",
    "a\nb",
    "a\r\nb",
    "a\tb",
    "\n",
  ],
  ...[
    "a\u2028b",
    "a\u2029b",
    "a\u0085b",
    "\ufeffa",
    "a\u0007b",
    "a\u007fb",
    "a\ufffeb",
    "🦊",
    "\u00a0",
    "é",
    "日本語",
  ],
];

describe("Both versions of YAML read from the Markdown copy of a post", () => {
  const copyOf = (text: string) =>
    markdownCopy({
      ...{ id: 7, title: text, content: "Text.", published: true, version: 1, created_by: null },
      ...{
        created_at: "2026-11-28T12:00:00.000Z",
        updated_at: "2026-11-28T12:00:00.000Z",
        published_at: null,
      },
      publication: {
        kind: "post",
        ...PUBLICATION,
        slug: text,
        summary: text,
        tags: [text, "a"],
        language: text,
      },
      ...{ former_slugs: [], redirects: [text], properties: { [text || "none"]: [{ [text]: text }] } },
    });

  test.each(AMBIGUOUS)("%j as a text, wherever it stands", (text) => {
    const [, front = ""] = /^---\n([\s\S]*?)\n---\n\nText\.\n$/.exec(copyOf(text)) ?? [];
    expect(front).not.toMatch(/[\u2028\u2029\u0085\ufeff]/);
    for (const version of ["1.1", "1.2"] as const) {
      const read = parse(front, { version, prettyErrors: false });
      expect(read).toMatchObject({
        ...{ title: text, tags: [text, "a"], [text || "none"]: { [text]: text } },
        ...(text !== "" && { slug: text, description: text, lang: text }),
      });
      expect(read.aliases).toEqual([text]);
    }
  });

  test("dates as dates", () => {
    expect(copyOf("x")).toContain("\ndate: 2031-05-01T09:00:00.000Z\nlastmod: 2026-11-28T12:00:00.000Z\n");
  });
});
