import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { inMemory, zipOf } from "../../test/support/files/zip.ts";
import { temporaryFolder } from "../../test/support/server/server.ts";
import { stageFolder, stageSite } from "./stage-site.ts";

/** What is staged of a file: each post by its title, and the notes. */
async function read(files: Readonly<Record<string, string>> | string, fileName = "blog") {
  const bytes = typeof files === "string" ? Buffer.from(files) : await zipOf(Object.entries(files));
  using site = await stageSite(inMemory(bytes), { fileName, now: new Date("2026-11-22T10:00:00Z") });
  if (site === undefined) throw new Error("no format knows this file");
  const staged = [...site.records.batches("post", 100)].flat().map(({ record }) => record);
  const posts = Object.fromEntries(
    staged.map(({ title, content, published, publication, created_at }) => {
      const at = publication?.publish_at ?? null;
      return [title, { is: published ? "public" : (at ?? "draft"), content, created_at }];
    }),
  );
  const comments = [...site.records.batches("comment", 100)].flat().map(({ record }) => record.status);
  const notes = [...site.records.notes].filter(({ code }) => code === "not_public");
  return { posts, comments, notes: notes.map(({ detail }) => detail), rows: [...site.records.rows] };
}

const isOf = async (files: Readonly<Record<string, string>> | string, title = "T") =>
  (await read(files)).posts[title]?.is;

/** Who sees a post with a member: the spellings that generators read. */
const MEMBERS: readonly (readonly [yaml: string, is: string, quoted?: string])[] = [
  // Yes and no of YAML 1.1, as texts and as numbers.
  ...["true", "yes", "Yes", "YES", "y", "on", "On", '"true"', "'yes'", "1", '"1"', "True", "t"].map(
    (value) => [`draft: ${value}`, "draft"] as const,
  ),
  ...["false", "no", "No", "off", "n", '"false"', "0", "FALSE", ""].map(
    (value) => [`draft: ${value}`, "public"] as const,
  ),
  ...["false", "no", "off", '"false"', "0", "N"].map((value) => [`published: ${value}`, "draft"] as const),
  ...["true", "yes", "on", "2020-01-02"].map((value) => [`published: ${value}`, "public"] as const),
  ["draft: perhaps", "draft", "“draft: perhaps”"],
  ["draft: [a]", "draft", '“draft: ["a"]”'],
  ["published:", "draft", "“published: null”"],
  ["published: soon", "draft", "“published: soon”"],
  ["published: 2031-01-01", "2031-01-01T00:00:00.000Z"],
  // Spellings of names.
  ...["isDraft", "is_draft", "is-draft", "Draft", "DRAFT", "IsDraft"].map(
    (name) => [`${name}: true`, "draft"] as const,
  ),
  ...["hidden", "private", "unlisted", "isPrivate", "is_hidden", "Unlisted"].map(
    (name) => [`${name}: true`, "draft", `“${name}: true”`] as const,
  ),
  ...["hidden: false", "private: no", "unlisted: 0", "isPrivate: false"].map(
    (yaml) => [yaml, "public"] as const,
  ),
  ["base: &base {private: true}\n<<: *base", "draft", "“private: true”"],
  ["public: false", "draft", "“public: false”"],
  ["isPublic: no", "draft", "“isPublic: no”"],
  ["public: friends", "draft", "“public: friends”"],
  ["public: true", "public"],
  ["publish: false", "draft", "“publish: false”"],
  ["draft: false\nDraft: true", "draft"],
  // Words.
  ["status: published", "public"],
  ["status: Publish", "public"],
  ["visibility: PUBLIC", "public"],
  ["status: draft", "draft"],
  ["status:", "public"],
  ...["private", "hidden", "members", "evergreen", "archived", "200", "toString"].map(
    (word) => [`status: ${word}`, "draft", `“status: ${word}”`] as const,
  ),
  ["state: review", "draft", "“state: review”"],
  ["visibility: private", "draft", "“visibility: private”"],
  ["visibility: [public, paid]", "draft", '“visibility: ["public","paid"]”'],
  ["status: scheduled", "draft", "“status: scheduled”"],
  ["status: scheduled\npublishDate: 2031-01-01", "2031-01-01T00:00:00.000Z"],
  // A password is never told.
  ["password: geheim", "draft", "had a password"],
  ["password: ''", "public"],
  // Dates.
  ["publishDate: 2031-01-01T09:00:00Z", "2031-01-01T09:00:00.000Z"],
  ["publish_date: 2031/1/1", "2031-01-01T00:00:00.000Z"],
  ["publishDate: at easter", "draft", "“publishDate: at easter”"],
  ["publishDate: 2021-01-01", "public"],
  ["expiryDate: 2020-06-01", "draft", "“expiryDate: 2020-06-01”"],
  ["unpublishdate: 2020-06-01", "draft", "“unpublishdate: 2020-06-01”"],
  ["expiry_date: 9000-01-01", "public"],
  ["expiryDate: later", "draft", "“expiryDate: later”"],
  // Of generators.
  ["headless: yes", "draft", "“headless: yes”"],
  ["permalink: no", "draft", "“permalink: no”"],
  ["permalink: /own/", "public"],
  ["permalink: '{% if draft %}false{% endif %}'", "draft", "“permalink:"],
  ["permalink: '{{ false if draft else slug }}'", "draft", "“permalink:"],
  ["permalink: '/{{ page.fileSlug }}/false/'", "public"],
  ["eleventyExcludeFromCollections: true", "draft", "“eleventyExcludeFromCollections: true”"],
  ["eleventyComputed:\n  permalink: false", "draft", "“permalink: false”"],
  ["_build: {render: never}", "draft", "“_build:"],
  ["build: {render: always, list: true}", "public"],
  ["build: {render: always, list: local}", "draft", "“build:"],
  // Where generators leave members to themes, and names as exporters write them.
  ["params:\n  private: true", "draft", "“private: true”"],
  ["extra: {hidden: yes}", "draft", "“hidden: yes”"],
  ["params: {date: circa 1800, draft: false}", "public"],
  ["post_status: private", "draft", "“post_status: private”"],
  ["wp_post_password: geheim", "draft", "had a password"],
  ["dg-publish: false", "draft", "“dg-publish: false”"],
  ["password: '  '", "draft", "had a password"],
  ["published_on: 2031-01-01", "2031-01-01T00:00:00.000Z"],
  ["publishedDate: soon", "draft", "“publishedDate: soon”"],
  ["expires: 2020-06-01", "draft", "“expires: 2020-06-01”"],
  // Twice: a program may take either.
  ["draft: true\ndraft: false", "draft", '“draft: ["true","false"]”'],
  ["draft: false\ndraft: false", "public"],
  ["tags: a\ntags: b", "public"],
  // A draft in more words, and in other languages.
  ...["draftMode", "in_draft", "draft_post", "isDraftPost", "hide_post", "unlisted-post"].map(
    (name) => [`${name}: true`, "draft", `“${name}: true`] as const,
  ),
  ...["Entwurf", "brouillon", "下書き"].map((name) => [`${name}: true`, "draft", `“${name}: true`] as const),
  ...["workflow", "stage", "type", "kind", "layout"].map(
    (name) => [`${name}: Draft`, "draft", `“${name}: Draft`] as const,
  ),
  ...["publish_status", "publicationState", "doc_status"].map((name) => [`${name}: Draft`, "draft"] as const),
  ["page_draft: true", "draft"],
  ["publish_status: published\npage_visible: true\ndraft_post: false", "public"],
  ["tags: [walks, draft]", "draft", '“tags: ["walks","draft"]'],
  ["categories: private", "draft", "“categories: private”"],
  ["tags: walks, draft", "draft", "“tags: walks, draft”"],
  ["keywords: walks; Private", "draft", "“keywords: walks; Private”"],
  ["tags: ['#draft']", "draft", '“tags: ["#draft"]”'],
  ["taxonomies: {tags: [draft]}", "draft", '“taxonomies: {"tags":["draft"]}”'],
  ["tags: draft horses, private equity", "public"],
  ["tags: [draft-horses, private-equity]\nslug: draft\nsubtitle: Private\ntype: post", "public"],
  // For some people, or in one place, alone.
  ...["emailOnly: true", "newsletter_only: yes", "rss-only: true", "members: true", "auth: required"].map(
    (yaml) => [yaml, "draft", `“${yaml}”`] as const,
  ),
  ...["visible_to: members", "for: subscribers", "groups: [family]", "privacy: friends", "free: false"].map(
    (yaml) => [yaml, "draft", `“${yaml.slice(0, 6)}`] as const,
  ),
  [
    "emailOnly: false\nfor: beginners\nmembers: [Ada, Grace]\nfree: true\ngroup: lakes\nreaders: 1200",
    "public",
  ],
  ["readers: [Ada]", "draft", "“readers:"],
  ...["pass", "pwd", "Passwort"].map((name) => [`${name}: geheim`, "draft", "had a password"] as const),
  ["has_password: true", "draft", "“has_password: true”"],
  // Not in lists, or not made at all.
  ...["show_in_list: false", "showOnHome: no", "list: never", "rendered: false", "noRender: true"].map(
    (yaml) => [yaml, "draft", `“${yaml}”`] as const,
  ),
  ["show_in_list: true\nlist: [a]\nshow_in_menu: false\nindex: false", "public"],
  // Dates under other names.
  ...["publicationDate", "posted_at", "release_date", "valid_from", "not_before", "publish_up"].map(
    (name) => [`${name}: 2031-01-01`, "2031-01-01T00:00:00.000Z"] as const,
  ),
  ["date: {created: 2031-01-01, updated: 2031-01-02}", "2031-01-01T00:00:00.000Z"],
  ["date: {created: 2020-01-01}", "public"],
  ["release: 2.0\navailable: in stores\nposted_at: 2019-01-01\nposted: yes", "public"],
  ["posted: no", "draft", "“posted: no”"],
  ["available: false", "draft", "“available: false”"],
  ...["valid_to", "unpublished_at", "publish_down", "archive_on"].map(
    (name) => [`${name}: 2020-06-01`, "draft", `“${name}: 2020-06-01”`] as const,
  ),
  ["valid_to: 9000-01-01", "public"],
  ["published_at: null", "draft", "“published_at: null”"],
  ["publishedDate:", "draft", "“publishedDate: null”"],
  ["pubDate:", "public"],
  // In members of programs.
  ["wordpress: {status: private}", "draft", "“status: private”"],
  ["settings: {hidden: true}", "draft", "“hidden: true”"],
  ...["jekyll: {published: false}", "cms: {draft: true}"].map((yaml) => [yaml, "draft"] as const),
  ["cover: {hidden: true}\ncomments: {status: closed}\nmedium: {publish: false}", "public"],
  // Of something else.
  ["type: event\naudience: developers\nprice: 10\nscope: design\ngroup: web\nend_date: 2020-05-01", "public"],
  [
    "output: html_document\npin: true\ncover: {hidden: true}\nmodDatetime:\ntiers: []\nrelated: true",
    "public",
  ],
  ["weight: 5\nnoindex: true\nsitemap: false", "public"],
  ["listed: false", "draft", "“listed: false”"],
];

describe("What front matter says of who sees a post:", () => {
  test.each(MEMBERS.map(([yaml, is, quoted = ""]) => [yaml, is, quoted]))("%s", async (yaml, is, quoted) => {
    const { posts, notes } = await read({ "t.md": `---\ntitle: T\ndate: 2020-01-01\n${yaml}\n---\nWords` });
    expect(posts.T?.is).toBe(is);
    if (quoted === "") expect(notes).toEqual([]);
    else expect(notes).toEqual([expect.stringContaining(quoted)]);
    expect(notes.join()).not.toContain("geheim");
  });

  test.each([
    ["TOML", '+++\ntitle = "T"\ndate = 2020-01-01\nVALUE\n+++\nWords', " = "],
    ["JSON", '{\n"title": "T",\n"date": "2020-01-01",\n"NAME": VALUE\n}\nWords', ": "],
    ["the header of Pelican", "Title: T\nDate: 2020-01-01\nNAME: VALUE\n\nWords", ": "],
  ])("in %s", async (_, form, sign) => {
    const with_ = (name: string, value: string) =>
      isOf({
        "t.md": form.includes("NAME")
          ? form.replace("NAME", name).replace("VALUE", value)
          : form.replace("VALUE", name + sign + value),
      });
    const quote = form.startsWith("Title") ? "" : '"';
    expect(await with_("draft", form.startsWith("Title") ? "yes" : "true")).toBe("draft");
    expect(await with_("status", `${quote}hidden${quote}`)).toBe("draft");
    expect(await with_("status", `${quote}published${quote}`)).toBe("public");
    expect(await with_("publishDate", `${quote}2031-01-01${quote}`)).toBe("2031-01-01T00:00:00.000Z");
    expect(await with_("private", `${quote}yes${quote}`)).toBe("draft");
    for (const name of ["embargoed", "locked"])
      expect(await with_(name, form.startsWith("{") ? '"2031-01-01"' : "2031-01-01")).toBe("draft");
  });
});

describe("The date of a post", () => {
  test.each([
    ["2013/7/13 20:46:25", "2013-07-13T20:46:25.000Z"],
    ["2013.7.13", "2013-07-13T00:00:00.000Z"],
    ["2020-01-01T10:00:00-05", "2020-01-01T15:00:00.000Z"],
    ["2020-01-01 10:00 +5:30", "2020-01-01T04:30:00.000Z"],
    ["2020-07-01 10:00:00 CEST", "2020-07-01T08:00:00.000Z"],
    ["2020-07-01 10:00:00 BST", "2020-07-01T09:00:00.000Z"],
    ["Wed, 1 Jan 2020 10:00 am PST", "2020-01-01T18:00:00.000Z"],
    ["Wednesday, 01-Jan-20 10:00:00 EST", "2020-01-01T15:00:00.000Z"],
    ["Wed Jan  1 10:00:00 CET 2020", "2020-01-01T09:00:00.000Z"],
    ["January 1st, 2020 at 10:00", "2020-01-01T10:00:00.000Z"],
  ])("%s is read", async (text, at) => {
    const { posts } = await read({ "t.md": `---\ntitle: T\ndate: "${text}"\n---\nWords` });
    expect(posts.T).toMatchObject({ is: "public", created_at: at });
  });

  test.each([
    ...["01/02/2006", "2020-01-01 10:00 IST", "2020-01-01 10:00:00 Europe/Berlin", "2020-02-30", "20200101"],
    ...["1943-05-01", "yesterday", "Jan 2020", "2020-01-01T25:00:00Z", "1577836800", "0", "2020-01-01 10"],
    ...["Fri, 01 Jan 2031 10:00:00 XYZT", "2031年1月1日"],
  ])("%s is not: the post is a draft, and the note shows it", async (text) => {
    const { posts, notes } = await read({ "t.md": `---\ntitle: T\ndate: ${text}\n---\nWords` });
    expect(posts.T?.is).toBe("draft");
    expect(notes).toEqual([expect.stringContaining(`“date: ${text}”`)]);
  });
});

describe("A date without a zone is in that of the site, which only", () => {
  const hugo = { "hugo.toml": 'timeZone = "America/New_York"' };
  const post = (date: string) => `---\ntitle: T\ndate: ${date}\n---\nWords`;
  test.each<[string, Readonly<Record<string, string>>, string, string?]>([
    ["Hugo says", { ...hugo, "content/posts/t.md": post("2020-07-01T23:30:00") }, "2020-07-02T03:30:00.000Z"],
    [
      "Hugo says, of TOML",
      { ...hugo, "content/posts/t.md": '+++\ntitle = "T"\ndate = 2020-01-01\n+++\nWords' },
      "2020-01-01T05:00:00.000Z",
    ],
    [
      "Hugo says, and the zone of a date itself counts",
      { ...hugo, "content/posts/t.md": post("2020-01-01T10:00:00Z") },
      "2020-01-01T10:00:00.000Z",
    ],
    [
      "Hugo says: then a post may still be hidden",
      { ...hugo, "content/posts/t.md": post("2026-11-22T08:00:00") },
      "2026-11-22T10:00:00.000Z",
      "2026-11-22T13:00:00.000Z",
    ],
    [
      "Pelican says",
      {
        "pelicanconf.py": "TIMEZONE = 'Asia/Tokyo'",
        "content/t.md": "Title: T\nDate: 2020-01-01 03:30\n\nWords",
      },
      "2019-12-31T18:30:00.000Z",
    ],
    [
      "Hexo says",
      { "_config.yml": "timezone: Asia/Tokyo", "source/_posts/t.md": post("2020-01-01 03:30:00") },
      "2019-12-31T18:30:00.000Z",
    ],
    [
      "Jekyll says of days",
      { "_config.yml": "timezone: Asia/Tokyo", "_posts/2020-01-01-t.md": "---\ntitle: T\n---\nWords" },
      "2019-12-31T15:00:00.000Z",
    ],
    [
      "Jekyll does not say of times, which are in UTC",
      { "_config.yml": "timezone: Asia/Tokyo", "_posts/2020-01-01-t.md": post("2020-01-01 10:00:00") },
      "2020-01-01T10:00:00.000Z",
    ],
    [
      "no program knows, and is ignored",
      { "hugo.toml": 'timeZone = "Atlantis"', "content/posts/t.md": post("2020-01-01T10:00:00") },
      "2020-01-01T10:00:00.000Z",
    ],
  ])("%s", async (_, files, at, is = "public") => {
    expect((await read(files)).posts.T).toMatchObject({ created_at: at, is });
  });
});

const POST = "---\ntitle: T\ndate: 2020-01-01\n---\nWords";
const HUGO = { "hugo.toml": "" };
const config = (yaml: string) => ({ "_config.yml": yaml, "_posts/2019-01-01-x.md": "---\ntitle: X\n---\nx" });

describe("What a post inherits:", () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      "no cascade",
      { ...HUGO, "content/a/_index.md": "---\ntitle: A\n---\n", "content/a/t.md": POST },
      "public",
    ],
    [
      "a cascade of its section",
      { ...HUGO, "content/a/_index.md": "---\ncascade:\n  draft: yes\n---\n", "content/a/t.md": POST },
      "draft",
    ],
    [
      "a cascade of a section further up",
      {
        ...HUGO,
        "content/a/_index.md": "+++\n[cascade]\n_build = {render='never'}\n+++\n",
        "content/a/b/c/t.md": POST,
      },
      "draft",
    ],
    [
      "a name without a date in Jekyll's folder of posts, which Jekyll does not read",
      { ...config("title: X"), "_posts/t.md": POST },
      "draft",
    ],
    [
      "a name without a date, the only one, with settings",
      { "_config.yml": "title: X", "_posts/t.md": POST },
      "draft",
    ],
    [
      "a name without a date, with settings of Hexo",
      { "_config.yml": "source_dir: src", "src/_posts/t.md": POST },
      "public",
    ],
    ["a name without a date where no post has one", { "_posts/t.md": POST, "_posts/x.md": POST }, "public"],
    [
      "a name without a date in Hexo's folder of posts",
      { "_config.yml": "title: X", "source/_posts/2019-01-01-x.md": POST, "source/_posts/t.md": POST },
      "public",
    ],
    [
      "an audience in a cascade",
      {
        ...HUGO,
        "content/a/_index.md": "---\ncascade: {visible_to: friends}\n---\n",
        "content/a/t.md": POST,
      },
      "draft",
    ],
    [
      "readers in the data of a folder",
      { ".eleventyignore": "", "a/a.json": '{"members": true}', "a/t.md": POST },
      "draft",
    ],
    [
      "a cascade that a nearer one takes back",
      {
        ...HUGO,
        "content/_index.md": "---\ncascade: {draft: true}\n---\n",
        "content/a/_index.md": "---\ncascade: {draft: false}\n---\n",
        "content/a/t.md": POST,
      },
      "public",
    ],
    [
      "a cascade that it takes back itself",
      {
        ...HUGO,
        "content/a/_index.md": "---\ncascade: {draft: true}\n---\n",
        "content/a/t.md": POST.replace("---\nW", "draft: no\n---\nW"),
      },
      "public",
    ],
    [
      "a cascade of the next section",
      { ...HUGO, "content/b/_index.md": "---\ncascade: {draft: true}\n---\n", "content/a/t.md": POST },
      "public",
    ],
    [
      "a cascade for its path",
      {
        "hugo.toml": '[[cascade]]\nprivate = true\n[cascade.target]\npath = "/a/**"\n',
        "content/a/t.md": POST,
      },
      "draft",
    ],
    [
      "a cascade for another path",
      {
        "hugo.toml": '[[cascade]]\nprivate = true\n[cascade.target]\npath = "/b/**"\n',
        "content/a/t.md": POST,
      },
      "public",
    ],
    [
      "a cascade for lists",
      {
        "hugo.toml": '[[cascade]]\ndraft = true\n[cascade._target]\nkind = "section"\n',
        "content/a/t.md": POST,
      },
      "public",
    ],
    [
      "a cascade for a target that is not understood",
      { "hugo.toml": '[[cascade]]\ndraft = true\n[cascade.target]\npath = "{/a"\n', "content/b/t.md": POST },
      "draft",
    ],
    [
      "a cascade in a file of its own",
      { ...HUGO, "config/_default/cascade.yaml": "draft: true\n", "content/a/t.md": POST },
      "draft",
    ],
    [
      "a cascade with a date",
      {
        ...HUGO,
        "content/a/_index.md": "---\ncascade: {publishDate: 2031-01-01}\n---\n",
        "content/a/t.md": POST,
      },
      "2031-01-01T00:00:00.000Z",
    ],
    ["settings that cannot be read", { "hugo.toml": "[", "content/a/t.md": POST }, "draft"],
    [
      "files that are ignored",
      { "hugo.toml": 'ignoreFiles = ["^content/a/", "\\\\.tmp$"]', "content/a/t.md": POST },
      "draft",
    ],
    [
      "other files that are ignored",
      { "hugo.toml": 'ignoreFiles = ["\\\\.Rmd$"]', "content/a/t.md": POST },
      "public",
    ],
    [
      "a pattern that is not understood",
      { "hugo.toml": 'ignoreFiles = ["(?i)B"]', "content/a/t.md": POST },
      "draft",
    ],
    [
      "a bundle, of which it is no page",
      { ...HUGO, "content/a/index.md": "---\ntitle: A\n---\nA", "content/a/t.md": POST },
      "draft",
    ],
    [
      "settings of a site with its texts elsewhere",
      { "hugo.toml": 'contentDir = "texts"\n[cascade]\ndraft = true', "texts/t.md": POST },
      "draft",
    ],
    [
      "defaults of Jekyll",
      {
        ...config('defaults:\n- scope: {path: ""}\n  values: {published: false}\n'),
        "_posts/2020-01-01-t.md": POST,
      },
      "draft",
    ],
    [
      "defaults for its folder and type",
      {
        ...config("defaults:\n- scope: {path: notes, type: posts}\n  values: {hidden: true}\n"),
        "notes/_posts/2020-01-01-t.md": POST,
      },
      "draft",
    ],
    [
      "defaults for another type",
      {
        ...config("defaults:\n- scope: {path: '', type: pages}\n  values: {hidden: true}\n"),
        "_posts/2020-01-01-t.md": POST,
      },
      "public",
    ],
    [
      "defaults for another folder",
      {
        ...config("defaults:\n- scope: {path: notes}\n  values: {hidden: true}\n"),
        "_posts/2020-01-01-t.md": POST,
      },
      "public",
    ],
    [
      "defaults with a star",
      {
        ...config("defaults:\n- scope: {path: 'no*/_posts'}\n  values: {hidden: true}\n"),
        "notes/_posts/2020-01-01-t.md": POST,
      },
      "draft",
    ],
    [
      "defaults that nearer ones take back",
      {
        ...config(
          "defaults:\n- scope: {path: notes}\n  values: {published: true}\n- scope: {path: ''}\n  values: {published: false}\n",
        ),
        "notes/_posts/2020-01-01-t.md": POST,
      },
      "public",
    ],
    ["what Jekyll excludes", { ...config("exclude: [notes/]\n"), "notes/t.md": POST }, "draft"],
    [
      "what Jekyll excludes by a star",
      { ...config("exclude: ['*.draft.md']\n"), "notes/t.draft.md": POST },
      "draft",
    ],
    [
      "what Jekyll excludes elsewhere",
      { ...config("exclude: [notes, vendor]\n"), "about.md": POST },
      "public",
    ],
    [
      "a collection",
      { ...config("collections: {essays: {output: true}}\n"), "_essays/t.md": POST },
      "public",
    ],
    [
      "a collection that is not output",
      { ...config("collections: {essays: {output: false}}\n"), "_essays/t.md": POST },
      "draft",
    ],
    ["a list of collections", { ...config("collections: [essays]\n"), "_essays/t.md": POST }, "draft"],
    ["a folder that Jekyll includes", { ...config("include: [_pages]\n"), "_pages/t.md": POST }, "public"],
    ["a folder with an underscore", { ...config(""), "_private/t.md": POST }, "draft"],
    [
      "defaults of a site in a folder",
      {
        "docs/_config.yml": "defaults:\n- values: {published: false}\n",
        "docs/_posts/2020-01-01-t.md": POST,
        "README.md": "About",
      },
      "draft",
    ],
    [
      "a collection of a site in a folder",
      {
        "docs/_config.yml": "collections: {docs: {output: true}}\n",
        "docs/_docs/t.md": POST,
        "docs/_posts/2020-01-01-x.md": POST.replace("T", "X"),
        "README.md": "About",
      },
      "public",
    ],
    [
      "a cascade of one of several sites",
      {
        "a/hugo.toml": "",
        "a/content/x/_index.md": "---\ncascade: {draft: true}\n---\n",
        "a/content/x/t.md": POST,
        "b/hugo.toml": "",
        "b/content/x.md": POST.replace("T", "X"),
      },
      "draft",
    ],
    [
      "no folder of Hugo's texts",
      { ...HUGO, "content/x.md": POST.replace("T", "X"), "notes/t.md": POST },
      "draft",
    ],
    ["no folder of other texts", { "hugo.toml": 'contentDir = "texts"', "content/t.md": POST }, "draft"],
    [
      "the folder of a language",
      { "hugo.toml": '[languages.de]\ncontentDir = "de"', "content/x.md": "x", "de/t.md": POST },
      "public",
    ],
    [
      "the folder of the other languages",
      { "hugo.toml": '[languages.de]\ncontentDir = "de"', "content/t.md": POST },
      "public",
    ],
    [
      "a language that is not on the site",
      { "hugo.toml": 'disableLanguages = ["de"]', "content/t.de.md": POST },
      "draft",
    ],
    [
      "a language that is not on the site yet",
      { "hugo.toml": "[languages.de]\ndisabled = true", "content/t.de.md": POST },
      "draft",
    ],
    [
      "posts that are not output",
      { ...config("collections: {posts: {output: false}}\n"), "_posts/2020-01-01-t.md": POST },
      "draft",
    ],
    [
      "another source of Jekyll",
      {
        ...config("source: web\n"),
        "notes/t.md": POST,
        "web/_posts/2020-01-01-x.md": POST.replace("T", "X"),
      },
      "draft",
    ],
    ["the source of Hexo", { "_config.yml": "title: B\n", "source/_posts/t.md": POST }, "public"],
    [
      "what is beside the source of Hexo",
      { "_config.yml": "title: B\n", "source/_posts/x.md": POST.replace("T", "X"), "notes/t.md": POST },
      "draft",
    ],
    [
      "what is beside the input of Eleventy",
      {
        "eleventy.config.js": 'export default () => ({ dir: { input: "web" } });',
        "web/x.md": POST.replace("T", "X"),
        "notes/t.md": POST,
      },
      "draft",
    ],
    [
      "what is beside the source of Astro",
      { "astro.config.mjs": "", "src/content/blog/x.md": POST.replace("T", "X"), "notes/t.md": POST },
      "draft",
    ],
    ["the source of Astro", { "astro.config.mjs": "", "src/content/blog/t.md": POST }, "public"],
    [
      "what is beside the texts of Pelican",
      { "pelicanconf.py": "PATH = 'content'\n", "content/x.md": POST.replace("T", "X"), "notes/t.md": POST },
      "draft",
    ],
    ["a file with an underscore", { "src/pages/_t.md": POST }, "draft"],
    [
      "drafts of Hexo",
      { "source/_drafts/t.md": POST, "source/_posts/x.md": POST.replace("T", "X") },
      "draft",
    ],
    [
      "what Hexo has discarded",
      { "source/_discarded/t.md": POST, "source/_posts/x.md": POST.replace("T", "X") },
      "draft",
    ],
    ["a folder of drafts alone", { "_drafts/t.md": POST }, "draft"],
    ["a folder with an underscore alone", { "_old/t.md": POST }, "draft"],
    [
      "the data of its folder",
      { "eleventy.config.js": "", "posts/posts.json": '{"draft": true}', "posts/t.md": POST },
      "draft",
    ],
    [
      "the data of a folder further up",
      { "posts/posts.11tydata.json": '{"permalink": false}', "posts/a/t.md": POST },
      "draft",
    ],
    [
      "data that it takes back",
      {
        "eleventy.config.js": "",
        "posts/posts.json": '{"draft": true}',
        "posts/t.md": POST.replace("---\nW", "draft: false\n---\nW"),
      },
      "public",
    ],
    [
      "data beside it",
      { "posts/t.11tydata.json": '{"eleventyComputed": {"permalink": false}}', "posts/t.md": POST },
      "draft",
    ],
    ["data beside another one", { "posts/x.11tydata.json": '{"draft": true}', "posts/t.md": POST }, "public"],
    [
      "data about something else",
      {
        "posts/posts.11tydata.js": 'export default { tags: ["posts"], layout: "post.njk" };',
        "posts/t.md": POST,
      },
      "public",
    ],
    [
      "a program that hides something",
      {
        "posts/posts.11tydata.js": "export default { permalink: (d) => d.draft ? false : undefined };",
        "posts/t.md": POST,
      },
      "draft",
    ],
    [
      "what settings of Jekyll in TOML exclude",
      { "_config.toml": 'exclude = ["notes"]', "_posts/2020-01-01-x.md": "x", "notes/t.md": POST },
      "draft",
    ],
    [
      "the status that Pelican gives to all",
      {
        "pelicanconf.py": `PATH = 'content'\nDEFAULT_METADATA = {\n  'status': 'draft',\n}\n`,
        "content/t.md": POST,
      },
      "draft",
    ],
    [
      "the same, which it takes back itself",
      {
        "pelicanconf.py": `PATH = 'content'\nDEFAULT_METADATA = {'status': 'draft'}\n`,
        "content/t.md": POST.replace("---\nW", "status: published\n---\nW"),
      },
      "public",
    ],
    [
      "what Pelican excludes",
      {
        "pelicanconf.py": "PATH = 'content'\nARTICLE_EXCLUDES = ['x', 'private']\n",
        "content/private/t.md": POST,
      },
      "draft",
    ],
    [
      "files that a mount of Hugo leaves out",
      { "hugo.toml": '[[module.mounts]]\nexcludeFiles = "private/**"', "content/private/t.md": POST },
      "draft",
    ],
    [
      "files that a newer mount leaves out",
      {
        ...HUGO,
        "config/_default/module.yaml": 'mounts:\n- files: ["! private/**"]',
        "content/private/t.md": POST,
      },
      "draft",
    ],
    [
      "files that another mount leaves out",
      { "hugo.toml": '[[module.mounts]]\nexcludeFiles = "x/**"', "content/private/t.md": POST },
      "public",
    ],
    [
      "a section of Zola that is a draft",
      {
        "config.toml": 'base_url = "x"',
        "content/a/_index.md": "+++\ndraft = true\n+++\n",
        "content/a/b/t.md": POST,
      },
      "draft",
    ],
    [
      "a section of Hugo that is a draft, which its pages are not",
      {
        "config.toml": 'baseURL = "x"',
        "content/a/_index.md": "+++\ndraft = true\n+++\n",
        "content/a/t.md": POST,
      },
      "public",
    ],
    [
      "what Zola ignores",
      { "config.toml": 'base_url = "x"\nignored_content = ["private/*"]', "content/private/t.md": POST },
      "draft",
    ],
    [
      "what Quartz ignores",
      { "quartz.config.ts": 'ignorePatterns: ["private", "templates"],', "content/private/t.md": POST },
      "draft",
    ],
    [
      "what Quartz shows only if it says so",
      { "quartz.config.ts": "[Plugin.ExplicitPublish()]", "t.md": POST },
      "draft",
    ],
    [
      "the same, if it says so",
      {
        "quartz.config.ts": "[Plugin.ExplicitPublish()]",
        "t.md": POST.replace("---\nW", "publish: true\n---\nW"),
      },
      "public",
    ],
    [
      "what Docusaurus excludes in a folder",
      {
        "web/docusaurus.config.js": 'exclude: ["**/private/**"]',
        "web/blog/private/t.md": POST,
        "README.md": "x",
      },
      "draft",
    ],
    [
      "what the settings of another folder exclude",
      { "web/docusaurus.config.js": 'exclude: ["**/own/**"]', "blog/own/t.md": POST },
      "public",
    ],
    [
      "what Gatsby leaves out of the map of the site",
      { "gatsby-config.js": "exclude: ['/own/*']", "content/own/t.md": POST },
      "public",
    ],
    [
      "what VitePress excludes",
      { "docs/.vitepress/config.ts": "srcExclude: ['private/**']", "docs/private/t.md": POST },
      "draft",
    ],
    [
      "what MkDocs excludes, in lines",
      { "mkdocs.yml": "exclude_docs: |\n  x/\n  private/\nnav: []\n", "docs/private/t.md": POST },
      "draft",
    ],
    [
      "what a collection of Astro takes out",
      {
        "astro.config.mjs": "",
        "src/content.config.ts": 'glob({ pattern: ["**/*.md", "!**/private/**"] })',
        "src/content/blog/private/t.md": POST,
      },
      "draft",
    ],
    [
      "a tag that Hexo encrypts",
      {
        "_config.yml": "encrypt:\n  tags:\n  - {name: diary, password: geheim}\n",
        "source/_posts/t.md": POST.replace("---\nW", "tags: [diary]\n---\nW"),
      },
      "draft",
    ],
    ["data that cannot be read", { "posts/posts.11tydata.json": "{", "posts/t.md": POST }, "draft"],
    [
      "what Eleventy ignores",
      { ".eleventyignore": "# no\nposts/private\n", "posts/private/t.md": POST },
      "draft",
    ],
    ["what Eleventy ignores anywhere", { ".eleventyignore": "t.md\n", "posts/t.md": POST }, "draft"],
    [
      "what Eleventy ignores elsewhere",
      { ".eleventyignore": "/README.md\nposts/x*.md\n", "posts/t.md": POST },
      "public",
    ],
    [
      "what the settings of Eleventy ignore",
      { "eleventy.config.js": 'c.ignores.add("posts/t.md");', "posts/t.md": POST },
      "draft",
    ],
  ])("%s", async (_, files, is) => {
    const { posts, notes } = await read(files);
    expect(posts.T?.is).toBe(is);
    const isPlain = Object.keys(files).some((path) => path.includes("_drafts/"));
    if (is === "draft" && !isPlain) expect(notes).toContainEqual(expect.stringMatching(/“.+”/));
  });

  test.each([
    ["_drafts", { "t.md": POST }, false],
    ["_old", { "t.md": POST }, false],
    ["_old", { "_config.yml": "", "_posts/2020-01-01-t.md": POST }, true],
    ["old", { "t.md": POST }, true],
    ["Drafts", { "t.md": POST }, false],
    ["Private", { "t.md": POST }, false],
    ["members-only", { "more/t.md": POST }, false],
    ["Private", { "hugo.toml": "", "content/t.md": POST }, true],
  ])("the name of the folder that is imported: %s, %j", async (name, files, published) => {
    using folder = temporaryFolder();
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(folder.file(`${name}/${path}`)), { recursive: true });
      writeFileSync(folder.file(`${name}/${path}`), text);
    }
    using site = await stageFolder(folder.file(name), { fileName: name, now: new Date() });
    const [batch] = site?.records.batches("post", 10) ?? [];
    expect(batch?.map(({ record }) => record.published)).toEqual([published]);
  });

  test("names the file that says so, once for all of its posts", async () => {
    const files = { ...HUGO, "content/a/_index.md": "---\ncascade: {draft: true}\n---\n" };
    const { notes } = await read({
      ...files,
      "content/a/t.md": POST,
      "content/a/u.md": POST.replace("T", "U"),
    });
    expect(notes).toEqual([
      "Not published, but drafts: 2 posts that were not shown to everybody (“draft: true” in content/a/_index.md).",
    ]);
  });
});

describe("A post of Markdown", () => {
  const post = (text: string, name = "t.md") => ({ [name]: POST.replace("Words", text) });

  test.each<[text: string, name: string]>([
    ["Open {% comment %}Veiled{% endcomment %} end", "t.md"],
    ["Open {%- comment -%}\nVeiled\n{%- endcomment -%} end", "t.md"],
    ["Open {{< comment >}}Veiled{{< /comment >}} end", "t.md"],
    ["Open {{% comment %}}Veiled{{%/comment%}} end", "t.md"],
    ["Open\n\n{::comment}\nVeiled\n{:/comment}\n\nend", "t.md"],
    ["Open {{!-- Veiled --}} end", "t.md"],
    ["Open {# Veiled #} end", "t.md"],
    ["Open %%Veiled%% end", "t.md"],
    ["Open\n\n%%\nVeiled\n%%\n\nend", "t.md"],
    ["Open {/* Veiled */} end", "t.mdx"],
  ])("loses its comments: %j", async (text, name) => {
    const { posts, notes, rows } = await read(post(text, name));
    expect(posts.T?.is).toBe("public");
    expect(posts.T?.content).toMatch(/^Open[\s\S]*end$/);
    expect(JSON.stringify([posts, notes, rows])).not.toContain("Veiled");
    expect(notes).toEqual([
      expect.stringMatching(/^Left out, since no visitor saw it: comments \(“.+”\) of 1 post/),
    ]);
  });

  test.each([
    ["`{% comment %}` shown `{% endcomment %}`"],
    ["```\n%% shown %%\n```"],
    ["{% raw %}{% comment %}shown{% endcomment %}{% endraw %}"],
    ["{% comment %} shown"],
    ["100 %% shown"],
    ["%%timeit\nshown\n%%time\n"],
    ["## A {#shown}"],
    ["{/* shown */}"],
  ])("keeps what is no comment: %j", async (text) => {
    const { posts, notes } = await read(post(text));
    expect(posts.T?.content).toContain("shown");
    expect([posts.T?.is, notes]).toEqual(["public", []]);
  });

  test.each([
    ["<details><summary>Words</summary>shown</details>"],
    ['<div class="team-member">shown</div>'],
    ["<div class=team-member>shown</div>"],
    ["{{#each members}}shown{{/each}} {{#authors}}shown{{/authors}}"],
    ["::: tip\nshown\n:::"],
    ["<!-- only shown to members -->\n\nWords"],
    ["`<members-only>` and `{{#if shown}}`"],
  ])("is public with parts of other names: %s", async (text) => {
    const { posts, notes } = await read(post(text));
    expect(posts.T?.content).toContain("shown");
    expect([posts.T?.is, notes]).toEqual(["public", []]);
  });

  test.each([
    ["{% if site.dev %}Veiled{% endif %}", "t.md"],
    ["{% unless page.open %}Veiled{% endunless %}", "t.md"],
    ["{{< private >}}Veiled{{< /private >}}", "t.md"],
    ['{{% hugo-encryptor "x" %}}Veiled{{% /hugo-encryptor %}}', "t.md"],
    ["<MembersOnly>Veiled</MembersOnly>", "t.mdx"],
    ["<subscriber-only>Veiled</subscriber-only>", "t.md"],
    ['<div id="x" class="box members-only">Veiled</div>', "t.md"],
    ['<div className="box members-only">Veiled</div>', "t.mdx"],
    ['<div id="x" className={"members-only"}>Veiled</div>', "t.mdx"],
    ["<div className={styles.membersOnly}>Veiled</div>", "t.mdx"],
    ["<div class=members-only id=x>Veiled</div>", "t.md"],
    ["\n\n::: members\nVeiled\n:::", "t.md"],
    ["\n\n::: {.private}\nVeiled\n:::", "t.md"],
    ["{{#if @member}}Veiled{{/if}}", "t.md"],
    ["{{#members}}Veiled{{/members}}", "t.md"],
    ["{{~#user.isPremium~}}Veiled{{/user.isPremium}}", "t.md"],
    ["{{^ logged_in }}Veiled{{/ logged_in }}", "t.md"],
    ["{{#has visibility='paid'}}Veiled{{/has}}", "t.md"],
    ["<% unless current_user %>Veiled<% end %>", "t.md"],
    ["\n\n<!-- members-only -->\n\nVeiled", "t.md"],
    ['{{% timed start="2031-01-01" %}}Veiled{{% /timed %}}', "t.md"],
  ])("is a draft with a part for some readers: %j", async (text, name) => {
    const { posts, notes } = await read(post(`Open ${text}`, name));
    expect(posts.T?.is).toBe("draft");
    expect(notes).toEqual([expect.stringContaining("“a part: ")]);
  });
});

const wxr = (
  content: string,
  { status = "publish", more = "", date = "2020-01-01 10:00:00" } = {},
  items = "",
) =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
<item><title>T</title><content:encoded><![CDATA[${content}]]></content:encoded><wp:post_id>1</wp:post_id><wp:post_type>post</wp:post_type>
<wp:post_date_gmt>${date}</wp:post_date_gmt>${status === "" ? "" : `<wp:status>${status}</wp:status>`}${more}</item>${items}</channel></rss>`;
const meta = (key: string, value: string) => ({
  more: `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`,
});
const EXCERPT =
  '<excerpt:encoded xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/">[member]Veiled[/member]</excerpt:encoded>';
const wxrWithTerm = (slug: string) =>
  wxr(P, { more: `<category domain="category" nicename="${slug}">A</category>` }).replace(
    "<channel>",
    '<channel><wp:category><wp:category_nicename>inner</wp:category_nicename><wp:cat_name>A</wp:cat_name><wp:termmeta><wp:meta_key>rcp_restricted_meta</wp:meta_key><wp:meta_value>a:1:{s:12:"access_level";i:1;}</wp:meta_value></wp:termmeta></wp:category>',
  );
const P = "<!-- wp:paragraph --><p>Open words.</p><!-- /wp:paragraph -->";
const veiled = (attributes: string, name = "paragraph") =>
  `<!-- wp:${name} ${attributes} --><p>Veiled words.</p><!-- /wp:${name} -->`;

describe("A post of WordPress", () => {
  test.each<[what: string, xml: string, is: string]>([
    ["that is public", wxr(P), "public"],
    ["without a status", wxr(P, { status: "" }), "draft"],
    ["with a status of a plugin", wxr(P, { status: "in-review" }), "draft"],
    ["that is private", wxr(P, { status: "private" }), "draft"],
    ["that waits for its review", wxr(P, { status: "pending" }), "draft"],
    [
      "that is scheduled",
      wxr(P, { status: "future", date: "2031-01-01 10:00:00" }),
      "2031-01-01T10:00:00.000Z",
    ],
    ["that was scheduled for a time in the past", wxr(P, { status: "future" }), "draft"],
    ["that is public in the future", wxr(P, { date: "2031-01-01 10:00:00" }), "draft"],
    ["with a date that is not understood", wxr(P, { date: "01/02/2006" }), "draft"],
    ["with a password", wxr(P, { more: "<wp:post_password>geheim</wp:post_password>" }), "draft"],
    ["for paying subscribers", wxr(P, meta("_jetpack_newsletter_access", "paid_subscribers")), "draft"],
    ["for an audience of tomorrow", wxr(P, meta("_jetpack_newsletter_access", "patrons_only")), "draft"],
    ["for everybody", wxr(P, meta("_jetpack_newsletter_access", "everybody")), "public"],
    ["with roles of the plugin Members", wxr(P, meta("_members_access_role", "editor")), "draft"],
    ["with a level of a plugin", wxr(P, meta("rcp_access_level", "2")), "draft"],
    ["with no level of a plugin", wxr(P, meta("rcp_access_level", "None")), "public"],
    ["that is being edited", wxr(P, meta("_edit_lock", "1577836800:1")), "public"],
    ["with a field about something else", wxr(P, meta("_accessibility_title", "x")), "public"],
    ["with a paywall", wxr(`${P}<!-- wp:jetpack/paywall /-->${P}`), "draft"],
    ["with premium content", wxr(veiled("", "premium-content/subscriber-view")), "draft"],
    ["with a block for members", wxr(`${P}${veiled('{"levels":["1"]}', "pmpro/membership")}`), "draft"],
    [
      "with rules for a block",
      wxr(`${P}${veiled('{"metadata":{"blockVisibility":{"viewport":{"mobile":false}}}}')}`),
      "draft",
    ],
    [
      "with rules of a plugin",
      wxr(`${P}${veiled('{"blockVisibility":{"controlSets":[{"id":1}]}}')}`),
      "draft",
    ],
    ["with a switch of a plugin", wxr(`${P}${veiled('{"hideBlock":true}')}`), "draft"],
    ["with rules that cannot be read", wxr(`${P}${veiled('{"visibility":oops}')}`), "draft"],
    [
      "with a block that is shown",
      wxr(`${P}${veiled('{"metadata":{"blockVisibility":true},"align":"wide"}')}`),
      "public",
    ],
    ["with a shortcode for members", wxr("<p>Open</p>[members_only]<p>Veiled</p>[/members_only]"), "draft"],
    ["with a shortcode that ends what all see", wxr("<p>Open</p>[paywall]<p>Veiled</p>"), "draft"],
    [
      "with a condition in a shortcode",
      wxr("[s2If current_user_can(access_s2member_level1)]x[/s2If]"),
      "draft",
    ],
    ["with a password of blanks", wxr(P, { more: "<wp:post_password>  </wp:post_password>" }), "draft"],
    ["with a break for a password", wxr(P, { more: "<wp:post_password>\n</wp:post_password>" }), "public"],
    [
      "with several roles, of which the last is empty",
      wxr(P, { more: meta("_members_access_role", "editor").more + meta("_members_access_role", "").more }),
      "draft",
    ],
    ["for a group", wxr(P, meta("groups-read", "3")), "draft"],
    ["behind a gate", wxr(P, meta("newspack_content_gate_id", "7")), "draft"],
    ["that asks for signing in", wxr(P, meta("_login_required", "1")), "draft"],
    ["with a title that is hidden", wxr(P, meta("_navigation_title", "hide")), "public"],
    [
      "with a rule of a plugin beside it",
      wxr(
        P,
        {},
        "<item><title>All</title><wp:post_id>9</wp:post_id><wp:post_type>memberpressrule</wp:post_type><wp:status>publish</wp:status></item>",
      ),
      "draft",
    ],
    [
      "with a rule that is not in force",
      wxr(
        P,
        {},
        "<item><title>All</title><wp:post_id>9</wp:post_id><wp:post_type>memberpressrule</wp:post_type><wp:status>draft</wp:status></item>",
      ),
      "public",
    ],
    ["in a category for some readers", wxrWithTerm("inner"), "draft"],
    ["in another category", wxrWithTerm("other"), "public"],
    [
      "with a block for those who signed in",
      wxr(
        `${P}${veiled('{"contentControls":{"enabled":true,"rules":{"user":{"userStatus":"logged_in"}}}}')}`,
      ),
      "draft",
    ],
    [
      "with rules that are switched off",
      wxr(`${P}${veiled('{"contentControls":{"enabled":false,"rules":{"user":{}}}}')}`),
      "public",
    ],
    ["with a password in a shortcode", wxr('<p>Open</p>[ppx passwords="geheim"]Veiled[/ppx]'), "draft"],
    ["with a shortcode that hides", wxr('<p>Open</p>[hide for="!logged"]Veiled[/hide]'), "draft"],
    ["with a locker", wxr("<p>Open</p>[sociallocker]Veiled[/sociallocker]"), "draft"],
    [
      "with a module of Divi that is off",
      wxr('<p>Open</p>[et_pb_text disabled_on="on|on|off"]x[/et_pb_text]'),
      "draft",
    ],
    [
      "with a module of Divi that is on",
      wxr('<p>Open</p>[et_pb_text disabled_on="off|off|off"]x[/et_pb_text]'),
      "public",
    ],
    ["with a row that is off", wxr('<p>Open</p>[vc_row disable_element="yes"]Veiled[/vc_row]'), "draft"],
    [
      "with a container that is a draft",
      wxr('<p>Open</p>[fusion_text status="draft"]Veiled[/fusion_text]'),
      "draft",
    ],
    ["with a part for a day in the future", wxr(`${P}[timed ondate="20310101"]Veiled[/timed]`), "draft"],
    ["with a part for those who have paid", wxr(`${P}[pay_per_view]Veiled[/pay_per_view]`), "draft"],
    ["with a part for emails", wxr(`${P}[newsletter_only]Veiled[/newsletter_only]`), "draft"],
    ["with an element for members", wxr(`${P}<div class="members-only">Veiled</div>`), "draft"],
    ["with an element about a member", wxr(`${P}<div class="team-member">Ada</div>`), "public"],
    ["with a form to log in", wxr(`${P}[login]`), "public"],
    ["with a timetable", wxr(`${P}[schedule room="2"]`), "public"],
    ["with a timeline", wxr(`${P}[timeline]Open[/timeline]`), "public"],
    ["with an excerpt for members", wxr(P, { more: EXCERPT }), "draft"],
    [
      "with a block that is shown later",
      wxr(veiled('{"advgbBlockControls":[{"control":"schedule","enabled":true,"schedules":[{}]}]}')),
      "draft",
    ],
    [
      "with controls that are all off",
      wxr(`${P}${veiled('{"advgbBlockControls":[{"control":"schedule","enabled":false}]}')}`),
      "public",
    ],
    ["with a block around what is shown later", wxr(veiled("", "scheduled-content/container")), "draft"],
    ["that is hidden from the front page", wxr(P, meta("_wplp_post_front", "1")), "draft"],
    ["that is hidden from lists", wxr(P, meta("_exclude_from_home", "1")), "draft"],
    ["with content for roles", wxr(P, meta("_ure_content_for_roles", "editor")), "draft"],
    ["with a value that says so", wxr(P, meta("_wpuf_res_display", "loggedin")), "draft"],
    ["that is only not searched", wxr(P, meta("exclude_from_search", "1")), "public"],
    ["with a shortcode in code", wxr("<p>Open</p><code>[members_only]</code>"), "public"],
    ["with another shortcode", wxr("<p>Open</p>[contact-form-7 id=1]"), "public"],
    ["without any text", wxr(""), "draft"],
  ])("%s", async (_, xml, is) => {
    const { posts, notes } = await read(xml);
    expect(posts.T?.is).toBe(is);
    expect(notes.length > 0).toBe(is === "draft" && !xml.includes("pending"));
    expect(notes.join()).not.toContain("geheim");
  });

  test.each([
    ["a block", veiled('{"metadata":{"blockVisibility":false}}')],
    [
      "a group with blocks",
      `<!-- wp:group {"metadata":{"name":"x","blockVisibility":false}} --><div>${P.replace("Open", "Veiled")}${veiled("")}</div><!-- /wp:group -->`,
    ],
    [
      "a block that never ends",
      `<!-- wp:group {"metadata":{"blockVisibility":false}} --><p>Veiled words.</p>`,
    ],
    ["a pattern", '<!-- wp:block {"ref":2,"metadata":{"blockVisibility":false}} /-->'],
    ["a pattern that is no longer public", '<!-- wp:block {"ref":3} /-->'],
  ])("loses %s that is hidden, and nothing else", async (_, part) => {
    const pattern = (id: number, status: string) =>
      `<item><title>P</title><content:encoded>&lt;p&gt;Veiled words.&lt;/p&gt;</content:encoded><wp:post_id>${id}</wp:post_id><wp:post_type>wp_block</wp:post_type><wp:status>${status}</wp:status></item>`;
    const last = part.includes("/wp:") || part.includes("/-->") ? P.replace("Open", "Last") : "";
    const { posts, notes, rows } = await read(
      wxr(`${P}${part}${last}`, {}, pattern(2, "publish") + pattern(3, "draft")),
    );
    expect(posts.T?.is).toBe("public");
    expect(posts.T?.content).toContain("Open words.");
    if (last !== "") expect(posts.T?.content).toContain("Last words.");
    expect(JSON.stringify([posts, notes, rows])).not.toContain("Veiled");
    if (!part.includes(":3")) expect(notes).toEqual([expect.stringMatching(/^“T” comes in without blocks/)]);
  });

  test.each([
    [" 1 ", "", "shown"],
    ["1", "private_comment=1", "waiting"],
    ["1", "akismet_result=false", "shown"],
    ["0", "", "waiting"],
    ["spam", "", undefined],
    ["trash", "", undefined],
  ])("has a comment with %j and the field %j: %s", async (approved, field, status) => {
    const [key, value] = field.split("=");
    const more = `<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_author>A</wp:comment_author><wp:comment_content>Hi</wp:comment_content><wp:comment_approved>${approved}</wp:comment_approved><wp:commentmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value>${value}</wp:meta_value></wp:commentmeta></wp:comment>`;
    const { comments } = await read(wxr(P, { more }));
    expect(comments.join()).toBe(status ?? "");
  });

  test.each(["trash", "auto-draft", "inherit"])("with the status %s is left out", async (status) => {
    const { posts, rows } = await read(wxr(P, { status }));
    expect(posts).toEqual({});
    expect(rows).toMatchObject([
      { outcome: "skipped", reason: "status", detail: expect.stringContaining(status) },
    ]);
  });
});

const ghost = (post: object, meta: object = {}) =>
  JSON.stringify({
    db: [
      {
        meta: { exported_on: 1, version: "5.120.0" },
        data: {
          posts: [
            {
              ...{ id: "1", title: "T", slug: "t", type: "post", status: "published", visibility: "public" },
              ...{
                html: null,
                lexical: null,
                mobiledoc: null,
                published_at: "2020-01-01T10:00:00.000Z",
                ...post,
              },
            },
          ],
          posts_meta: [{ id: "m", post_id: "1", ...meta }],
        },
      },
    ],
  });
const ofGhostSite = (isPrivate: unknown) =>
  ghost({ html: "<p>Hi</p>" }).replace(
    '"posts":',
    `"settings":[{"id":"s","key":"is_private","value":${JSON.stringify(isPrivate)}}],"posts":`,
  );
const lexical = (...children: object[]) =>
  ghost({ lexical: JSON.stringify({ root: { type: "root", children } }) });
const mobiledoc = (...cards: unknown[][]) =>
  ghost({
    mobiledoc: JSON.stringify({
      version: "0.3.1",
      atoms: [],
      markups: [],
      cards,
      sections: cards.map((__, index) => [10, index]),
    }),
  });
const OPEN = { type: "paragraph", children: [{ type: "text", text: "Open words." }] };
const html = (visibility: unknown) =>
  lexical(OPEN, { type: "html", html: "<p>Veiled words.</p>", visibility });

describe("A post of Ghost", () => {
  test.each<[what: string, json: string, is: string]>([
    ["that is public", ghost({ html: "<p>Hi</p>" }), "public"],
    ["for members", ghost({ html: "<p>Hi</p>", visibility: "members" }), "draft"],
    ["for paying ones", ghost({ html: "<p>Hi</p>", visibility: "paid" }), "draft"],
    ["for tiers", ghost({ html: "<p>Hi</p>", visibility: "tiers" }), "draft"],
    ["for people that are not known", ghost({ html: "<p>Hi</p>", visibility: "filter" }), "draft"],
    ["that was sent by email alone", ghost({ html: "<p>Hi</p>", status: "sent" }), "draft"],
    [
      "that is scheduled to be sent by email alone",
      ghost(
        { html: "<p>Hi</p>", status: "scheduled", published_at: "2031-01-01T00:00:00.000Z" },
        { email_only: 1 },
      ),
      "draft",
    ],
    ["without a status", ghost({ html: "<p>Hi</p>", status: null }), "draft"],
    [
      "with a date in the future",
      ghost({ html: "<p>Hi</p>", published_at: "2031-01-01T00:00:00.000Z" }),
      "draft",
    ],
    [
      "that is scheduled",
      ghost({ html: "<p>Hi</p>", status: "scheduled", published_at: "2031-01-01T00:00:00.000Z" }),
      "2031-01-01T00:00:00.000Z",
    ],
    ["of a private site", ofGhostSite("true"), "draft"],
    ["of a private site, as a value", ofGhostSite(true), "draft"],
    ["of a site that is not private", ofGhostSite("false"), "public"],
    ["with a column that is not usual", ghost({ html: "<p>Hi</p>", members_only: true }), "draft"],
    ["with a mark among its other fields", ghost({ html: "<p>Hi</p>" }, { unlisted: 1 }), "draft"],
    ["with its plain text alone", ghost({ plaintext: "Hi" }), "draft"],
    ["without any text", ghost({}), "draft"],
    ["of an email card alone", lexical({ type: "email", html: "<p>Veiled words.</p>" }), "draft"],
    ["of an unknown card alone", lexical({ type: "poll", question: "Veiled words." }), "draft"],
  ])("%s", async (_, json, is) => {
    const { posts, notes, rows } = await read(json);
    expect(posts.T?.is).toBe(is);
    expect(notes.length > 0).toBe(is === "draft");
    expect(JSON.stringify([posts, notes, rows])).not.toContain("Veiled");
  });

  test.each<[what: string, json: string]>([
    ["an email card", lexical(OPEN, { type: "email", html: "<p>Veiled words.</p>" })],
    [
      "a call in emails",
      lexical(OPEN, { type: "email-cta", html: "<p>Veiled words.</p>", showButton: true }),
    ],
    ["a card for members", html({ web: { nonMember: false, memberSegment: "status:free" }, email: {} })],
    ["a card with a visibility that is not understood", html("members")],
    ["a card with a rule that is not understood", html({ someone: true })],
    ["a card that an earlier version shows in emails", html({ emailOnly: true, segment: "" })],
    ["a card that an earlier version does not show", html({ showOnWeb: false, showOnEmail: true })],
    [
      "an email card of the earlier editor",
      mobiledoc(["html", { html: "Open words." }], ["email", { html: "Veiled words." }]),
    ],
    [
      "a card for members of the earlier editor",
      mobiledoc(
        ["html", { html: "Open words." }],
        ["html", { html: "Veiled words.", visibility: { web: { nonMember: false } } }],
      ),
    ],
    [
      "a part for members",
      ghost({
        html: '<p>Open words.</p><!--kg-gated-block:begin nonMember:false memberSegment:"status:-free" --><p>Veiled words.</p><!--kg-gated-block:end-->',
      }),
    ],
    [
      "parts in one another",
      ghost({
        html: "<p>Open words.</p><!--kg-gated-block:begin nonMember:false --><!--kg-gated-block:begin nonMember:true -->Veiled<!--kg-gated-block:end-->Veiled<!--kg-gated-block:end-->",
      }),
    ],
    [
      "a part that never ends",
      ghost({ html: "<p>Open words.</p><!--kg-gated-block:begin nonMember:false --><p>Veiled words.</p>" }),
    ],
    [
      "a part without options",
      ghost({
        html: "<p>Open words.</p><!-- kg-gated-block:begin --><p>Veiled words.</p><!-- kg-gated-block:end -->",
      }),
    ],
    [
      "a part that is written otherwise",
      ghost({ html: "<p>Open words.</p><!--kg-gated-block:start nonMember:false --><p>Veiled words.</p>" }),
    ],
    [
      "a part for a segment",
      ghost({ html: '<p>Open words.</p><div data-gh-segment="status:free"><p>Veiled words.</p></div>' }),
    ],
    [
      "a part of Markdown",
      ghost({
        lexical: JSON.stringify({
          root: {
            children: [
              {
                type: "markdown",
                markdown:
                  "Open words.\n\n<!--kg-gated-block:begin nonMember:false -->Veiled<!--kg-gated-block:end-->",
              },
            ],
          },
        }),
      }),
    ],
    [
      "a part of an HTML card",
      lexical({
        type: "html",
        html: "<p>Open words.</p><!--kg-gated-block:begin nonMember:false -->Veiled<!--kg-gated-block:end-->",
      }),
    ],
  ])("loses %s, and nothing else", async (_, json) => {
    const { posts, notes, rows } = await read(json);
    expect(posts.T?.is).toBe("public");
    expect(posts.T?.content).toContain("Open words.");
    expect(JSON.stringify([posts, rows])).not.toContain("Veiled");
    expect(notes).toEqual([
      expect.stringMatching(/^Left out, since not every visitor saw it: a (?:card|part) /),
    ]);
  });

  test.each<[what: string, visibility: unknown]>([
    ["no visibility", undefined],
    ["an empty one", {}],
    ["one for visitors", { web: { nonMember: true, memberSegment: "" }, email: { memberSegment: "" } }],
    ["one of an earlier version", { showOnWeb: true, showOnEmail: false, segment: "" }],
    ["another one", { emailOnly: false, segment: "status:free" }],
  ])("keeps a card with %s", async (_, visibility) => {
    const { posts, notes } = await read(html(visibility));
    expect(posts.T?.content).toContain("Veiled words.");
    expect(notes).toEqual([]);
  });

  test("keeps text and address of cards that call for something", async () => {
    const { posts, notes } = await read(
      lexical(
        {
          type: "call-to-action",
          textValue: "<p>Join the choir.</p>",
          showButton: true,
          buttonText: "Join",
          buttonUrl: "https://ex.example/join",
        },
        {
          type: "signup",
          header: "Letters",
          subheader: "Once a month",
          disclaimer: "No spam",
          buttonText: "Subscribe",
        },
        {
          type: "header",
          header: "Big",
          subheader: "Small",
          buttonEnabled: true,
          buttonText: "Go",
          buttonUrl: "https://ex.example/go",
        },
      ),
    );
    const content = posts.T?.content ?? "";
    for (const words of [
      "Join the choir.",
      '<a href="https://ex.example/join">Join</a>',
      "<h2>Letters</h2>",
      "Once a month",
      "No spam",
      '<a href="https://ex.example/go">Go</a>',
    ])
      expect(content).toContain(words);
    expect([posts.T?.is, notes]).toEqual(["public", []]);
  });
});

const feed = (item: string) =>
  `<rss version="2.0" xmlns:app="http://www.w3.org/2007/app" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><item><title>T</title><description>Words</description><link>https://a.example/t</link>${item}</item></channel></rss>`;
const ofFeed = (channel: string) =>
  feed(DATED).replace("<channel>", `<channel xmlns:a="http://www.w3.org/2005/Atom">${channel}`);
const blogger = (entry: string) =>
  `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:blogger="http://schemas.google.com/blogger/2018" xmlns:app="http://www.w3.org/2007/app"><entry><id>1</id><blogger:type>POST</blogger:type><title>T</title><content type="html">Words</content>${entry}</entry></feed>`;
const ofBlog = (readers: string) =>
  blogger("<blogger:status>LIVE</blogger:status>").replace(
    "<entry>",
    `<entry><id>tag:blogger.com,1999:blog-1.settings.BLOG_READ_ACCESS_MODE</id><category scheme="http://schemas.google.com/g/2005#kind" term="http://schemas.google.com/blogger/2008/kind#settings"/><content type="text">${readers}</content></entry><entry>`,
  );
const csv = (row: Readonly<Record<string, string>>) =>
  `${Object.keys(row).join()}\n${Object.values(row).join()}`;
const substack = (row: Readonly<Record<string, string>>, text = "<p>Words</p>") => ({
  "posts.csv": csv({
    post_id: "1.t",
    post_date: "2020-01-01T00:00:00Z",
    is_published: "true",
    type: "newsletter",
    audience: "everyone",
    title: "T",
    ...row,
  }),
  "posts/1.t.html": text,
});
const beehiiv = (row: Readonly<Record<string, string>>) =>
  csv({
    web_title: "T",
    content_html: "<p>Words</p>",
    status: "confirmed",
    audience: "free",
    created_at: "2020-01-01",
    ...row,
  });
const buttondown = (row: Readonly<Record<string, string>>) => ({
  "emails.csv": csv({
    id: "1",
    subject: "T",
    publish_date: "2020-01-01",
    slug: "t",
    status: "sent",
    email_type: "public",
    ...row,
  }),
  "emails/t.md": "Words",
});
const medium = (date: string) => ({
  "posts/2020-01-01_T-efefef121212.html": `<article class="h-entry"><h1 class="p-name">T</h1><section class="e-content"><h3 class="graf--title">T</h3><p>Words</p></section><time class="dt-published" datetime="${date}">x</time></article>`,
});
const DATED = "<pubDate>Wed, 01 Jan 2020 10:00:00 GMT</pubDate>";

test.each<[what: string, file: Readonly<Record<string, string>> | string, is: string | undefined]>([
  ["An item of a feed", feed(DATED), "public"],
  ["An item without a date", feed(""), "public"],
  ["An item with a date that is not understood", feed("<pubDate>next week</pubDate>"), "draft"],
  [
    "An item with two dates of which one is not understood",
    feed(`${DATED}<dc:date>next week</dc:date>`),
    "draft",
  ],
  ["An item with an unknown zone", feed("<pubDate>Wed, 01 Jan 2020 10:00:00 XYZT</pubDate>"), "draft"],
  ["An item that is a draft", feed(`${DATED}<app:control><app:draft>yes</app:draft></app:control>`), "draft"],
  [
    "An item that is a draft, by another prefix",
    feed(`${DATED}<p:control><p:draft>yes</p:draft></p:control>`),
    "draft",
  ],
  ["An item for members", feed(`${DATED}<dc:accessRights>members</dc:accessRights>`), "draft"],
  ["An item that no directory lists", feed(`${DATED}<itunes:block>Yes</itunes:block>`), "draft"],
  ...[
    "http://www.itunes.com/dtds/podcast-1.0.dtd",
    "http://www.google.com/schemas/play-podcasts/1.0",
    "https://podcastindex.org/namespace/1.0",
    "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
  ].flatMap((namespace): [string, string, string][] => {
    const block = `<x:block xmlns:x="${namespace}">Yes</x:block>`;
    return [
      [`An item with an element of ${namespace}, by another prefix`, feed(DATED + block), "draft"],
      [`An item of a feed with one of ${namespace}`, ofFeed(block), "draft"],
    ];
  }),
  ["An item that directories list", feed(`${DATED}<itunes:block>no</itunes:block>`), "public"],
  ["An item of a feed that no directory lists", ofFeed("<itunes:block>yes</itunes:block>"), "draft"],
  ["One that one directory does not list", ofFeed('<podcast:block id="x">yes</podcast:block>'), "public"],
  [
    "An item of a reader's own feed",
    ofFeed('<a:link rel="self" href="https://a.example/rss?auth=geheim"/>'),
    "draft",
  ],
  ["One of such a path", ofFeed('<a:link rel="self" href="https://a.example/private/geheim.rss"/>'), "draft"],
  [
    "An item of everybody's feed",
    ofFeed('<a:link rel="self" href="https://a.example/rss?format=2"/>'),
    "public",
  ],
  ["An item that is private", feed(`${DATED}<visibility>private</visibility>`), "draft"],
  [
    "An entry of Blogger",
    blogger("<blogger:status>LIVE</blogger:status><published>2020-01-01T00:00:00Z</published>"),
    "public",
  ],
  ["An entry of a blog for some readers", ofBlog("PRIVATE"), "draft"],
  ["An entry of a blog for everybody", ofBlog("PUBLIC"), "public"],
  ["An entry with another status", blogger("<blogger:status>RESTRICTED</blogger:status>"), "draft"],
  ["An entry that is a draft", blogger("<app:control><app:draft>true</app:draft></app:control>"), "draft"],
  ["An entry with a date that is not understood", blogger("<published>soon</published>"), "draft"],
  ["A letter of Substack", substack({}), "public"],
  ["One for nobody that is named", substack({ audience: "" }), "draft"],
  ["One with a column that is not usual", substack({ is_hidden: "true" }), "draft"],
  ["One for payers", substack({ audience: "founding" }), "draft"],
  ["One that was never published", substack({ is_published: "" }), "draft"],
  ["One of another type", substack({ type: "adhoc_email" }), "draft"],
  ["One with a paywall", substack({}, '<p>Words</p><div class="paywall-jump"></div><p>More</p>'), "draft"],
  ["One with a date in the future", substack({ post_date: "2031-01-01T00:00:00Z" }), "draft"],
  ["A letter of Beehiiv", beehiiv({}), "public"],
  ["One of a status that is not known", beehiiv({ status: "archived" }), "draft"],
  ["One for premium readers", beehiiv({ audience: "premium" }), "draft"],
  ["One for an audience that is not known", beehiiv({ audience: "vips" }), "draft"],
  ["One that is free on the web, too", beehiiv({ web_audiences: "free;premium" }), "public"],
  ["One with a column that is not usual", beehiiv({ visibility: "hidden" }), "draft"],
  ["One with such a column that says public", beehiiv({ visibility: "public" }), "public"],
  ["One that is not in the feed", beehiiv({ hidden_from_feed: "true" }), "draft"],
  ["An email of Buttondown", buttondown({}), "public"],
  ["One that is only in the archive", buttondown({ email_type: "archival" }), "public"],
  ["One for paying readers", buttondown({ email_type: "premium" }), "draft"],
  ["One of a type that is not known", buttondown({ email_type: "churned" }), "draft"],
  ["One of a status that is not known", buttondown({ status: "errored" }), "draft"],
  [
    "One that is scheduled",
    buttondown({ status: "scheduled", publish_date: "2031-01-01" }),
    "2031-01-01T00:00:00.000Z",
  ],
  ["A story of Medium", medium("2020-01-01T00:00:00Z"), "public"],
  ["One with a date that is not understood", medium("1 o'clock"), "draft"],
])("%s", async (_, file, is) => {
  expect(await isOf(file)).toBe(is);
});
