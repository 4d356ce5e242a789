import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { createGzip, gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { messageOf } from "../../../src/errors.ts";
import { refuseBomb } from "../../../src/readers/files/file-tree.ts";
import { hugoPath } from "../../../src/readers/markdown/hugo-permalinks.ts";
import { postFileOf } from "../../../src/readers/markdown/post-files.ts";
import { stageFolder, stageSite } from "../../../src/transfer/stage-site.ts";
import { makeImage } from "../../support/files/images.ts";
import { type Files, importedFiles, importedFrom } from "../../support/files/imported-site.ts";
import { inMemory, zipOf } from "../../support/files/zip.ts";
import { run, temporaryFolder } from "../../support/server/server.ts";

async function tarOf(files: Files, links: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  const tar = pack();
  for (const [name, bytes] of Object.entries(files)) tar.entry({ name }, Buffer.from(bytes));
  for (const [name, linkname] of Object.entries(links)) tar.entry({ name, type: "symlink", linkname });
  tar.finalize();
  return Buffer.concat(await Array.fromAsync(Readable.from(tar).pipe(createGzip())));
}

describe("A blog of Hugo", () => {
  test("is imported with TOML, bundles, aliases, pictures and shortcodes", async () => {
    const picture = await makeImage("jpeg");
    const { posts, images, report } = await importedFiles({
      "blog-main/hugo.toml": 'baseURL = "https://example.org/"\n',
      "blog-main/README.md": "About the repository.",
      "blog-main/content/_index.md": "+++\ntitle = 'Home'\n+++\n",
      "blog-main/content/posts/first-light/index.md": `+++
title = 'First light'
date = 2019-05-01T10:00:00+02:00
lastmod = 2019-06-01
tags = ['Dev', 'C#']
categories = ['Notes']
aliases = ['/old/first/', '2018/first.html']
description = 'The "first" one.'
weight = 5
[cover]
image = 'sun.jpg'
+++

Hello ![sun](sun.jpg "At dawn") and {{< youtube abc >}}.

{{< figure src="sun.jpg" caption="Again" >}}

\`\`\`
{{< code >}} ![no](sun.jpg)
\`\`\`
`,
      "blog-main/content/posts/first-light/sun.jpg": picture,
      "blog-main/content/posts/later.md": "+++\ntitle = 'Later'\ndate = 2199-01-01\n+++\nSoon.",
      "blog-main/content/posts/broken.md": "+++\ntitle = \n+++\n",
      "blog-main/content/about.de.md": "---\ntitle: Über uns\ntype: page\ndate: 2020-02-03\n---\nWir.",
    });
    expect(images).toHaveLength(1);
    expect(posts["First light"]).toMatchObject({
      published: true,
      created_at: "2019-05-01T08:00:00.000Z",
      updated_at: "2019-06-01T00:00:00.000Z",
      published_at: "2019-05-01T08:00:00.000Z",
      publication: {
        ...{ kind: "post", slug: "first-light", tags: ["Dev", "C#", "Notes"], image: images[0] },
        summary: 'The "first" one.',
      },
      redirects: ["/2018/first.html", "/old/first"],
      properties: { weight: [5] },
      content: `Hello ![sun](${images[0]} "At dawn") and {{< youtube abc >}}.

![Again](${images[0]} "Again")

\`\`\`
{{< code >}} ![no](sun.jpg)
\`\`\`
`.replace("![no](sun.jpg)", `![no](${images[0]})`),
    });
    expect(posts.Later).toMatchObject({
      published: false,
      publication: { publish_at: "2199-01-01T00:00:00.000Z" },
    });
    expect(posts["Über uns"]).toMatchObject({ publication: { kind: "page", slug: "about", language: "de" } });
    const outcomes = report.rows.map(({ file, line, outcome, reason }) => [file, line, outcome, reason]);
    expect(outcomes).toContainEqual(["blog-main/content/posts/broken.md", 2, "refused", "front_matter"]);
    expect(outcomes).toContainEqual(["blog-main/content/_index.md", 1, "skipped", "list_page"]);
    expect(outcomes).toContainEqual(["blog-main/README.md", 1, "skipped", "no_front_matter"]);
    expect(report.notes.map(({ code, detail }) => [code, detail.slice(0, 40)])).toEqual([
      ["member_kept", "“weight” is not supported; it is stored "],
      ["shortcode", "The shortcode or tag “youtube” stays vis"],
    ]);
  });
});

test("A blog of Hugo redirects from the paths of its permalinks, with the day in the post's own time zone", async () => {
  const { posts, report } = await importedFiles({
    "hugo.toml":
      "[permalinks.page]\nposts = '/articles/:year/:month/:day/:slug/'\n[permalinks.section]\nposts = '/x/'",
    "config/_default/permalinks.yaml": "notes: /:sections[1:]/:slugorcontentbasename.html\n",
    "config.json": "{",
    "content/posts/first.md": "+++\ntitle = 'Über C#: one'\ndate = 2019-05-01T00:30:00+02:00\n+++\nx",
    "content/notes/dev/2020-01-02-two.md": "---\ntitle: Two\ndate: 2020-01-02\naliases: [/was/two]\n---\nx",
    "content/notes/dev/three.md": "---\ntitle: Three\ndate: 2020-01-02\nurl: /own/\n---\nx",
    "content/other/four.md": "---\ntitle: Four\ndate: 2020-01-02\n---\nx",
  });
  const redirects = Object.fromEntries(Object.entries(posts).map(([title, post]) => [title, post.redirects]));
  expect(redirects).toEqual({
    "Über C#: one": ["/articles/2019/05/01/über-c-one"],
    Two: ["/dev/2020-01-02-two.html", "/was/two"],
    Three: ["/own"],
    Four: ["/other/four"],
  });
  expect(report.notes.map(({ file, code }) => [file, code])).toEqual([
    ["config.json", "settings_unreadable"],
  ]);
});

test.each([
  [":monthname/:weekdayname-:weekday/:yearday/:title", "/may/wednesday-3/121/the-title"],
  ["/:section/:filename", "/a/name"],
  [":sections/:slugorfilename", "/a/b/c/own-slug"],
  [":sections[last]-:sections[:last]-:sections[0]", "/c-a/b-a"],
  [":2006/:title", undefined],
])("Hugo's pattern %s", (pattern, path) => {
  const file = postFileOf("content/a/b/c/name.de.md", false);
  const post = { file, title: "The  title!", slug: "Own slug", day: "2019-05-01" };
  expect(hugoPath(new Map([["a", pattern]]), post)).toBe(path);
});

test("Jekyll's configuration is read up to 64 KiB; what a larger one says of who sees a post is not known", async () => {
  const { posts, report } = await importedFiles({
    "_config.yml": `permalink: /own/:title\n${"#".repeat(64 * 1024)}\n`,
    "_posts/2019-05-01-one.md": "---\ntitle: One\n---\nx",
  });
  expect(posts.One).toMatchObject({ published: false, redirects: [] });
  expect(report.notes.map(({ file, code }) => [file, code])).toEqual([
    ["_config.yml", "settings_unreadable"],
    ["_posts/2019-05-01-one.md", "not_public"],
  ]);
});

test("A blog of Jekyll is imported with dates from file names, drafts, permalinks and Liquid", async () => {
  const { posts, report } = await importedFiles({
    "_config.yml": "permalink: /:categories/:year/:title:output_ext\n",
    "_posts/2019-05-01-Hello_World.markdown": `---
layout: post
title:  "Hello: World"
categories: dev notes
tags: [a b]
permalink: /blog/hello.html
---
{% highlight ruby %}
puts 1
{% endhighlight %}
See [it]({{ site.baseurl }}/about) and {% include x.html %}.
`,
    "_posts/2019-05-02-plain.md":
      "---\ntags: web dev, css\nredirect_from:\n  - /p\n---\n# A heading\n\nText.\n",
    "_drafts/idea.md": "---\ntitle: Idea\n---\n",
    "about.md": "---\nlayout: page\ntitle: About\npublished: true\n---\nUs.",
    "_layouts/post.html": "---\nlayout: default\n---\n",
    "index.html": "<html></html>",
    "_posts/2019-05-03-bomb.md": `---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n---\n`,
  });
  expect(posts["Hello: World"]).toMatchObject({
    created_at: "2019-05-01T00:00:00.000Z",
    publication: { kind: "post", slug: "hello", tags: ["a-b", "dev", "notes"] },
    redirects: ["/blog/hello.html"],
    content: "```ruby\nputs 1\n```\nSee [it](/about) and {% include x.html %}.\n",
  });
  expect(posts["A heading"]).toMatchObject({
    content: "Text.\n",
    publication: { slug: "plain", tags: ["web-dev", "css"] },
    redirects: ["/p"],
  });
  expect(posts.Idea).toMatchObject({ published: false, publication: { kind: "post", slug: "idea" } });
  expect(posts.About).toMatchObject({ published: true, publication: { kind: "page", slug: "about" } });
  expect(report.rows.filter(({ outcome }) => outcome === "refused")).toMatchObject([
    { file: "_posts/2019-05-03-bomb.md", reason: "front_matter" },
  ]);
  expect(report.notes.filter(({ code }) => code === "date_missing")).toMatchObject([
    { file: "_drafts/idea.md", detail: "Without a date: 2 posts. The import time is used instead." },
  ]);
});

test("Blogs of Astro and Eleventy are imported from a tar archive, without its symbolic links", async () => {
  const { posts, report } = await importedFrom(
    await tarOf(
      {
        "./src/content/blog/first-post.md": `---
title: 'First post'
description: 'Lorem'
pubDate: 'Jul 08 2022'
heroImage: '../../assets/hero.webp'
---
<img alt="x" src="../../assets/hero.webp">`,
        "./src/assets/hero.webp": await makeImage("webp"),
        "./posts/secondpost.md":
          "---\ntitle: Second\ndate: 2018-07-04\ntags: [posts, number 2]\n---\n![gone](./gone.png)",
      },
      { "./posts/link.md": "/etc/passwd" },
    ),
  );
  const image = posts["First post"]?.publication?.image;
  expect(image).toMatch(/^\/media\/\w{40}\.webp$/);
  expect(posts["First post"]).toMatchObject({
    created_at: "2022-07-08T00:00:00.000Z",
    content: `<img alt="x" src="${image}">`,
    redirects: ["/blog/first-post"],
  });
  expect(posts.Second).toMatchObject({ publication: { tags: ["number-2"] }, redirects: [] });
  expect(report.rows.find(({ outcome }) => outcome === "skipped")).toMatchObject({
    file: "posts/link.md",
    reason: "link",
  });
  expect(report.notes.map(({ code }) => code)).toEqual(["picture_missing"]);
});

test("What a generator does not show becomes a draft, and what it has made is left out", async () => {
  const { posts, report } = await importedFiles({
    "blog/hugo.toml": 'title = "B"\n',
    "blog/content/about.md": "---\ntitle: About\n---\nMe",
    "blog/content/posts/shown.md":
      "---\ntitle: Shown\ndate: 2020-01-01\nexpiryDate: 9000-01-01\nbuild:\n  list: always\n---\nHi",
    "blog/content/posts/unlisted.md":
      "---\ntitle: Unlisted\ndate: 2020-01-01\nbuild:\n  list: never\n---\nHi",
    "blog/content/posts/expired.md": "---\ntitle: Expired\ndate: 2020-01-01\nexpiryDate: 2020-06-01\n---\nHi",
    "blog/content/posts/headless/index.md": "---\ntitle: Headless\ndate: 2020-01-01\nheadless: true\n---\nHi",
    "blog/content/posts/built.md":
      "---\ntitle: Never built\ndate: 2020-01-01\n_build:\n  render: never\n---\nHi",
    "blog/content/posts/nowhere.md": "---\ntitle: Nowhere\ndate: 2020-01-01\npermalink: false\n---\nHi",
    "blog/public/index.md": "# A copy",
    "blog/public/posts/shown/index.html": "<p>Hi</p>",
  });
  const published = Object.entries(posts).map(([title, post]) => [title, post.published]);
  expect(Object.fromEntries(published)).toEqual({
    ...{ About: true, Shown: true, Unlisted: false },
    ...{ Expired: false, Headless: false, "Never built": false, Nowhere: false },
  });
  expect(posts.About?.publication?.kind).toBe("page");
  const hidden = report.notes.filter(({ code }) => code === "not_public").map(({ detail }) => detail);
  expect(hidden.toSorted()).toEqual([
    "“Expired” was not shown to everybody (“expiryDate: 2020-06-01”): it becomes a draft.",
    "“Headless” was not shown to everybody (“headless: true”): it becomes a draft.",
    '“Never built” was not shown to everybody (“_build: {"render":"never"}”): it becomes a draft.',
    "“Nowhere” was not shown to everybody (“permalink: false”): it becomes a draft.",
    '“Unlisted” was not shown to everybody (“build: {"list":"never"}”): it becomes a draft.',
  ]);
  expect(report.skipped).toBe(0);
});

test("Notes of Obsidian are imported with the pictures that they name, and their links are listed", async () => {
  const { posts, images, report } = await importedFiles({
    ".obsidian/app.json": "{}",
    "Home.md":
      "![[My sun (1).png|300]] ![[sea.png|The sea]] ![[gone.png]] [[Other|a note]] %%hidden%%\n\n`![[sea.png]]` [[1]](x)",
    "Daily/2021-03-04.md": "A day",
    "Folder/Private.md": "---\npublish: false\n---\nMine",
    "Files/My sun (1).png": await makeImage("png"),
    "Files/sea.png": await makeImage("png", { width: 30 }),
    ".trash/Old.md": "Old",
  });
  expect(Object.keys(posts).toSorted()).toEqual(["2021-03-04", "Home", "Private"]);
  expect(posts["2021-03-04"]).toMatchObject({
    created_at: "2021-03-04T00:00:00.000Z",
    publication: { slug: "2021-03-04" },
  });
  expect(posts.Private?.published).toBe(false);
  expect(images).toHaveLength(2);
  expect(posts.Home?.content).toMatch(
    /^!\[\]\(\/media\/\w{40}\.png\) !\[The sea\]\(\/media\/\w{40}\.png\) !\[\[gone\.png\]\] \[\[Other\|a note\]\] \n\n`!\[\[sea\.png\]\]` \[\[1\]\]\(x\)$/,
  );
  const kept = report.notes.filter(({ code }) => code === "shortcode").map(({ detail }) => detail);
  expect(kept).toEqual(["The shortcode or tag “[[…]]” stays visible as it is in 1 post."]);
  expect(report.notes.map(({ detail }) => detail)).toContain(
    "Left out, since no visitor saw it: comments (“%%…%%”) of 1 post.",
  );
});

const NOTE =
  "---\ntitle: A\ntags: [x]\ncreated: 2020-01-01\nsource: https://a.example/\npublished: 2019-01-01\n---\nMine";
const POST = "---\ntitle: A\ndate: 2020-01-01\n---\nHi";

/** A file for each of these lines of front matter. */
function postsWith(lines: readonly string[]): Files {
  return Object.fromEntries(
    lines.map((line, index) => [`${index}.md`, POST.replace("\n---\n", `\n${line}\n---\n`)] as const),
  );
}

/** What programs call whatever keeps a post from some people, or from all. */
const HIDING_MEMBERS = [
  ...[
    "visible: false",
    "listed: no",
    "routable: false",
    "show: false",
    "live: false",
    "enabled: 0",
    "wip: yes",
  ],
  ...[
    "hide: true",
    "hideInList: true",
    "hiddenFromHomePage: true",
    "hidden_in_home_list: yes",
    "unpublished: 1",
  ],
  ...["no_publish: true", "trashed: true", "deleted: 2024-01-01", "exclude: true", "passwd: x"],
  ...[
    "access: members",
    "access:\n  site.login: true",
    "access_level: 2",
    "audience: only_paid",
    "private_post: 1",
  ],
  ...[
    "members_only: true",
    "membersOnly: yes",
    "for_subscribers: true",
    "premium: true",
    "paid: 1",
    "paywall: on",
  ],
  ...["protected: true", "encrypt: true", "restricted_to: staff", "required_roles: [editor]", "secret: true"],
  ...["embargo: never", "scheduled: true", "expires_on: 2019-01-01", "visible_until: 2019-01-01"],
  ...["staff_only: true", "logged_in_only: true", "sponsors_only: yes", "for_clients: true"],
  ...["students-only: 1", "vip_access: true", "internal: true", "isInternal: yes", "confidential: true"],
  ...["membership: gold", "membership: 2", "tier: premium", "tiers: [free, gold]"],
  ...["audience: friends", "audience: customers", "audience: [staff, clients]", "audience: logged-in"],
  ...["post:\n  draft: true", "meta:\n  private: true", "dra\u200bft: true"],
];
/** What looks like it, and says nothing of who sees the post, or that everybody does. */
const OTHER_MEMBERS = [
  ...[
    "visible: true",
    "live: https://demo.example/",
    "show: toc",
    "hide-toc: true",
    "hiddenFromSearch: true",
  ],
  ...[
    "access: public",
    "accessed: 2020-01-01",
    "audience: beginners",
    "members: [ann, bob]",
    "team_members: [ann]",
  ],
  ...["membership: none", "membership: free", "membership: public", "tier: free", "tiers: []"],
  ...["internal: false", "clients: [ann, bob]", "students: 30", "internal_links: 3", "audience: authors"],
  ...["premium: false", "paid: no", "protected: none", "scheduled: false", "embargo: 2019-01-01"],
  ...["expires_on: 9000-01-01", 'password: ""', "cover:\n  hidden: true", "release_date: 2018-01-01"],
];
/** Paths of posts that not everybody saw. */
const HIDING_PATHS = [
  ...[
    "Drafts/a.md",
    "blog/drafts/a.md",
    "blog/Private/a.md",
    "unpublished/a.md",
    "trash/a.md",
    "members-only/a.md",
  ],
  ...["blog/a.draft.md", "blog/[draft] a.md", "blog/.a.md", " drafts /a.md"],
];

test.each<[what: string, files: Files, visibility: { public?: number; draft?: number; scheduled?: number }]>([
  ["a text without front matter", { "a.md": "# Mine" }, { draft: 1 }],
  [
    "texts without front matter in a site",
    { "_posts/2020-01-01-a.md": "Mine", "_posts/2020-01-02-b.md": "---\ntitle: B\n---\nHi" },
    { public: 1, draft: 1 },
  ],
  ["notes with front matter that says nothing of a post", { "a.md": NOTE, "b.md": NOTE }, { draft: 2 }],
  ["posts", { "a.md": POST, "b.md": "---\ntitle: B\ndraft: false\n---\nHi" }, { public: 2 }],
  [
    "a post that links as only notes do",
    { "a.md": POST.replace("Hi", "See [[Other]]"), "b.md": POST.replace("Hi", "`[[a]]`") },
    { public: 1, draft: 1 },
  ],
  [
    "a vault",
    {
      ".obsidian/app.json": "{}",
      "a.md": POST,
      "b.md": "Mine",
      "c.md": "---\npublish: true\n---\nHi",
      "d.md": '---\npublish: "true"\n---\nHi',
      "e.md": "---\npublish: true\ndate: 9000-01-01\n---\nHi",
    },
    { public: 1, draft: 3, scheduled: 1 },
  ],
  [
    "a site that is edited as a vault",
    { "s/.obsidian/app.json": "{}", "s/hugo.toml": "", "s/content/a.md": POST, "s/content/b.md": "Mine" },
    { public: 1, draft: 1 },
  ],
  ["members of many names that hide a post", postsWith(HIDING_MEMBERS), { draft: HIDING_MEMBERS.length }],
  ["members of other meanings", postsWith(OTHER_MEMBERS), { public: OTHER_MEMBERS.length }],
  [
    "members with the day from which a post is shown",
    postsWith(["embargo: 9000-01-01", "publish_at: 9000-01-01", "visibleFrom: 9000-01-01"]),
    { scheduled: 3 },
  ],
  [
    "folders and files whose names say who sees them",
    {
      ...Object.fromEntries(HIDING_PATHS.map((path) => [path, POST])),
      "archive/b.md": POST.replace("title: A", "title: B"),
    },
    { public: 1, draft: HIDING_PATHS.length },
  ],
  [
    "an audience of TOML that is no text",
    { "a.md": "+++\ntitle = 'A'\ndate = 2020-01-01\naudience = { of = 'us' }\n+++\nHi" },
    { draft: 1 },
  ],
  ["such a folder alone", { "Private/a.md": POST, "Private/b.md": POST }, { draft: 2 }],
  [
    "such a folder of a site, which shows it",
    { "hugo.toml": "", "content/private/a.md": POST },
    { public: 1 },
  ],
])("Nothing becomes public that does not say so: %s", async (_, files, visibility) => {
  const { posts, report } = await importedFiles(files);
  expect(report.visibility).toEqual({ public: 0, draft: 0, scheduled: 0, ...visibility });
  const published = Object.values(posts).filter((post) => post.published);
  expect(published).toHaveLength(Math.min(report.visibility.public, Object.keys(posts).length));
});

test("Templates of notes are left out, wherever a vault has them, and listed", async () => {
  const { posts, report } = await importedFiles({
    "My vault/.obsidian/templates.json": '{"folder": "Forms/New/"}',
    "My vault/.obsidian/plugins/templater-obsidian/data.json": '{"templates_folder": "Scripts"}',
    "My vault/.obsidian/daily-notes.json": '{"template": "Day"}',
    "My vault/.obsidian/workspace.json": "{",
    "My vault/Forms/New/Meeting.md": "# {{title}}",
    "My vault/Forms/Mine.md": "Mine",
    "My vault/Scripts/A.md": "<% tp.date.now() %>",
    "My vault/Day.md": "{{date}}",
    "My vault/Notes/Templates/B.md": "B",
  });
  expect(Object.keys(posts)).toEqual(["Mine"]);
  const left = report.rows.filter(({ reason }) => reason === "template").map(({ file }) => file);
  expect(left.toSorted()).toEqual([
    ...["My vault/Day.md", "My vault/Forms/New/Meeting.md"],
    ...["My vault/Notes/Templates/B.md", "My vault/Scripts/A.md"],
  ]);
});

test("A report and a dry run begin with what will be public", async () => {
  using folder = temporaryFolder();
  const env = { DATABASE_URL: `sqlite:${folder.file("blog.db")}` };
  mkdirSync(folder.file("blog"));
  const files = { "a.md": POST, "b.md": "Mine", "c.md": POST.replace("2020", "9000").replace("A", "C") };
  for (const [name, text] of Object.entries(files)) writeFileSync(folder.file(`blog/${name}`), text);
  for (const words of [["--dry-run"], []]) {
    const { stdout } = await run(["import", folder.file("blog"), ...words], { env });
    const [, second] = stdout.split("\n");
    expect(second).toBe("  1 public, 1 draft, 1 scheduled to become public");
  }
});

test("A list of links is never a post: it is imported as bookmarks", async () => {
  using folder = temporaryFolder();
  const env = { DATABASE_URL: `sqlite:${folder.file("links.db")}` };
  writeFileSync(
    folder.file("buku.md"),
    "- [A](https://a.example/) <!-- TAGS: x -->\n- <https://b.example/>\n",
  );
  const { stdout } = await run(["import", folder.file("buku.md")], { env });
  expect(stdout).toContain("  2 added\n");
  expect(stdout.replaceAll(folder.file("buku.md"), "")).not.toContain("post");
  const zip = await zipOf([["buku.md", "- [A](https://a.example/)\n"]]);
  expect(await stageSite(inMemory(zip), { fileName: "x", now: new Date() })).toBeUndefined();
});

test("What macOS and Windows put into archives and folders is left out", async () => {
  const post = "---\ntitle: Hello\ndate: 2020-01-01\n---\nHi ![](pic.png)";
  const files = {
    "site/content/hello/index.md": post,
    "site/content/hello/pic.png": await makeImage("png"),
    "site/content/hello/._index.md": "\0\x05\x16\x07\0\x02\0\0Mac OS X        ",
    "site/.DS_Store": "\0\0\0\x01Bud1",
    "site/content/Thumbs.db": "\xd0\xcf",
    "__MACOSX/site/content/hello/._index.md": "\0\x05\x16\x07\0\x02\0\0Mac OS X        ",
    "__MACOSX/site/content/copy.md": "# A copy",
  };
  for (const bytes of [await zipOf(Object.entries(files)), await tarOf(files)]) {
    const { posts, report, images } = await importedFrom(bytes);
    expect(Object.keys(posts)).toEqual(["Hello"]);
    expect(posts.Hello?.publication?.slug).toBe("hello");
    expect([images.length, report.skipped, report.refused, report.notes]).toEqual([1, 0, 0, []]);
  }
  using folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(folder.file(path)), { recursive: true });
    writeFileSync(folder.file(path), content);
  }
  using staged = await stageFolder(folder.path, { fileName: "folder", now: new Date() });
  expect([staged?.records.count("post"), staged?.records.count("image")]).toEqual([1, 1]);
});

test("A file that is compressed and no tar archive is left to the other importer, which names it", async () => {
  for (const count of [1, 500]) {
    const html = gzipSync(`<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${"<DT>".repeat(count)}`);
    expect(await stageSite(inMemory(html), { fileName: "b.html.gz", now: new Date() })).toBeUndefined();
  }
});

describe("An archive of Markdown is refused", () => {
  const refusal = (bytes: Buffer) =>
    stageSite(inMemory(bytes), { fileName: "x", now: new Date() }).then(() => "read", messageOf);

  test("with paths that lead out of it, and when it is damaged or a zip bomb", async () => {
    const slip = await tarOf({ "../../etc/x.md": "x" });
    expect(await refusal(slip)).toMatch(/leads out of it: \.\.\/\.\.\/etc\/x\.md/);
    const whole = await tarOf({ "a.md": "x".repeat(100_000) });
    expect(await refusal(whole.subarray(0, 60))).toBe(
      "The archive is damaged: its end is missing, as after an interrupted download. Get it again.",
    );
    expect(() => refuseBomb(2 ** 31, 2 ** 20)).toThrow("200 times");
  });
});

test("A folder is imported by the command, and its symbolic links are not followed", async () => {
  using folder = temporaryFolder();
  const files = { "content/a.md": "---\ntitle: A\ndate: 2020-01-01\n---\nHi", "content/b.md": "# B\n" };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, "blog", path)), { recursive: true });
    writeFileSync(join(folder.path, "blog", path), text);
  }
  symlinkSync("/etc", join(folder.path, "blog/etc"));
  const env = { DATABASE_URL: `sqlite:${folder.file("blog.db")}` };
  const done = await run(["import", join(folder.path, "blog")], { env });
  expect(done).toMatchObject({ code: 0 });
  expect(done.stdout).toContain("  added: 2 posts\n  skipped: 1 file\n");
  expect(await run(["import", join(folder.path, "blog/content"), "--dry-run"], { env })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("  added: nothing\n  skipped: 2 posts\n"),
  });
  mkdirSync(join(folder.path, "empty"));
  const empty = await run(["import", join(folder.path, "empty")], { env });
  expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining("no Markdown files") });
});

describe("A site of another program, as it is in its repository,", () => {
  test("is found in a folder, with the folders of its languages and its pictures from the root", async () => {
    const { posts, images, report } = await importedFiles({
      "theme-main/README.md": "# A theme",
      "theme-main/DESIGN.md": "# How it is made",
      "theme-main/layouts/index.html": "---\ntitle: No\n---\n",
      "theme-main/exampleSite/config/_default/hugo.toml": 'defaultContentLanguage = "en"\n',
      "theme-main/exampleSite/config/_default/languages.toml":
        '[en]\ncontentDir = "content/english"\n[de]\ncontentDir = "content/deutsch"\n',
      "theme-main/exampleSite/content/english/_index.md": "---\ntitle: Home\n---\nHello",
      "theme-main/exampleSite/content/english/about/_index.md": "---\ntitle: About\n---\nMe",
      "theme-main/exampleSite/content/english/blog/_index.md": "---\ntitle: Blog\n---\nAll",
      "theme-main/exampleSite/content/english/blog/sun.md":
        "---\ntitle: Sun\ndate: 2020-01-01\nimage: /images/sun.png\n---\n![](/images/moon.png)",
      "theme-main/exampleSite/content/deutsch/blog/sun.md": "---\ntitle: Sonne\ndate: 2020-01-02\n---\nHallo",
      "theme-main/exampleSite/content/english/blog/sun.zh-hant-tw.md":
        "---\ntitle: 太陽\ndate: 2020-01-03\n---\n你好",
      "theme-main/exampleSite/assets/images/sun.png": await makeImage("png"),
      "theme-main/exampleSite/static/images/moon.png": await makeImage("png", { width: 30, height: 20 }),
    });
    expect(images).toHaveLength(2);
    expect(posts.Sun).toMatchObject({
      content: expect.stringMatching(/^!\[\]\(\/media\//),
      redirects: ["/blog/sun"],
      publication: { slug: "sun", image: expect.stringMatching(/^\/media\//), language: null },
    });
    expect(posts.Sonne).toMatchObject({
      redirects: ["/de/blog/sun"],
      publication: { slug: "sun-2", language: "de" },
    });
    expect(posts.太陽).toMatchObject({
      redirects: ["/zh-hant-tw/blog/sun"],
      publication: { slug: "sun-3", language: "zh-Hant-TW" },
    });
    expect(posts.About).toMatchObject({ published: true, publication: { kind: "page", slug: "about" } });
    expect(Object.keys(posts)).toHaveLength(4);
    expect(report.rows.filter(({ outcome }) => outcome === "skipped").map(({ title }) => title)).toEqual([
      "content/english/_index.md",
      "content/english/blog/_index.md",
    ]);
    expect(report.notes.map(({ detail }) => detail)).toContain(
      "Not read: 2 files outside of the site, which is in theme-main/exampleSite/.",
    );
  });

  test("of Hexo has front matter without its first line, scaffolds, and pictures in the folders of posts", async () => {
    const { posts, images, report } = await importedFiles({
      "blog/_config.yml": "permalink: :year/:month/:day/:title/\n",
      "blog/scaffolds/post.md": "---\ntitle: {{ title }}\n---\n",
      "blog/source/_posts/sun.md": `title: Sun
date: 2013-12-26 22:46:49
tags:
- A
---

![](/images/a.png) {% asset_img big b.png 300 "At dawn" %}

{% codeblock One lang:js %}
let a = "{{ b }}";
{% endcodeblock %}
`,
      "blog/source/_posts/sun/b.png": await makeImage("png"),
      "blog/source/images/a.png": await makeImage("png", { width: 30, height: 20 }),
      "blog/source/_posts/text.md": "Note: this is text.\n---\n\nMore",
    });
    expect(images).toHaveLength(2);
    expect(posts.Sun).toMatchObject({
      published: true,
      published_at: "2013-12-26T22:46:49.000Z",
      publication: { tags: ["A"] },
      redirects: ["/2013/12/26/sun"],
      content: expect.stringMatching(
        /^!\[\]\(\/media\/\w+\.png\) !\[At dawn\]\(\/media\/\w+\.png\)\n\n```js\nlet a = "{{ b }}";\n```\n$/,
      ),
    });
    expect(posts.Text).toMatchObject({ published: false, content: "Note: this is text.\n---\n\nMore" });
    expect(Object.keys(posts)).toHaveLength(2);
    expect(report.notes.map(({ code }) => code)).toEqual(["date_missing", "not_public"]);
  });

  test("of Jekyll leaves its lists out, and has drafts of pages that templates fill in part", async () => {
    const loop = "{% for post in site.posts %}{{ post.title }}{% endfor %}";
    const { posts, report } = await importedFiles({
      "_config.yml": "title: B\n",
      "_posts/2020-01-01-one.md": "---\ntitle: One\n---\nUse `{% for a in b %}`.",
      "index.html": `---\ntitle: Home\n---\n<ul>${loop}</ul>`,
      "archive.md": `---\ntitle: Archive\n---\n# Archive\n\n${loop}`,
      "team.md": "---\ntitle: Team\n---\nWe are: {% for one in site.data.team %}{{ one.name }}{% endfor %}",
      "about.md": "---\ntitle: About\n---\nMe",
    });
    expect(
      Object.fromEntries(Object.entries(posts).map(([title, { published }]) => [title, published])),
    ).toEqual({ One: true, Team: false, About: true });
    expect(report.rows.filter(({ reason }) => reason === "template").map(({ title }) => title)).toEqual([
      "archive.md",
      "index.html",
    ]);
    expect(report.notes.map(({ detail }) => detail)).toContain(
      "Not published, but drafts: 1 post, since templates fill part of them.",
    );
  });

  test("says what of MDX, of front matter in JavaScript and of Pelican's links is not shown", async () => {
    const { posts, images, report } = await importedFiles({
      "src/content/blog/a.mdx":
        "---\ntitle: A\ndate: 2020-01-01\n---\nHi\n\nimport Box from '../Box.astro';\n\n<Box>in</Box>\n\n```\nimport Box from 'x'\n```\n",
      "content/b.md": "---js\nconst a = 1;\n---\n# B\n\nText",
      "content/c.md":
        "Title: C\nDate: 2020-01-01\n\n[b]({filename}b.md) [n]({filename}no.md) ![]({static}/images/a.png) ![]({static}/images/no.png)",
      "content/images/a.png": await makeImage("png"),
      "content/d.mmark": "# D",
    });
    expect(images).toHaveLength(1);
    expect(posts.A?.content).toBe("Hi\n\n\n<Box>in</Box>\n\n```\nimport Box from 'x'\n```\n");
    expect(posts.B).toMatchObject({ published: false, content: "Text" });
    expect(posts.C?.content).toContain(`[b](/posts/b) [n]({filename}no.md) ![](${images[0]})`);
    expect(report.notes.map(({ detail }) => detail)).toEqual(
      expect.arrayContaining([
        "The component “Box” of MDX is not shown; it stays in the text of 1 post.",
        "Its front matter is a program in JavaScript, which is not read.",
        "The shortcode or tag “{filename}” stays visible as it is in 1 post.",
        "1 picture is not among the files: {static}/images/no.png. Its links are unchanged.",
        "Not read: 1 file in mmark. Convert them to Markdown first, such as with pandoc.",
      ]),
    );
  });
});
