import { describe, expect, test } from "bun:test";
import { stageSite } from "../../../src/transfer/stage-site.ts";
import { encoded } from "../../support/files/encoded.ts";
import { makeImage } from "../../support/files/images.ts";
import { importedFiles, importedFrom } from "../../support/files/imported-site.ts";
import { inMemory, zipOf } from "../../support/files/zip.ts";
import { countingModules, expectLinear } from "../../support/steps/count-steps.ts";

/** An entry. @param parts what follows its fields, without the line at their end */
function entry(fields: readonly string[], ...parts: readonly string[]): string {
  return `${[fields.join("\n"), ...parts].join("\n-----\n")}\n-----\n--------\n`;
}

const FIELDS = ["AUTHOR: Ada", "TITLE: T", "STATUS: Publish", "DATE: 05/01/2019 10:00:00"];

/** What is staged of a file. */
async function read(file: string | Uint8Array) {
  const bytes = typeof file === "string" ? Buffer.from(file) : file;
  using site = await stageSite(inMemory(bytes), { fileName: "blog", now: new Date("2026-11-22T10:00:00Z") });
  if (site === undefined) throw new Error("no format knows this file");
  return {
    format: site.format,
    posts: [...site.records.batches("post", 100)].flat().map(({ record }) => record),
    comments: [...site.records.batches("comment", 100)].flat().map(({ record }) => record),
    notes: [...site.records.notes].map(({ detail }) => detail),
    rows: [...site.records.rows],
  };
}

const one = async (...given: Parameters<typeof entry>) => (await read(entry(...given))).posts[0];

test("An export of TypePad is read with texts, tags, comments, dates and former addresses", async () => {
  const file = [
    entry(
      [
        ...[
          "AUTHOR: Ada",
          "AUTHOR EMAIL: ada@old.example",
          "TITLE: Fish &amp; <em>chips</em>",
          "STATUS: Publish",
        ],
        ...["ALLOW COMMENTS: 1", "CONVERT BREAKS: __default__", "ALLOW PINGS: 0", "BASENAME: fish_and_chips"],
        ...[
          "PRIMARY CATEGORY: Food",
          "CATEGORY: Food",
          "CATEGORY: Old maps",
          'TAGS: "Sea, salt",rye,@todo',
          "",
        ],
        ...[
          "UNIQUE URL: https://ada.typepad.example/blog/2019/05/fish.html ",
          "DATE: 05/01/2019 12:30:05 AM",
        ],
      ],
      "BODY:\nFirst line\nsecond line.\n\nNext.",
      "EXTENDED BODY:\n<p>More.</p>",
      "EXCERPT:\nIn <b>short</b>",
      "KEYWORDS:\nchips, frying",
      "\nCOMMENT:\nAUTHOR: Bo\nEMAIL: bo@old.example\nIP: 192.0.2.7\nURL: https://bo.example/\nDATE: 05/02/2019 01:00:00 PM\nTITLE: is mine.\nTwo\n\nlines.",
      "COMMENT:\nAUTHOR: Cy\nSECRET: 1\nPASS: 0123abcd\nDATE: 05/03/2019 13:00:00\nFor you alone.",
      "PING:\nTITLE: Elsewhere\nURL: https://elsewhere.example/\nIP: 192.0.2.8\nBLOG NAME: E\nDATE: 05/04/2019 01:00:00 PM\nOf it.",
      "CF50_mood:\nmerry",
    ),
    entry(
      ["AUTHOR: Ada", "TITLE: Later", "STATUS: Draft", "DATE: 06/01/2019 01:00:00 PM"],
      "BODY:\nNot yet.",
    ),
  ].join("");
  const { posts, comments, report } = await importedFrom(Buffer.from(file), "typepad.txt");
  expect(report.format).toBe("movable-type");
  expect(posts["Fish & chips"]).toMatchObject({
    ...{ published: true, published_at: "2019-05-01T00:30:05.000Z" },
    content: "<p>First line<br />\nsecond line.</p>\n<p>Next.</p>\n<p>More.</p>",
    publication: {
      ...{ kind: "post", slug: "fish-and-chips", summary: "In short" },
      tags: ["Food", "Old-maps", "Sea-salt", "rye", "chips", "frying"],
    },
    redirects: ["/blog/2019/05/fish.html"],
  });
  expect(posts.Later).toMatchObject({ published: false, redirects: [] });
  expect(comments.map(({ author, text, status, created_at }) => [author, text, status, created_at])).toEqual([
    ["Bo", "TITLE: is mine.\nTwo\n\nlines.", "shown", "2019-05-02T13:00:00.000Z"],
    ["Cy", "For you alone.", "waiting", "2019-05-03T13:00:00.000Z"],
  ]);
  expect(report.notes.map(({ detail }) => detail)).toEqual([
    "Trackbacks are not imported (1 part).",
    "Sections “CF50_mood” are not imported (1 part).",
    "Websites of commenters are not imported (1 comment).",
    "Private tags, which begin with “@”, are left out (1 post).",
    "The dates in this file have no time zone: they are read as UTC.",
    expect.stringContaining("Ada"),
  ]);
});

test("Hatena's export has the address and the picture of an entry", async () => {
  const fields = [
    ...FIELDS,
    "BASENAME: 2019/05/01/100000",
    "CONVERT BREAKS: 0",
    "IMAGE: https://p.example/a.jpg",
  ];
  const { posts } = await read(`--------\n${entry(fields, "BODY:\n<p>Hi</p>")}`);
  expect(posts[0]).toMatchObject({
    ...{ content: "<p>Hi</p>", redirects: ["/entry/2019/05/01/100000"] },
    publication: { image: "https://p.example/a.jpg" },
  });
});

describe("What is public", () => {
  const of = async (fields: readonly string[], body = "BODY:\n<p>Hi</p>") => {
    const { posts, notes, rows } = await read(entry(["TITLE: T", ...fields], body));
    const [post] = posts;
    const is =
      post === undefined ? rows[0]?.outcome : post.published ? "public" : post.publication?.publish_at;
    return { is: is ?? "draft", notes: notes.filter((note) => note.includes("becomes a draft")) };
  };
  const DATE = "DATE: 05/01/2019 10:00:00";
  test.each([
    [["STATUS: Publish", DATE], "public", ""],
    [["STATUS: publish", DATE, "ALLOW COMMENTS: 0", "ALLOW PINGS: 0"], "public", ""],
    [["STATUS: Draft", DATE], "draft", ""],
    [["STATUS: Draft", "STATUS: Publish", DATE], "draft", ""],
    [[DATE], "draft", "“STATUS: none”"],
    [["STATUS:", DATE], "draft", "“STATUS: none”"],
    [["STATUS: Review", DATE], "draft", "“STATUS: Review”"],
    [["STATUS: Unpublish", DATE], "draft", "“STATUS: Unpublish”"],
    [["STATUS: Junk", DATE], "skipped", ""],
    [["STATUS: Publish", "DATE: 01/31/2031 10:00:00 PM"], "draft", "date in the future"],
    [["STATUS: Future", "DATE: 01/31/2031 10:00:00 PM"], "2031-01-31T22:00:00.000Z", ""],
    [["STATUS: Future", DATE], "draft", "“STATUS: Future”"],
    [["STATUS: Publish", "DATE: 31/01/2019 10:00:00"], "draft", "“DATE: 31/01/2019 10:00:00”"],
    [["STATUS: Publish", DATE, "PASSWORD: x"], "draft", "had a password"],
    [["STATUS: Publish", DATE, "SECRET: 1"], "draft", "“SECRET: 1”"],
    [["STATUS: Publish", DATE, "CATEGORY: private"], "draft", "private"],
  ])("of %p is %p", async (fields, is, note) => {
    const found = await of(fields);
    expect(found.is).toBe(is);
    expect(found.notes).toEqual(note === "" ? [] : [expect.stringContaining(note)]);
  });

  test("without a text is a draft", async () => {
    expect((await of(["STATUS: Publish", DATE], "BODY:\n")).notes[0]).toContain("has no text");
  });
});

test.each([
  ["05/01/2019 12:00:00 AM", "2019-05-01T00:00:00.000Z"],
  ["05/01/2019 12:00:00 PM", "2019-05-01T12:00:00.000Z"],
  ["5/1/2019 9:05:00 pm", "2019-05-01T21:05:00.000Z"],
  ["03/20/2012 21:29:10 PM", "2012-03-20T21:29:10.000Z"],
  ["03/20/2012 00:29:10 AM", "2012-03-20T00:29:10.000Z"],
  ["03/20/99 10:00:00", "1999-03-20T10:00:00.000Z"],
  ["03/20/03 10:00:00", "2003-03-20T10:00:00.000Z"],
  ["2019-05-01 10:00:00", "2019-05-01T10:00:00.000Z"],
])("the date %p is read", async (date, created_at) => {
  expect(await one(["TITLE: T", "STATUS: Publish", `DATE: ${date}`], "BODY:\nHi")).toMatchObject({
    ...{ created_at, published: true },
  });
});

test.each([
  ["0", "<p>a</p>\n\nb\nc", "<p>a</p>\nb\nc"],
  ["richtext", "<p>a</p>", "<p>a</p>"],
  ["1", "a\nb", "<p>a<br />\nb</p>"],
  ["", "a\nb", "<p>a<br />\nb</p>"],
  ["", "<p>a\nb</p>", "<p>a\nb</p>"],
  ["markdown_with_smartypants", "# a\n\n- *b*\r\n", "# a\n\n- *b*"],
  ["textile_2", "a\nb", "<p>a<br />\nb</p>"],
])("text of the filter %p becomes HTML or stays Markdown", async (filter, body, content) => {
  const { posts, notes } = await read(entry([...FIELDS, `CONVERT BREAKS: ${filter}`], `BODY:\n${body}`));
  expect(posts[0]?.content).toBe(content);
  expect(notes.some((note) => note.includes("“textile_2”"))).toBe(filter === "textile_2");
});

describe("Lines of hyphens", () => {
  test("in a text are text, unless the next part follows", async () => {
    const body = "BODY:\n<p>a</p>\n-----\n<p>b</p>\n--------\n<p>c</p>\n-----\n\n-----";
    const file = `${entry(FIELDS, body, "\n\nEXCERPT:\nshort", "\n")}${entry(FIELDS, "BODY:\nd")}`;
    const { posts } = await read(file);
    expect(posts.map(({ content, publication }) => [content, publication?.summary])).toEqual([
      ["<p>a</p>\n-----\n<p>b</p>\n--------\n<p>c</p>", "short"],
      ["<p>d</p>", null],
    ]);
  });

  test("end an entry of any exporter, so that no draft becomes part of the one before", async () => {
    const open = entry(["ID: 1", ...FIELDS], "BODY:\nopen");
    const draft = entry(["ID: 2", "TITLE: D", "STATUS: Draft"], "BODY:\nveiled");
    const { posts } = await read(open + draft);
    expect(posts.map(({ title, published, content }) => [title, published, content])).toEqual([
      ["T", true, "<p>open</p>"],
      ["D", false, "<p>veiled</p>"],
    ]);
  });

  test("may be missing: then it is said", async () => {
    const { rows } = await read(
      `${entry(FIELDS, "BODY:\na")}TITLE: B\nSTATUS: Publish\nBODY:\nb\n--------\n`,
    );
    expect(rows[1]).toMatchObject({ outcome: "refused", title: "B" });
  });
});

test("pictures of the archive are found by their names, also with the sizes of TypePad", async () => {
  const shown = ["https://ada.typepad.example/.a/6a01-500wi", "/images/sun.jpg", "/images/moon.jpg"];
  const body = `BODY:\n<p>${shown.map((address) => `<img src="${address}">`).join("")}</p>`;
  const { posts, images } = await importedFiles({
    "blog.txt": entry([...FIELDS, "IMAGE: https://p.example/sun.jpg"], body),
    "files/6a01-pi.jpg": await makeImage("jpeg", { width: 20 }),
    "files/sun.jpg": await makeImage("jpeg", { width: 30 }),
    "a/moon.jpg": await makeImage("jpeg", { width: 40 }),
    "b/moon.jpg": await makeImage("jpeg", { width: 50 }),
  });
  const found = [...(posts.T?.content ?? "").matchAll(/src="([^"]*)"/g)].map(([, address]) => address);
  expect(images).toHaveLength(2);
  expect([...found.slice(0, 2).toSorted(), found[2]]).toEqual([...images, "/images/moon.jpg"]);
  expect(posts.T?.publication?.image).toBe(found[1] ?? "");
});

test.each(["shift_jis", "euc-jp"] as const)("a file in %s is read as such", async (encoding) => {
  const text = entry(["TITLE: ねこの日記", ...FIELDS.slice(2)], "BODY:\n<p>ひらがなとカタカナと漢字。</p>");
  const { posts, notes } = await read(encoded(text, encoding));
  expect(posts[0]).toMatchObject({ title: "ねこの日記", content: "<p>ひらがなとカタカナと漢字。</p>" });
  expect(notes[0]).toBe(`The file is not UTF-8. It is read as ${encoding}.`);
});

test("accents in windows-1252 are not taken for Japanese", async () => {
  const { posts } = await read(Buffer.from(entry(FIELDS, "BODY:\n<p>déjà vu, «très» élevé</p>"), "latin1"));
  expect(posts[0]?.content).toBe("<p>déjà vu, «très» élevé</p>");
});

test("several files of an archive, with the lines of other systems, are read", async () => {
  const zip = await zipOf([
    ["log/1.txt", entry(FIELDS, "BODY:\na").replaceAll("\n", "\r\n")],
    ["log/2.txt", `\ufeff${entry(FIELDS, "BODY:\nb").replaceAll("\n", "\r")}`],
    ["readme.txt", "Hello"],
  ]);
  const { format, posts } = await read(zip);
  expect([format, ...posts.map(({ content }) => content)]).toEqual(["movable-type", "<p>a</p>", "<p>b</p>"]);
});

test("takes steps in proportion to its length, whatever its lines", async () => {
  const { entriesOf } = await countingModules<typeof import("../../../src/readers/movable-type/entries.ts")>(
    import.meta.resolve("../../../src/readers/movable-type/entries.ts"),
  );
  const worst = ["-----\n", "--------\n", "\n", "\r", "COMMENT:\n", "-----\nX:\n", "-----\nx", "A: ", " "];
  for (const piece of worst)
    await expectLinear(async (length) => {
      const pieces = async function* () {
        yield* entry(FIELDS, `BODY:\na\n${piece.repeat(length)}`).match(/[\s\S]{1,50}/g) ?? [];
      };
      for await (const _ of entriesOf(pieces(), "blog.txt"));
    });
});
