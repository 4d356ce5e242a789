/** What programs write in several ways means the same in each of them. */
import { describe, expect, test } from "bun:test";
import { withNewPaths } from "../../../src/readers/pictures/linked-pictures.ts";
import { wixPicture } from "../../../src/readers/tables/wix-content.ts";
import { type Files, importedFiles } from "../../support/files/imported-site.ts";

const post = (title: string, text: string, more = "") =>
  `---\ntitle: ${title}\ndate: 2020-01-02\n${more}---\n${text}`;

/** What readers of the site see of it, and whether anything hides posts. */
async function seen(files: Files) {
  const { posts, report } = await importedFiles(files);
  const shown = Object.values(posts).map(({ title, published, content }) => [title, published, content]);
  return { shown, visibility: report.visibility };
}

const POSTS = {
  "content/posts/a.md": post("A", "One."),
  "content/posts/old/b.md": post("B", "Two."),
  "content/posts/c.md": post("C", "Three."),
};
const hugo = (settings: string): Files => ({
  "hugo.toml": `baseURL = "https://x.example/"\n${settings}`,
  ...POSTS,
});
const mkdocs = (settings: string): Files => ({ "mkdocs.yml": `site_name: X\n${settings}`, ...POSTS });
const section = (front: string): Files => ({ ...hugo(""), "content/posts/_index.md": `---\n${front}---\n` });
const linked = (link: string): Files => ({
  "one.md": post("One", link),
  "deep/two.md": post("The second", "Here."),
});

test.each<[what: string, hidden: number, spellings: readonly Files[]]>([
  [
    "ignored files of Hugo, as a list and as one pattern",
    2,
    [hugo("ignoreFiles = ['a\\.md$', 'b\\.md$']\n"), hugo("ignoreFiles = '(a|b)\\.md$'\n")],
  ],
  [
    "files that MkDocs leaves out, with an empty line between them or none",
    2,
    [
      mkdocs("exclude_docs: |\n  a.md\n\n  b.md\nnav: []\n"),
      mkdocs("exclude_docs: |\n  a.md\n  b.md\nnav: []\n"),
    ],
  ],
  [
    "a cascade of Hugo for every page, and for pages by name",
    3,
    [
      section("cascade:\n  draft: true\n"),
      section("cascade:\n  - draft: true\n    _target:\n      kind: page\n"),
      section("cascade:\n  draft: true\n  _target:\n    kind: '{page,section}'\n"),
    ],
  ],
  [
    "a cascade of Hugo for lists alone, and none",
    0,
    [
      section(""),
      section("cascade:\n  draft: true\n  _target:\n    kind: section\n"),
      section("cascade:\n  - draft: true\n    target:\n      kind: '{home,section,taxonomy}'\n"),
    ],
  ],
])("%s", async (_, hidden, spellings) => {
  const [first, ...others] = await Promise.all(spellings.map(seen));
  expect(first?.shown.filter(([, published]) => published === false)).toHaveLength(hidden);
  for (const other of others) expect(other).toEqual(first as typeof other);
});

test.each([
  "[[deep/two]]",
  "[[/deep/two]]",
  "[[two]]",
  "[[deep/two.md]]",
  "[[deep/The second]]",
  "[[/deep/The second]]",
])("a note is found as %s", async (link) => {
  const { posts } = await importedFiles(linked(link));
  expect(posts.One?.content).toMatch(/^\[[^\]]+\]\(\/posts\/[\w-]+\)$/);
});

describe("A picture", () => {
  const picture = (attributes: string) => `<img src="https://old.example/a.jpg" ${attributes} alt="">`;

  test.each([
    'srcset="https://old.example/b.jpg 2x"',
    "srcset='https://old.example/b.jpg 2x'",
    "SRCSET = 'https://old.example/b.jpg 2x' sizes='50vw'",
  ])("with other sizes keeps none of the old site: %s", async (attributes) => {
    const changed = await withNewPaths(picture(attributes), () => "/media/a.jpg");
    expect(changed).toContain('src="/media/a.jpg"');
    expect(changed).not.toContain("old.example");
  });

  test.each([
    ["https://a.example/c.png", "https://a.example/c.png"],
    ["http://a.example/c.png", "http://a.example/c.png"],
    ["c_2~mv2.png", "https://static.wixstatic.com/media/c_2~mv2.png"],
    ["wix:image://v1/c_2~mv2.png/c.png#originWidth=1", "https://static.wixstatic.com/media/c_2~mv2.png"],
  ])("of Wix has an address: %s", (name, address) => {
    expect(wixPicture(name)).toBe(address);
  });
});
