import { expect, test } from "bun:test";
import fc from "fast-check";
import { rounds } from "../../../test/support/run/full-run.ts";
import { NO_STATES } from "../../records/bookmark-members.ts";
import { splitDescription } from "../../tags/description-tags.ts";
import { stageImport } from "../../transfer/stage-bookmarks.ts";
import { bookmarkEntry, folderEnd, folderStart, HEAD, TAG_LINE_MAX, TAIL } from "./write-netscape.ts";

/** Last lines that are tag lines, or nearly, in all spellings and with white space that must stay. */
const lastLine = fc.constantFrom(
  ...[
    "",
    "\n#web",
    "\n\n \t#b  #a\t#B \n\n",
    "\r\n#Web #web,\r\n",
    "\n#\"<&amp;'> #C#",
    "\n##x #x",
    "\n#a,b #c",
  ],
  ...[
    "\n#web #",
    "\r#1 #2\r",

    "\u2028#a",
    `\n#${"a#".repeat(90)}`,
    "\n#\u00a0",
  ],
  `\n${"#a&b ".repeat(TAG_LINE_MAX / 5)}`,
);

/** Any text of a bookmark, except white space at its ends, which the format loses. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "<",
        "&",
        "&amp;",
        "&#13;",
        '"',
        "</A>",
        "<DT>",
        "<DD>",
        "</DL>",
        "<!--",
        " ",
        "\t",
        "\r",
        "\r\n",
      ),
      fc.constantFrom("#web", " #Dev/JS", " #C++", " #a--b", " #-x", " #x.", ",", "\n#2024 #C#", " #a,b"),
    ),
  )
  .map((parts) => parts.join("").replaceAll("\0", "").trim());

const lines = fc.tuple(fc.array(text), lastLine).map(([parts, last]) => {
  const description = parts.join("\n").trim() + last;
  // White space at the ends of a note is lost, but none of that around a tag line.
  const { line } = splitDescription(description);
  return line === "" || line.includes(",") || last.length > TAG_LINE_MAX ? description.trim() : description;
});
const title = text.map((line) => line.replaceAll("\n", "").trim());
const states = fc.record({ unread: fc.boolean(), archived: fc.boolean(), shared: fc.boolean() });
const time = fc.date({ min: new Date("1990-01-01"), max: new Date("2026-11-21"), noInvalidDate: true });

test("Our importer reads every exported bookmark unchanged, in any folder and among others", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ title, description: lines, createdAt: time, states }), {
        minLength: 1,
        maxLength: 5,
      }),
      title,
      async (bookmarks, folder) => {
        const entries = bookmarks.map((fields) => {
          const url = "https://example.com/?a=1&b=%22";
          return bookmarkEntry({ ...fields, id: 1, url, updatedAt: fields.createdAt, createdBy: null }, 1);
        });
        const html = [HEAD, folderStart(folder, 0), ...entries, folderEnd(0), TAIL].join("");
        const now = new Date("2026-11-21T12:00:00Z");
        const staged = await stageImport("test.html", Buffer.from(html), { now, tags: true });
        const read = [...(staged?.rows.rows() ?? [])].map(({ staged }) =>
          "bookmark" in staged ? staged.bookmark : staged,
        );
        expect(read).toEqual(
          bookmarks.map((fields) => ({
            ...fields,
            url: "https://example.com/?a=1&b=%22",
            text: fields.description,
            tags: [],
          })),
        );
      },
    ),
    { numRuns: rounds(20, 300) },
  );
});

test.each([
  ["a tag line", "A page.\n#2024 #C#", "A page."],
  ["nothing but a tag line", "#2024 #C#", undefined],
  ["tags inside", "A #page.", "A #page."],
  ["a tag line with a tag that TAGS cannot hold", "A page.\n#a,b #c", "A page.\n#a,b #c"],
  ["the longest tag line", `A page.\n#${"a #".repeat(3_332)}ab`, "A page."],
  ["a longer one", `A page.\n#${"a #".repeat(3_332)}abc`, `A page.\n#${"a #".repeat(3_332)}abc`],
])("The note has no tags that TAGS has, for readers that show both: %s", (_, description, note) => {
  expect(/<DD>(.*)\n$/s.exec(entryOf(description))?.[1]).toBe(note);
});

test("The tags of a description are written except those with a comma, which would be split", () => {
  const entry = (description: string) => /TAGS="([^"]*)"/.exec(entryOf(description))?.[1];
  expect(entry("#web and #Dev/JS, not C# or #1, but #WEB is there already")).toBe("web,Dev/JS");
  expect(entry("A page.\n#2024 #C# #a,b #R&D")).toBe("2024,C#,R&amp;D");
  expect(entry("none")).toBeUndefined();
});

function entryOf(description: string): string {
  const createdAt = new Date(0);
  const fields = { id: 1, title: "t", url: "https://example.com/", createdAt, updatedAt: createdAt };
  return bookmarkEntry({ ...fields, description, createdBy: null, states: NO_STATES }, 0);
}
