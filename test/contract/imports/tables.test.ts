import { describe, expect, test } from "bun:test";
import { wixContent } from "../../../src/readers/tables/wix-content.ts";
import { importedFiles, importedFrom } from "../../support/files/imported-site.ts";
import { countingModules, expectLinear } from "../../support/steps/count-steps.ts";

const field = (text: string) => `"${text.replaceAll('"', '""')}"`;
const table = (...rows: readonly (readonly string[])[]) =>
  rows.map((row) => row.map(field).join(",")).join("\n");

const HTML = `<html><head><style>p{}</style></head><body><div style="display:none">Preview</div><table role="none"><tr id="content-blocks"><td class="dd"><table role="none"><tr><td><p>Some <b>text</b>.</p><div style="display: none">Hidden</div></td></tr></table></td></tr></table></body></html>`;
const BEEHIIV = table(
  [
    "id",
    "web_title",
    "status",
    "audience",
    "content_tags",
    "url",
    "web_subtitle",
    "content_html",
    "thumbnail_url",
    "created_at",
  ],
  [
    "a",
    "Fish & chips",
    "confirmed",
    "free",
    "Old maps; Rye",
    "https://ada.beehiiv.com/p/fish",
    "In short",
    HTML,
    "uploads/asset/a.png",
    "2023-01-18 21:25:27",
  ],
  [
    "b",
    "Paid",
    "confirmed",
    "premium",
    "",
    "https://ada.beehiiv.com/p/paid",
    "",
    "<p>x</p>",
    "",
    "2023-01-19 21:25:27",
  ],
  [
    "c",
    "Draft",
    "draft",
    "free",
    "",
    "",
    "",
    "<table><tr><th>Head</th></tr></table>",
    "",
    "2023-01-19 21:25:27",
  ],
).concat('\nd,Say "hi" now,confirmed,free,,,,<p>x</p>,,2023-01-19 21:25:27');

const text = (words: string, ...decorations: object[]) => ({
  type: "TEXT",
  textData: { text: words, decorations },
});
const RICH = {
  nodes: [
    { type: "PARAGRAPH", nodes: [text("Hello "), text("<world>", { type: "BOLD" }, { type: "COLOR" })] },
    { type: "PARAGRAPH", nodes: [] },
    { type: "HEADING", headingData: { level: 3 }, nodes: [text("Head")] },
    {
      type: "BULLETED_LIST",
      nodes: [
        {
          type: "LIST_ITEM",
          nodes: [
            {
              type: "PARAGRAPH",
              nodes: [text("there", { type: "LINK", linkData: { link: { url: "https://a.example/?b&c" } } })],
            },
          ],
        },
      ],
    },
    {
      type: "IMAGE",
      imageData: { image: { src: { id: "ab_1~mv2.jpg" } }, altText: 'A "sun"' },
      nodes: [{ type: "CAPTION", nodes: [text("Sun")] }],
    },
    { type: "DIVIDER" },
    { type: "POLL" },
    { type: "COLLAPSIBLE_LIST", nodes: [text("In it")] },
  ],
};
const WIX = table(
  [
    "Author",
    "Main Category",
    "Title",
    "Excerpt",
    "Slug",
    "Plain Content",
    "Cover Image",
    "Published Date",
    "Categories",
    "Rich Content",
    "Post Page URL",
    "Tags",
  ],
  [
    "Ada",
    "News",
    "Hello",
    "In short",
    "hello",
    "Hello <world>\nHead\nthere\nSun\nIn it\nand two words",
    "wix:image://v1/c_2~mv2.png/c.png#originWidth=1",
    "2025-10-01T10:00:00Z",
    "Rye, 5f0c1b2d3e4f5a6b7c8d9e0f",
    JSON.stringify(RICH),
    "/post/hello",
    '["Old maps","Rye"]',
  ],
  ["", "", "Plain", "", "", "One & two\n\nThree", "", "", "", "not json", "/post/plain", ""],
);

describe("Posts in a table", () => {
  test("of Beehiiv are read without the page of the email; what was for payers stays hidden", async () => {
    const { posts, report } = await importedFiles({ "export/posts.csv": BEEHIIV, "export/logo.png": "x" });
    expect(report.format).toBe("beehiiv");
    expect(posts["Fish & chips"]).toMatchObject({
      ...{
        content: "<p>Some <b>text</b>.</p>",
        published_at: "2023-01-18T21:25:27.000Z",
        redirects: ["/p/fish"],
      },
      publication: {
        ...{ slug: "fish", summary: "In short", tags: ["Old-maps", "Rye"] },
        image: "https://media.beehiiv.com/cdn-cgi/image/quality=100/uploads/asset/a.png",
      },
    });
    expect(posts['Say "hi" now']).toMatchObject({ published: true });
    expect(posts.Paid).toMatchObject({ published: false, redirects: [] });
    expect(posts.Draft).toMatchObject({ published: false, content: "<table><tr><th>Head</th></tr></table>" });
    expect(report.notes.map(({ code }) => code)).toEqual(["not_public", "picture_linked"]);
  });

  test("of Wix are read from its editor's text; words that only the plain text has are named", async () => {
    const { posts, report } = await importedFrom(Buffer.from(WIX), "posts.csv");
    expect(report.format).toBe("wix");
    expect(posts.Hello).toMatchObject({
      ...{ published: true, published_at: "2025-10-01T10:00:00.000Z", redirects: ["/post/hello"] },
      content: `<p>Hello <strong>&lt;world></strong></p>
<h3>Head</h3>
<ul><li><p><a href="https://a.example/?b&amp;c">there</a></p></li></ul>
<figure><img src="https://static.wixstatic.com/media/ab_1~mv2.jpg" alt="A &quot;sun&quot;"><p>Sun</p></figure>
<hr>
In it`,
      publication: {
        ...{ slug: "hello", summary: "In short", tags: ["News", "Rye", "Old-maps"] },
        image: "https://static.wixstatic.com/media/c_2~mv2.png",
      },
    });
    expect(posts.Plain).toMatchObject({
      ...{ published: false, content: "<p>One &amp; two</p>\n<p>Three</p>" },
    });
    expect(report.notes.map(({ detail }) => detail)).toEqual([
      "Left out: 1 part of the kind “POLL”.",
      "“Hello”: 3 words of its text do not come in: “and two words”.",
      "2 pictures stay at static.wixstatic.com, unless they are brought along.",
      expect.stringContaining("Ada"),
    ]);
  });

  test("of Beehiiv stay hidden if a date cannot be read, any column names payers, or no status is there", async () => {
    const rows = [
      ["web_title", "status", "audience", "web_audiences", "content_html", "created_at"],
      ["Undated", "confirmed", "", "free", "<p>x</p>", "yesterday"],
      ["Paid", "confirmed", "", "premium", "<p>x</p>", "2023-01-19 21:25:27"],
    ];
    const second = table(["web_title", "content_html"], ["Elsewhere", "<p>y</p>"]);
    const { posts, report } = await importedFiles({ "a/posts.csv": table(...rows), "b/posts.csv": second });
    expect(posts.Undated).toMatchObject({ published: false });
    expect(posts.Paid).toMatchObject({ published: false });
    expect(posts.Elsewhere).toMatchObject({ published: false });
    expect(report.notes.map(({ code }) => code)).toEqual([
      ...["not_public", "not_public", "not_public"],
      "date_missing",
    ]);
  });

  test("of Wix whose dates cannot be read become drafts, with a note", async () => {
    const wix = table(
      ["Title", "Plain Content", "Rich Content", "Post Page URL", "Published Date"],
      ["Undated", "x", "", "/post/undated", "1.10.25 at noon"],
    );
    const { posts, report } = await importedFrom(Buffer.from(wix), "posts.csv");
    expect(posts.Undated).toMatchObject({ published: false });
    expect(report.notes.map(({ detail }) => detail)).toEqual([
      "“Undated” has a date that is not understood (“Published Date: 1.10.25 at noon”): it becomes a draft.",
    ]);
  });

  test.each([
    { type: { toString: 1 }, nodes: [text("a")] },
    { type: "constructor", nodes: [text("a")] },
    {
      type: "PARAGRAPH",
      nodes: [{ type: "TEXT", textData: { text: "a", decorations: [null, { type: "toString" }] } }],
    },
    { type: "BUTTON", buttonData: { text: "a", link: { url: { toString: 1 } } } },
    {
      type: "IMAGE",
      imageData: { image: { src: { id: { toString: 1 } } }, altText: [] },
      nodes: [text("a")],
    },
  ])("of Wix with something else than expected lose no words: %j", (node) => {
    const html = wixContent(JSON.stringify({ nodes: [node] }), () => {}) ?? "";
    expect(html.replaceAll(/<[^<>]*>/g, "")).toBe("a");
  });

  test("of more than 100,000 rows are refused before they take the memory", async () => {
    const many = `${table(["web_title", "content_html"])}\n${"a\n".repeat(100_001)}`;
    await expect(importedFiles({ "posts.csv": many, "logo.png": "x" })).rejects.toThrow(
      "posts.csv has more than 100,000 rows. Nothing was imported.",
    );
  });

  test.each(['{"nodes":[', '{"type":"PARAGRAPH","nodes":['])(
    "of Wix take time that grows with them alone: %s",
    async (opening) => {
      const { wixContent } = await countingModules<
        typeof import("../../../src/readers/tables/wix-content.ts")
      >(import.meta.resolve("../../../src/readers/tables/wix-content.ts"));
      await expectLinear((length) => wixContent(opening.repeat(length), () => {}));
      await expectLinear((length) => wixContent(`{"nodes":[${`${opening}]},`.repeat(length)}{}]}`, () => {}));
      await expectLinear(
        (length) => wixContent(`{"nodes":[${opening.repeat(length)}${"]}".repeat(length)}]}`, () => {}),
        { length: 500 },
      );
    },
  );
});
