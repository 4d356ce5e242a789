import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { importedFrom } from "../../support/files/imported-site.ts";
import { zipOf } from "../../support/files/zip.ts";

const FOLDER = join(import.meta.dir, "../../data/hidden-posts");

async function imported(name: string) {
  if (/\.\w+$/.test(name)) return importedFrom(readFileSync(join(FOLDER, name)), name);
  const paths = readdirSync(join(FOLDER, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return importedFrom(
    await zipOf(paths.map((path) => [path.slice(FOLDER.length + 1), readFileSync(path)] as const)),
  );
}

const DRAFT = { public: 0, draft: 1, scheduled: 0 };
const PUBLIC = { public: 1, draft: 0, scheduled: 0 };

test.each<[file: string, visibility: object, notes: readonly RegExp[]]>([
  ["wp-hidden-block.xml", PUBLIC, [/blockVisibility: false/]],
  ["wp-paid-post.xml", DRAFT, [/_jetpack_newsletter_access: paid_subscribers/]],
  ["ghost-gated-html.json", PUBLIC, [/kg-gated-block/]],
  ["ghost-email-card.json", DRAFT, [/has no text/, /email, which is in emails alone/]],
  ["md-draft-yes.md", DRAFT, []],
  ["md-draft-string.md", DRAFT, []],
  ["md-published-no.md", DRAFT, []],
  ["md-status-private.md", DRAFT, [/“status: private”/]],
  ["md-visibility-private.md", DRAFT, [/“visibility: private”/]],
  ["md-password.md", DRAFT, [/had a password/]],
  ["md-publish-date-later.md", { public: 0, draft: 0, scheduled: 1 }, []],
  ["hugo-cascade", DRAFT, [/“draft: true” in hugo-cascade\/content\/secret\/_index\.md/]],
  ["md-date-1943.md", DRAFT, [/before 1970.*“date: 1943-05-01”/]],
  ["md-date-slashes.md", PUBLIC, []],
  ["ghost-call-to-action.json", PUBLIC, []],
])("%s", async (name, visibility, notes) => {
  const { posts, report } = await imported(name);
  expect(report.visibility).toEqual(visibility as typeof report.visibility);
  const told = report.notes.filter(({ code }) => code === "not_public").map(({ detail }) => detail);
  expect(told).toEqual(notes.map((note) => expect.stringMatching(note)));
  const published = Object.values(posts).filter((post) => post.published);
  expect(JSON.stringify(published).toLowerCase()).not.toContain("veiled");
});

test("What is open in a text with hidden parts stays", async () => {
  expect(JSON.stringify((await imported("wp-hidden-block.xml")).posts)).toContain("Open words.");
  const ghost = JSON.stringify((await imported("ghost-gated-html.json")).posts);
  expect(ghost).toContain("Open words.");
  expect(ghost).toContain("More open words.");
});

test("Dates are in the zones that they name, and scheduled for their time", async () => {
  const { posts, report } = await imported("rss-zone-names.xml");
  const dates = Object.entries(posts).map(([title, { published_at }]) => [title, published_at]);
  expect(Object.fromEntries(dates)).toEqual({
    EDT: "2025-04-21T10:00:00.000Z",
    GMT: "2025-04-21T06:00:00.000Z",
    CET: "2022-02-11T18:58:02.000Z",
  });
  expect(report.notes.filter(({ code }) => code.startsWith("date_"))).toEqual([]);
  expect((await imported("md-date-slashes.md")).posts.Hexo?.published_at).toBe("2013-07-13T20:46:25.000Z");
  expect((await imported("md-publish-date-later.md")).posts["publish-date-later"]).toMatchObject({
    publication: { publish_at: "2031-01-01T09:00:00.000Z" },
  });
});

test("A card that calls for something comes in with its text and its link, and nothing says otherwise", async () => {
  const { posts, report } = await imported("ghost-call-to-action.json");
  const [post] = Object.values(posts);
  expect(post?.content).toContain("Join the choir.");
  expect(post?.content).toContain('<a href="https://ex.example/join">Join</a>');
  expect(report.notes).toEqual([]);
});
