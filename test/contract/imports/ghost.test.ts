import { describe, expect, test } from "bun:test";
import { messageOf } from "../../../src/errors.ts";
import { stageSite } from "../../../src/transfer/stage-site.ts";
import { makeImage } from "../../support/files/images.ts";
import { importedFrom } from "../../support/files/imported-site.ts";
import { inMemory, zipOf } from "../../support/files/zip.ts";

const MARKDOWN =
  "Some *text* with ![a](__GHOST_URL__/content/images/2020/01/sun.jpg).\n\n[There](__GHOST_URL__/second/)";

/** An export in the shape that Ghost 5 writes. */
const EXPORT = {
  db: [
    {
      meta: { exported_on: 1700000000000, version: "5.82.2" },
      data: {
        newsletters: [{ id: "n1", name: "Weekly" }],
        posts: [
          {
            ...{ id: "60a", uuid: "u1", title: "First", slug: "first", mobiledoc: null, comment_id: "60a" },
            lexical: '{"root":{"children":[{"type":"paragraph","children":[]}]}}',
            html: '<p>It is * not * Markdown.</p>\n\n<figure class="kg-card kg-image-card"><img src="__GHOST_URL__/content/images/size/w600/2020/01/sun.jpg" class="kg-image" alt="Sun" srcset="__GHOST_URL__/content/images/size/w600/2020/01/sun.jpg 600w"></figure><pre><code>a\n\nb</code></pre><p><a href="__GHOST_URL__/second/">There</a> <img src="__GHOST_URL__/content/images/gone.png"></p>',
            ...{
              plaintext: "x",
              feature_image: "__GHOST_URL__/content/images/2020/01/sun.jpg",
              featured: 0,
              type: "post",
            },
            ...{
              status: "published",
              locale: null,
              visibility: "public",
              created_at: "2020-01-01T10:00:00.000Z",
            },
            ...{ updated_at: "2020-01-03T10:00:00.000Z", published_at: "2020-01-02T10:00:00.000Z" },
            ...{ custom_excerpt: "In short.", canonical_url: "https://example.org/original" },
          },
          {
            ...{
              id: "60b",
              title: "Second",
              slug: "second",
              html: "<p>Some <em>text</em></p>",
              type: "post",
            },
            mobiledoc: JSON.stringify({
              ...{ version: "0.3.1", atoms: [], markups: [], cards: [["markdown", { markdown: MARKDOWN }]] },
              sections: [
                [10, 0],
                [1, "p", []],
              ],
            }),
            ...{
              status: "draft",
              visibility: "public",
              created_at: 1577872800000,
              updated_at: 1577872800000,
            },
          },
          {
            ...{
              id: "60c",
              title: "About",
              slug: "about",
              html: "Plain <b>words</b>.",
              type: "page",
              status: "published",
            },
            ...{
              visibility: "public",
              created_at: "2020-01-01T10:00:00.000Z",
              published_at: "2020-01-01T10:00:00.000Z",
            },
          },
          {
            ...{
              id: "60d",
              title: "Soon",
              slug: "soon",
              html: "<p>x</p>",
              type: "post",
              status: "scheduled",
            },
            ...{
              visibility: "public",
              created_at: "2020-01-01T10:00:00.000Z",
              published_at: "2199-01-01T10:00:00.000Z",
            },
          },
          {
            ...{
              id: "60e",
              title: "Paid",
              slug: "paid",
              html: "<p>x</p>",
              type: "post",
              status: "published",
            },
            ...{
              visibility: "paid",
              created_at: "2020-01-01T10:00:00.000Z",
              published_at: "2020-01-01T10:00:00.000Z",
            },
          },
        ],
        posts_authors: [{ id: "a1", post_id: "60a", author_id: "1", sort_order: 0 }],
        posts_meta: [{ id: "m1", post_id: "60c", meta_description: "Who we are" }],
        posts_tags: [
          { id: "t2", post_id: "60a", tag_id: "2", sort_order: 1 },
          { id: "t1", post_id: "60a", tag_id: "1", sort_order: 0 },
          { id: "t3", post_id: "60a", tag_id: "3", sort_order: 2 },
        ],
        tags: [
          { id: "1", name: "Getting Started", slug: "getting-started", visibility: "public" },
          { id: "2", name: "C#", slug: "c", visibility: "public" },
          { id: "3", name: "#internal", slug: "hash-internal", visibility: "internal" },
        ],
        users: [{ id: "1", name: "Ada Lovelace", slug: "ada", email: "ada@example.org", password: "secret" }],
      },
    },
  ],
};

describe("A blog of Ghost", () => {
  test("is imported with its HTML, tags, dates, drafts, and the pictures of its archive", async () => {
    const archive = await zipOf([
      ["blog.ghost.json", JSON.stringify(EXPORT)],
      ["content/images/2020/01/sun.jpg", await makeImage("jpeg")],
    ]);
    const { posts, images, report } = await importedFrom(archive, "ghost.zip");
    expect(report).toMatchObject({ format: "ghost", counts: { post: { added: 5 }, image: { added: 1 } } });
    const [image] = images;
    expect(posts.First).toMatchObject({
      content: `<p>It is * not * Markdown.</p>\n<figure class="kg-card kg-image-card"><img src="${image}" class="kg-image" alt="Sun"></figure><pre><code>a\n&#10;b</code></pre><p><a href="/second/">There</a> <img src="/content/images/gone.png"></p>`,
      published: true,
      created_at: "2020-01-01T10:00:00.000Z",
      updated_at: "2020-01-03T10:00:00.000Z",
      published_at: "2020-01-02T10:00:00.000Z",
      publication: {
        ...{ kind: "post", slug: "first", summary: "In short.", tags: ["Getting-Started", "C#"], image },
        canonical_url: "https://example.org/original",
      },
      redirects: ["/first"],
    });
    expect(posts.Second).toMatchObject({
      content: MARKDOWN.replace("__GHOST_URL__/content/images/2020/01/sun.jpg", image ?? "").replace(
        "__GHOST_URL__",
        "",
      ),
      published: false,
      created_at: "2020-01-01T10:00:00.000Z",
    });
    expect(posts.About).toMatchObject({
      content: "<div>\nPlain <b>words</b>.\n</div>",
      publication: { kind: "page", slug: "about", summary: "Who we are" },
    });
    expect(posts.Soon).toMatchObject({
      published: false,
      publication: { publish_at: "2199-01-01T10:00:00.000Z" },
    });
    expect(posts.Paid).toMatchObject({ published: false, publication: { publish_at: null } });
    expect(report.notes.map(({ code }) => code)).toEqual([
      "not_public",
      "picture_missing",
      "not_taken",
      "account_unknown",
    ]);
    expect(JSON.stringify([posts, report])).not.toContain("secret");
  });

  test("is imported from its JSON alone, however it is formatted and escaped", async () => {
    const text = JSON.stringify(EXPORT, null, 2).replace(
      '"Plain <b>',
      String.raw`"Pl\uFEFFain${"\ufeff"} <b>`,
    );
    const { posts } = await importedFrom(Buffer.from(`\ufeff${text}`), "-");
    expect(Object.keys(posts)).toHaveLength(5);
    expect(posts.About?.content).toContain("Pl\ufeffain\ufeff <b>");
    expect(posts.First?.content).toContain('src="/content/images/size/w600/2020/01/sun.jpg"');
  });

  test("is imported from version 6, with what the editor stored of posts without HTML, and a line for comments of a backup", async () => {
    const unrendered = {
      ...{ id: "70a", title: "Unrendered", slug: "unrendered", type: "post", status: "draft", html: null },
      lexical: '{"root":{"children":[{"type":"paragraph","children":[{"text":"Lost"}]}]}}',
      ...{ visibility: "public", created_at: "2025-09-01T10:00:00.000Z", show_title_and_feature_image: 1 },
    };
    const damaged = {
      ...{ ...unrendered, id: "70b", title: "Damaged", slug: "damaged", status: "published", lexical: "{" },
    };
    const data = EXPORT.db[0]?.data;
    if (data === undefined) throw new Error("there is no data");
    const backup = {
      ...{ ...data, posts: [...data.posts, unrendered, damaged] },
      comments: [{ id: "c1", post_id: "60a", member_id: "m1", html: "<p>Hi</p>", status: "published" }],
    };
    const meta = { exported_on: 1760000000000, version: "6.0.3" };
    const { posts, report } = await importedFrom(
      Buffer.from(JSON.stringify({ db: [{ meta, data: backup }] })),
    );
    expect(Object.keys(posts)).toHaveLength(7);
    expect(posts.Unrendered).toMatchObject({ content: "<p>Lost</p>", published: false });
    expect(posts.Damaged).toMatchObject({ content: "``````json\n{\n``````", published: false });
    const details = report.notes.map(({ detail }) => detail);
    expect(details).toContain(
      "“Damaged” cannot be read: it becomes a draft with what Ghost's editor has stored.",
    );
    expect(details).toContain("“comments” of Ghost is not imported.");
  });

  test("is refused as a whole where the JSON is damaged, with the line", async () => {
    const text = JSON.stringify(EXPORT, null, 2);
    const refusal = (damaged: string) =>
      stageSite(inMemory(Buffer.from(damaged)), { fileName: "g.json", now: new Date() }).then(
        () => "read",
        messageOf,
      );
    const line = text.slice(0, 2_000).split("\n").length;
    expect(await refusal(text.slice(0, 2_000))).toMatch(new RegExp(`^g\\.json, line ${line}: not JSON`));
    const wrong = text.replace('"uuid": "u1"', '"uuid": oops');
    const at = wrong.slice(0, wrong.indexOf("oops")).split("\n").length;
    expect(await refusal(wrong)).toMatch(new RegExp(`^g\\.json, line ${at}: not JSON`));
    const latin = Buffer.from(text.replace('"uuid": "u1"', '"uuid": "\xe9"'), "latin1");
    await expect(stageSite(inMemory(latin), { fileName: "g.json", now: new Date() })).rejects.toThrow(
      "g.json: not UTF-8. Nothing was imported.",
    );
  });
});
