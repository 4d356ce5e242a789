import { expect, test } from "bun:test";
import { stageSite } from "../../../src/transfer/stage-site.ts";
import { inMemory, zipOf } from "../../support/files/zip.ts";

/** What is staged of a file, with who sees each post. */
async function read(file: unknown) {
  const bytes = file instanceof Uint8Array ? file : Buffer.from(JSON.stringify(file));
  using site = await stageSite(inMemory(bytes), { fileName: "blog", now: new Date("2026-11-22T10:00:00Z") });
  if (site === undefined) throw new Error("no format knows this file");
  return {
    format: site.format,
    posts: [...site.records.batches("post", 100)].flat().map(({ record }) => record),
    is: [...site.records.batches("post", 100)]
      .flat()
      .map(({ record }) => (record.published ? "public" : (record.publication?.publish_at ?? "draft"))),
    notes: [...site.records.notes].map(({ detail }) => detail),
  };
}

const POST = { id: "abcdefghij", slug: "first", appearance: "norm", created: "2020-01-01T00:00:00Z" };

/** A file of WriteFreely with a post in a blog. */
const writefreely = (post: object, blog: object = { public: true }) => ({
  username: "ada",
  collections: [
    { alias: "ada", title: "Ada", ...blog, posts: [{ ...POST, title: "T", body: "Hi.", ...post }] },
  ],
  posts: [],
});

test("WriteFreely's JSON is read: texts in Markdown, tags, dates and former addresses", async () => {
  const body = "# One\n\nHello *words*.\n\n- a\n\n#x";
  const { format, posts } = await read(
    writefreely({ title: "", body, tags: ["x"], updated: "2020-02-01T00:00:00Z" }),
  );
  expect(format).toBe("writefreely");
  expect(posts[0]).toMatchObject({
    ...{ title: "One", content: body, published: true, redirects: ["/ada/first"] },
    ...{ created_at: "2020-01-01T00:00:00.000Z", updated_at: "2020-02-01T00:00:00.000Z" },
    publication: { slug: "first", tags: ["x"] },
  });
});

test.each([
  ["a blog of which it is not said", writefreely({}, {}), "draft", "public: not said"],
  ["a blog that is not public", writefreely({}, { public: false }), "draft", "public: false"],
  ["a date in the future", writefreely({ created: "2031-01-01T00:00:00Z" }), "2031-01-01T00:00:00.000Z", ""],
  ["a part for subscribers", writefreely({ body: "a\n\n<!--paid-->\n\nb" }), "draft", "paid"],
  ["no text", writefreely({ body: "" }), "draft", "has no text"],
])("of WriteFreely, with %s", async (_, file, is, note) => {
  const found = await read(file);
  expect(found.is).toEqual([is]);
  expect(found.notes).toEqual(note === "" ? [] : [expect.stringContaining(note)]);
});

test("of WriteFreely, posts in no blog are drafts", async () => {
  const found = await read({ ...writefreely({}), posts: [{ ...POST, slug: null, title: "Two", body: "b" }] });
  expect(found.is).toEqual(["public", "draft"]);
});

const ARTICLE = {
  ...{ body_markdown: "Hi *you*.", cached_tag_list: "bun, web dev", cached_user_username: "ada" },
  ...{
    description: "In short",
    main_image: "https://p.example/a.jpg",
    path: "/ada/first-1a2b",
    processed_html: "<p>Hi</p>",
  },
  ...{
    published: true,
    published_at: "2020-01-01T00:00:00Z",
    published_from_feed: false,
    show_comments: true,
  },
  ...{ slug: "first-1a2b", title: "First", crossposted_at: null, video: null, language: "en" },
};

test("DEV's articles are read from its zip, with front matter and embedded pages", async () => {
  const body_markdown =
    "---\ntitle: First\npublished: true\ntags: bun\n---\n\nSee {% embed https://e.example/x %}\n\n```\n{% embed https://e.example/y %}\n```\n\n{% user ada %}";
  const zip = await zipOf([
    ["articles.json", JSON.stringify([{ ...ARTICLE, body_markdown }])],
    ["comments.json", "[]"],
  ]);
  const { format, posts, is, notes } = await read(zip);
  expect([format, is]).toEqual(["forem", ["public"]]);
  expect(posts[0]).toMatchObject({
    ...{ title: "First", redirects: ["/ada/first-1a2b"] },
    content: "See <https://e.example/x>\n\n```\n{% embed https://e.example/y %}\n```\n\n{% user ada %}",
    publication: {
      ...{ slug: "first-1a2b", summary: "In short", tags: ["bun", "web-dev"] },
      image: "https://p.example/a.jpg",
    },
  });
  expect(notes).toContain("The tag “user” stays as it is in 1 post.");
});

test.each([
  ["published", {}, "public"],
  ["a draft", { published: false, published_at: null }, "draft"],
  ["of which it is not said", { published: undefined }, "draft"],
  ["a draft in its front matter", { body_markdown: "---\npublished: false\n---\nHi" }, "draft"],
  ["with front matter that cannot be read", { body_markdown: "---\na: [\n---\nHi" }, "draft"],
  ["published later", { published_at: "2031-01-01T00:00:00Z" }, "2031-01-01T00:00:00.000Z"],
  ["private", { private: true }, "draft"],
])("of DEV, an article that is %s", async (_, members, is) => {
  expect((await read([{ ...ARTICLE, ...members }])).is).toEqual([is]);
});

test("a file that is cut off says so", async () => {
  const file = Buffer.from(JSON.stringify([ARTICLE]).slice(0, -5));
  await expect(read(file)).rejects.toThrow("is not valid JSON");
});

test.each([
  [["posts/html/123456789.html", "media/123456789.png", "payload-0.json"], "is an export of Tumblr"],
  [
    ["ada/first_abcdefghij.txt", "ada/second-one_abcdefghik.txt", "abcdefghil.txt"],
    "is WriteFreely's archive of texts",
  ],
])("an archive that is not read is named: %p", async (paths, named) => {
  const zip = await zipOf(paths.map((path) => [path, "x"] as const));
  await expect(read(zip)).rejects.toThrow(named);
});
