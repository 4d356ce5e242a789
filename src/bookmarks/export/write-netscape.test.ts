import { expect, test } from "bun:test";
import fc from "fast-check";
import { rounds } from "../../../test/support/run/full-run.ts";
import { NO_STATES } from "../bookmark-states.ts";
import { stageImport } from "../import/staging/import-staging.ts";
import { bookmarkEntry, folderEnd, folderStart, HEAD, TAIL } from "./write-netscape.ts";

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

const lines = fc.array(text).map((parts) => parts.join("\n").trim());
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

test("The tags of a description are written except those with a comma, which would be split", () => {
  const entry = (description: string) => {
    const createdAt = new Date(0);
    const fields = { id: 1, title: "t", url: "https://example.com/", createdAt, updatedAt: createdAt };
    return /TAGS="([^"]*)"/.exec(
      bookmarkEntry({ ...fields, description, createdBy: null, states: NO_STATES }, 0),
    )?.[1];
  };
  expect(entry("#web and #Dev/JS, not C# or #1, but #WEB is there already")).toBe("web,Dev/JS");
  expect(entry("A page.\n#2024 #C# #a,b #R&D")).toBe("2024,C#,R&amp;D");
  expect(entry("none")).toBeUndefined();
});
