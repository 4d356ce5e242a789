import { describe, expect, test } from "bun:test";
import { previewImport } from "../../../transfer/import/import-bookmarks.ts";
import { stageImport } from "../../../transfer/stage-bookmarks.ts";
import { fileOf } from "../../files/file-bytes.ts";
import { BEGINNING, recognize } from "../recognize.ts";
import { recognizeLinkList } from "./link-list.ts";

const NOTHING = Object.assign(() => [], { engine: "sqlite" as const, slot: 0 });

/** The bookmarks of a file, and what a dry run says of it. */
async function read(text: string) {
  const options = { now: new Date("2026-11-22T10:00:00Z"), tags: true };
  using staged = await stageImport("links", fileOf(Buffer.from(text)), options);
  const bookmarks = [...staged.rows.rows()].flatMap(({ staged: row }) => {
    if (!("bookmark" in row)) return [];
    const { url, title, description } = row.bookmark;
    return [[url, title, description]];
  });
  const { format, refusals } = await previewImport(NOTHING, staged, "skip");
  return { format, bookmarks, refused: [...refusals].map(({ line, title }) => [line, title]) };
}

describe("A file of links alone is read as bookmarks", () => {
  test("in Markdown, as buku writes it", async () => {
    const text = `- [buku](https://github.com/jarun/buku) <!-- TAGS: bookmark manager,cli -->
- <https://example.com/untitled>
- [A [nested] (title)](https://en.wikipedia.org/wiki/C_(language)) <!-- TAGS: c -->\r
- [Plain](http://example.com/plain)
`;
    expect(await read(text)).toEqual({
      format: "markdown-links",
      bookmarks: [
        ["https://github.com/jarun/buku", "buku", "#bookmark-manager #cli"],
        ["https://example.com/untitled", "", ""],
        ["https://en.wikipedia.org/wiki/C_(language)", "A [nested] (title)", "#c"],
        ["http://example.com/plain", "Plain", ""],
      ],
      refused: [],
    });
  });

  test("with headings as folders, and what stands behind a link as its description", async () => {
    const text = `# Tools

* [One](https://one.example/) - the first one
1. [ ] [Two](https://two.example/)

## Dev

- [x] [Three](https://three.example/): see [this](https://x.example/)

# Rest
[Four](https://four.example/)`;
    expect((await read(text)).bookmarks).toEqual([
      ["https://one.example/", "One", "the first one\n#Tools"],
      ["https://two.example/", "Two", "#Tools"],
      ["https://three.example/", "Three", "see [this](https://x.example/)\n#Tools/Dev"],
      ["https://four.example/", "Four", "#Rest"],
    ]);
  });

  test("in Org, as buku writes it", async () => {
    const text = `* [[https://github.com/jarun/buku][buku]] :bookmark_manager:cli:
* Dev
** [[https://example.com/untitled]]
`;
    expect(await read(text)).toEqual({
      format: "org-links",
      bookmarks: [
        ["https://github.com/jarun/buku", "buku", "#bookmark_manager #cli"],
        ["https://example.com/untitled", "", "#Dev"],
      ],
      refused: [],
    });
  });
});

test("A line that is no link, after what is looked at to recognize the list, is refused with its text", async () => {
  const many = "- [a](https://a.example/)\n".repeat(BEGINNING / 26 + 1);
  const lines = many.split("\n").length;
  const { bookmarks, refused } = await read(`${many}A thought of mine.\n`);
  expect([bookmarks.length > 0, refused]).toEqual([true, [[lines, "A thought of mine."]]]);
});

test.each([
  ["a text with links", "- [a](https://a.example/)\n\nAnd more.\n"],
  ["headings alone", "# One\n## Two\n"],
  ["a task list", "- [ ] Buy milk\n"],
  ["front matter", "---\ntitle: A\n---\n- [a](https://a.example/)\n"],
  ["an unclosed link", "- [a](https://a.example/\n"],
  ["JSON", '[{"href": "https://a.example/"}]'],
  ["nothing", "\n"],
])("%s is no list of links", (_, text) => {
  expect(recognizeLinkList(text, BEGINNING)).toBeUndefined();
  const found = recognize(text);
  expect(found && "name" in found ? found.name : undefined).not.toBe("markdown-links");
});
