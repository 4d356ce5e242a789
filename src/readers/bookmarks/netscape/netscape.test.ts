import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parseNetscape } from "../../../../test/support/files/parse-netscape.ts";
import { isFullRun, rounds } from "../../../../test/support/run/full-run.ts";
import { countingModules, expectLinear } from "../../../../test/support/steps/count-steps.ts";
import type { FileRow } from "../bookmark-format.ts";
import { NetscapeReader } from "./netscape.ts";

const DOCTYPE = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n";

describe("an address", () => {
  test.each([
    ["?a=1&copy=2", "?a=1&copy=2", "raw, as Chrome writes it"],
    ["?a=1&copy", "?a=1&copy", "raw, at the end"],
    ["?a=1&copy2", "?a=1&copy2", "raw, before a digit"],
    ["?a=1&copy&reg=2", "?a=1&copy&reg=2", "raw, before another"],
    ["?a=1&amp;copy=2", "?a=1&copy=2", "escaped, as the standard asks"],
    ["?a=1&#38;b&#x26;c&quot;", '?a=1&b&c"', "by number and by name"],
    ["?a=1&amp;amp;b", "?a=1&amp;b", "escaped once, so decoded once"],
    ["?a=1&#38b&#x26", "?a=1&#38b&#x26", "by a number that does not end"],
    ["?q=%s", "?q=%s", "with the place for a Firefox keyword's words"],
  ])("%j is read as %j: %s", (written, address) => {
    expect(only(`<DL><DT><A HREF="http://x/${written}">t</A></DL>`).url).toBe(`http://x/${address}`);
  });

  test("may be in single quotes or unquoted, and its attribute in any case", () => {
    for (const attribute of ["href='http://x/?a&b'", "Href=http://x/?a&b", 'HREF = "http://x/?a&b"'])
      expect(only(`<dl><dt><a ${attribute} ADD_DATE=5>t</a></dl>`)).toMatchObject({
        url: "http://x/?a&b",
        date: "5",
      });
  });

  test("is the first of two attributes", () => {
    expect(only(`<DL><DT><A HREF="http://x/1" href="http://x/2">t</A></DL>`).url).toBe("http://x/1");
  });

  test("may be missing", () => {
    expect(only("<DL><DT><A NAME=x>t</A></DL>").url).toBe("");
  });
});

describe("a title", () => {
  test.each([
    ["Q &amp; A &lt;b&gt; &#39;x&#39;", "Q & A <b> 'x'"],
    ["AT&T &copy 2020 &notin", "AT&T &copy 2020 &notin"],
    ["a <b>bold</b> <i>title", "a bold title"],
    ["a < b <3 c", "a < b <3 c"],
    ["two<br>lines", "two lines"],
    ["how to use <script> and <title>", "how to use  and "],
    ["", ""],
  ])("%j is read as %j", (written, title) => {
    expect(only(`<DL><DT><A HREF="http://x/">${written}</A></DL>`).title).toBe(title);
  });

  test("ends at the next bookmark if its end tag is missing", () => {
    const rows = parse(`<DL><DT><A HREF="http://x/1">one\n<DT><A HREF="http://x/2">two\n<DD>text</DL>`);
    expect(rows.map(({ title, description }) => [title, description])).toEqual([
      ["one\n", ""],
      ["two\n", "text"],
    ]);
  });
});

describe("a description", () => {
  test.each([
    ["one line\n    ", "one line"],
    ["\n  List:\n  - one\n    - two\n\nEnd\n", "List:\n  - one\n    - two\n\nEnd"],
    ["a &amp; b", "a & b"],
    ["one<br>two<p>three</p>four", "one\ntwo\nthree\nfour"],
    ["see <a href='http://y/?a&amp;b'>the docs</a>.", "see the docs (http://y/?a&b)."],
    ["<a href='http://y/'>http://y/</a>", "http://y/"],
    ["<a href='http://y/'></a>", "http://y/"],
    [
      "<img src='http://y/i.png' alt='A cat'><img src='data:image/png;base64,AAAA'>",
      "A cat (http://y/i.png)",
    ],
    ["<a href='http://y/'>never <a href='http://z/'>closed", "never (http://y/) closed (http://z/)"],
    ["text\n<HR>", "text"],
    ["<script>alert(1)</script>", "alert(1)"],
    ["<!-- nothing -->", ""],
  ])("%j is read as %j", (written, description) => {
    const [row, next] = parse(
      `<DL><DT><A HREF="http://x/">t</A>\n<DD>${written}\n<DT><A HREF="http://x/2">u</A></DL>`,
    );
    expect([row?.description, next?.url]).toEqual([description, "http://x/2"]);
  });

  test("may be in an attribute, as in Scuttle's exports", () => {
    expect(only(`<DL><DT><A HREF="http://x/" description="one">t</A><DD>two</DL>`).description).toBe(
      "one\ntwo",
    );
    expect(only(`<DL><DT><A HREF="http://x/" description="one">t</A><DD>one</DL>`).description).toBe("one");
  });

  test("of a folder does not belong to a bookmark", () => {
    const file = parseNetscape(
      `<DL><DT><H3>F</H3>\n<DD>the folder's\n<DL><DT><A HREF="http://x/">t</A><DD>its own</DL></DL>`,
    );
    expect(file?.rows.map(({ description }) => description)).toEqual(["its own"]);
    expect(file?.describedFolders).toEqual([{ line: 1, name: "F" }]);
  });

  test("of a browser's built-in folder is ignored", () => {
    const file = parseNetscape(
      `<DL><DT><H3 PERSONAL_TOOLBAR_FOLDER="true">Bar</H3><DD>Add bookmarks here<DL></DL></DL>`,
    );
    expect(file?.describedFolders).toEqual([]);
  });
});

describe("folders", () => {
  test("nest and end; the browsers' built-in folders are in the path, but not in the tag", () => {
    const rows = parse(`${DOCTYPE}<DL><p>
      <DT><H3 PERSONAL_TOOLBAR_FOLDER="true">Lesezeichenleiste</H3><DL><p>
        <DT><H3>Dev</H3><DL><p>
          <DT><H3>JS &amp; TS</H3><DL><p><DT><A HREF="http://x/1">t</A></DL><p>
          <DT><A HREF="http://x/2">t</A>
        </DL><p>
      </DL><p>
      <DT><H3 UNFILED_BOOKMARKS_FOLDER="true">Autres</H3><DL><p><DT><A HREF="http://x/3">t</A></DL><p>
      <DT><A HREF="http://x/4">t</A>
    </DL><p>`);
    expect(rows.map(({ folder }) => [folder.path, folder.tag])).toEqual([
      [["Lesezeichenleiste", "Dev", "JS & TS"], "Dev/JS-&-TS"],
      [["Lesezeichenleiste", "Dev"], "Dev"],
      [["Autres"], null],
      [[], null],
    ]);
  });

  test.each([
    "Bookmarks Bar",
    "Bookmarks bar",
    "Bookmarks Toolbar",
    "Bookmarks Menu",
    "Other Bookmarks",
    "Mobile Bookmarks",
    "Favorites bar",
  ])("%s is the browser's at the top level only", (name) => {
    const list = `<DL><DT><A HREF="http://x/">t</A></DL>`;
    expect(only(`<DL><DT><H3>${name}</H3>${list}</DL>`).folder.tag).toBeNull();
    expect(only(`<DL><DT><H3>Mine</H3><DL><DT><H3>${name}</H3>${list}</DL></DL>`).folder.tag).not.toBe(
      "Mine",
    );
  });

  test("Safari's two built-in folders are recognized by name, only in a file without an outer list", () => {
    const list = `<DL><DT><A HREF="http://x/">t</A></DL>`;
    expect(only(`${DOCTYPE}<DT><H3 FOLDED>Favorites</H3>${list}`).folder.tag).toBeNull();
    expect(only(`${DOCTYPE}<DL><DT><H3>Favorites</H3>${list}</DL>`).folder.tag).toBe("Favorites");
  });

  test("Safari's list of pages to read is one, and its links are to be read", () => {
    const list = `<DL><DT><A HREF="http://x/1">1</A></DL>`;
    const rows = (heading: string) =>
      parse(`${DOCTYPE}<DT>${heading}${list}<DT><H3>Mine</H3>${list}`).map(({ folder, states }) => [
        folder.tag,
        states.unread,
      ]);
    const read = [
      [null, true],
      ["Mine", false],
    ];
    expect(rows('<H3 FOLDED id="com.apple.ReadingList">Leseliste</H3>')).toEqual(read);
    expect(rows("<H3 FOLDED>Reading List</H3>")).toEqual(read);
    const inside = only(`<DL><DT><H3>Reading List</H3>${list}</DL>`);
    expect([inside.folder.tag, inside.states.unread]).toEqual(["Reading-List", false]);
  });

  test("too deep or too long for a path lose their innermost names", () => {
    const rows = parse(`${"<DL><DT><H3>folder</H3>".repeat(400)}<DL><DT><A HREF="http://x/">t</A>`);
    expect(rows[0]?.folder).toMatchObject({ isShortened: true });
    expect(rows[0]?.folder.path).toHaveLength(285);
  });

  test("without a list are empty", () => {
    expect(parse(`<DL><DT><H3>Empty</H3><DT><A HREF="http://x/">t</A></DL>`)[0]?.folder.path).toEqual([]);
  });
});

describe("variants of files", () => {
  test("Windows line breaks are one line each", () => {
    const rows = parse(
      `${DOCTYPE}<DL><p>\r\n<DT><A HREF="http://x/1">a\r\nb</A>\r\n<DD>one\r\ntwo\r\n<DT><A HREF="http://x/2">t</A>\r\n</DL>`,
    );
    expect(rows.map(({ line, title, description }) => [line, title, description])).toEqual([
      [3, "a\nb", "one\ntwo"],
      [7, "t", ""],
    ]);
  });

  test("separators, missing <p> tags and missing ends of lists do not matter", () => {
    const rows = parse(
      `<DL>\n<HR>    <DT><A HREF="http://x/1">1</A>\n<HR><DT><A HREF="http://x/2">2</A></DL></DL></DL><DL><DT><A HREF="http://x/3">3`,
    );
    expect(rows.map(({ url }) => url)).toEqual(["http://x/1", "http://x/2", "http://x/3"]);
  });

  test("a file without any <DT> is read by its links", () => {
    expect(parse(`<DL><A HREF="http://x/1">1</A><DD>one<A HREF="http://x/2">2</A></DL>`)).toMatchObject([
      { url: "http://x/1", description: "one" },
      { url: "http://x/2", description: "" },
    ]);
  });

  test("links around the list are not bookmarks", () => {
    expect(
      only(
        `<H1><a href="http://y/">A service</a></H1><DL><DT><A HREF="http://x/">t</A></DL><a href="http://z/">end</a>`,
      ).url,
    ).toBe("http://x/");
  });

  test("tags are split as the program of the file separates them, whatever other bookmarks have", () => {
    const list = (tags: string) => `<DL><DT><A HREF="http://x/" TAGS="${tags}">t</A></DL>`;
    const tagsIn = (head: string, tags: string) => only(head + list(tags)).tagNames;
    expect(tagsIn("", "web,dev tools")).toEqual(["web", "dev tools"]);
    expect(tagsIn("<TITLE>Bookmarks</TITLE>", "web tools")).toEqual(["web tools"]);
    expect(tagsIn("<TITLE>Pinboard Bookmarks</TITLE>", "web tools,c")).toEqual(["web", "tools", "c"]);
    expect(tagsIn("<TITLE>Pinboard Bookmarks", "web tools,c")).toEqual(["web tools", "c"]);
  });

  test("keywords and PRIVATE flags are read", () => {
    expect(only(`<DL><DT><A HREF="http://x/" SHORTCUTURL="w" PRIVATE="1">t</A></DL>`)).toMatchObject({
      keyword: "w",
      isPrivate: true,
    });
    expect(only(`<DL><DT><A HREF="http://x/" PRIVATE="0">t</A></DL>`)).toMatchObject({
      keyword: null,
      isPrivate: false,
    });
  });

  test("characters that no database can store are replaced", () => {
    expect(only(`<DL><DT><A HREF="http://x/">a\0b\ud800c&#0;&#xd800;</A></DL>`).title).toBe(
      "a\ufffdb\ufffdc\ufffd\ufffd",
    );
  });

  test("an icon of megabytes uses no extra memory", () => {
    const icon = `data:image/png;base64,${"A".repeat(5_000_000)}`;
    expect(only(`<DL><DT><A HREF="http://x/" ICON="${icon}" ADD_DATE="5">t</A></DL>`)).toMatchObject({
      url: "http://x/",
      date: "5",
    });
  });
});

describe("a truncated file", () => {
  test.each([
    [`<DL><DT><A HREF="http://x/">t</A>\n<DT><A HREF="http://`, 2],
    [`<DL><DT><A HREF="http://x/">t</A>\n\n<!-- <DT><A HREF="http://y/">u</A>`, 3],
    [`<DL><DT><A HREF="http://x/">t</A>\n</D`, 2],
  ])("%j says so from line %d on", (text, line) => {
    const file = parseNetscape(text);
    expect([file?.rows.length, file?.unreadFrom]).toEqual([1, line]);
  });

  test.each(["</DL>", "</DL >", "</DL ", "</DL><!-- end -->", "</DL>\n <"])(
    "is not a file that ends in %j",
    (end) => {
      expect(parseNetscape(`<DL><DT><A HREF="http://x/">t</A>${end}`)?.unreadFrom).toBeNull();
    },
  );
});

describe("a file without bookmarks", () => {
  test.each([
    "",
    " \n",
    "bookmarks",
    '{"bookmarks": []}',
    "<!DOCTYPE html><p><a href='http://x/'>a link</a></p>",
    "<!DOCTYPE html><dl><dt>term<dd>definition</dl>",
    "<!DOCTYPE NETSCAPE-Bookmark-file-1>",
    "\x89PNG\r\n\x1a\n",
  ])("%j", (text) => {
    expect(parseNetscape(text)).toBeNull();
  });

  test("is accepted if it is an empty export", () => {
    expect(
      parseNetscape("<!doctype netscape-bookmark-file-1><TITLE>Bookmarks</TITLE><DL><p></DL>")?.rows,
    ).toEqual([]);
  });
});

describe("arbitrary text", () => {
  const tokens = fc.constantFrom(
    ...[
      "<DL>",
      "</DL>",
      "<p>",
      "<DT>",
      "<DD>",
      "<H3>",
      "</H3>",
      "<A HREF='http://x/'>",
      "</A>",
      "<a href=",
      "<HR>",
    ],
    ...[
      "<!--",
      "-->",
      "<!",
      "<?",
      "<![CDATA[",
      "]]>",
      "<script>",
      "</script>",
      "<svg>",
      "<img src=x>",
      "<br>",
    ],
    ...["&", "&amp;", "&#", "\n", "\r\n", "\0", '"', "'", "=", ">", "<", "/", "text", "TAGS='a,b'", DOCTYPE],
  );

  test("is read without errors, and every row has its position", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(tokens, fc.string({ unit: "binary" })), { maxLength: 60 }), (parts) => {
        const text = parts.join("");
        const lines = text.split(/\r\n|\r|\n/).length;
        const file = parseNetscape(text);
        for (const [index, row] of file?.rows.entries() ?? []) {
          expect(row.position).toBe(index + 1);
          expect(row.line).toBeWithin(1, lines + 1);
          expect(
            [row.url, row.title, row.description, ...row.folder.path].every((part) => part.isWellFormed()),
          ).toBe(true);
        }
      }),
      { numRuns: rounds(100, 2_000) },
    );
  });

  const pieces = [
    "<DL>",
    "<DL><DT><H3>f</H3>",
    "<DL><DT><H3>f</H3><DL><DT><A HREF='http://x/'>t</A>",
    "<DT>",
    "<b>",
    "</b>",
    "<a href=x>",
    "<DD><a href=x>y",
    "<title>",
    "<svg>",
    "<!--",
    "<![CDATA[",
    "<",
    "</a ",
    "&",
    "&#",
    '<a b="',
    " a",
    "\n",
    "\r",
    "<br>",
    "<img alt=x>",
  ];
  const counting = () =>
    countingModules<typeof import("../../../../test/support/files/parse-netscape.ts")>(
      import.meta.resolve("../../../../test/support/files/parse-netscape.ts"),
    );

  test.each(pieces)("repeated %j takes time that is linear in its length", async (piece) => {
    const { parseNetscape } = await counting();
    await expectLinear((length) =>
      parseNetscape(`<DL><DT><A HREF="http://x/">t</A><DD>${piece.repeat(length)}${"</b>".repeat(length)}`),
    );
  });

  const attributes = (count: number) => Array.from({ length: count }, (_, index) => `a${index}=1`).join(" ");

  test("a hundred thousand attributes of one tag are read without errors", () => {
    expect(only(`<DL><DT><A ${attributes(100_000)} HREF="http://x/">t</A>`).url).toBe("http://x/");
  });

  test("the attributes of one tag take time that is linear in their number", async () => {
    const { parseNetscape } = await counting();
    await expectLinear((length) => parseNetscape(`<DL><DT><A ${attributes(length)} HREF="http://x/">t</A>`));
  });
});

function parse(text: string): readonly FileRow[] {
  return parseNetscape(text)?.rows ?? [];
}

function only(text: string): FileRow {
  const [row, ...others] = parse(text);
  if (row === undefined || others.length > 0) throw new Error("expected one bookmark");
  return row;
}

describe("a file that is read in chunks", () => {
  const folder = join(import.meta.dir, "../../../../test/data/bookmark-exports");
  const files = readdirSync(folder).filter((name) => name.endsWith(".htm"));

  test.each(files)("has the same rows for any chunk boundaries: %s", (name) => {
    const text = readFileSync(join(folder, name), "utf8");
    const whole = inPieces([text]);
    for (const size of isFullRun ? [1, 2, 3, 7, 64] : [3]) expect(inPieces(split(text, size))).toEqual(whole);
  });

  test("may be anything", () => {
    const token = fc.constantFrom(
      ...[
        "<DL>",
        "</DL>",
        "<DT>",
        "<DD>",
        "<A HREF='http://x/?a&amp;b' TAGS=\"a,b\">",
        "</A>",
        "<H3>",
        "</H3>",
      ],
      ...["&amp;", "&am", "<!-- ", " -->", "</A", "<A ", "<!", "\r", "\n", "\0", "text", "<", ">", "'"],
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 40 }), fc.integer({ min: 1, max: 5 }), (tokens, size) => {
        const text = tokens.join("");
        expect(inPieces(split(text, size))).toEqual(inPieces([text]));
      }),
      { numRuns: rounds(40, 500) },
    );
  });
});

function split(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}

function inPieces(pieces: readonly string[]) {
  const found: unknown[] = [];
  const reader = new NetscapeReader(/<dt[\s>]/i.test(pieces.join("")), {
    onRow: ({ folder, ...row }) => found.push({ ...row, folders: folder.path }),
    onDescribedFolder: (folder) => found.push(folder),
  });
  for (const piece of pieces) reader.write(piece);
  return { found, ...reader.end() };
}
