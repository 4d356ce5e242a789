import { expect, test } from "bun:test";
import fc from "fast-check";
import { pack } from "tar-stream";
import { makeZip } from "../../../test/support/files/make-zip.ts";
import { whole } from "../../../test/support/files/staged-import.ts";
import { inMemory } from "../../../test/support/files/zip.ts";
import { rounds } from "../../../test/support/run/full-run.ts";
import { StartError } from "../../errors.ts";
import { UnreadableFile } from "../files/unreadable-file.ts";
import { openZip } from "../files/zip-files.ts";
import { openFiles } from "./bookmark-files.ts";

const PART = "title,url,time_added,tags,status\nOne,https://example.com/1,1704067200,a|b,unread\n";
/** The columns of the next part may be in another order. */
const NEXT =
  "url,title,time_added,cursor,tags,status\nhttps://example.com/2,Two,1704067201,,,archive\nftp://x,F,,,,\n";

test("the files of an archive are read one after another, and other files are reported", async () => {
  const archive = makeZip({
    "pocket/": "",
    "pocket/part_000000.csv": PART,
    "pocket/part_000001.csv": NEXT,
    "collections/one.json": `{"title":"A collection","items":[{"url":"https://example.com/1"}]}`,
    "annotations/marks.json": `[{"href":"https://example.com/3","description":"In another format","time":""}]`,
    "cover.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]),
    "__MACOSX/part_000000.csv": PART,
    "pocket/._part_000000.csv": PART,
    "pocket/.DS_Store": "Bud1",
  });
  const { format, bookmarks, refused, notes, rows } = await whole(archive);
  expect(format).toBe("pocket");
  expect(bookmarks.map(({ title, description }) => [title, description])).toEqual([
    ["One", "#a #b"],
    ["Two", ""],
  ]);
  // Row numbers continue across files.
  expect(rows.map(({ line, position }) => [line, position])).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
  expect(refused).toEqual([[3, "url_scheme", "ftp://x", "F"]]);
  // One note for the file in another format, one for the unknown files.
  expect(notes).toEqual([
    [1, "other_file"],
    [1, "other_file"],
  ]);
});

test("texts and highlights beside Omnivore's bookmarks are no bookmarks", async () => {
  const page = {
    url: "https://example.com/1",
    title: "One",
    labels: [],
    savedAt: "2024-10-29T16:30:11.000Z",
  };
  const list = '<dl><dt><a href="https://example.com/2">A list of links in the page</a></dl>';
  const { format, bookmarks, notes } = await whole(
    makeZip({
      "content/one.html": list,
      "highlights/one.md": "- [Another](https://example.com/3)\n",
      "metadata_0_to_20.json": JSON.stringify([page]),
    }),
  );
  expect([format, bookmarks.map(({ title }) => title)]).toEqual(["omnivore", ["One"]]);
  expect(notes).toEqual([[1, "other_file"]]);
});

test("an archive in tar, compressed or not, is read too", async () => {
  const tar = pack();
  tar.entry({ name: "part.csv" }, PART);
  tar.finalize();
  const bytes = await Array.fromAsync(tar as AsyncIterable<Uint8Array>).then(Buffer.concat);
  for (const archive of [bytes, Bun.gzipSync(bytes)])
    expect((await whole(archive)).bookmarks.map(({ title }) => title)).toEqual(["One"]);
});

test("an archive of a browser's HTML is read too", async () => {
  const html = '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://example.com/">t</A></DL>';
  const archive = makeZip({ "readme.html": "<p>Nothing</p>", "Takeout/Chrome/Bookmarks.html": html });
  expect((await whole(archive)).bookmarks.map(({ title }) => title)).toEqual(["t"]);
});

test("an archive in an archive is named", async () => {
  const inner = makeZip({ "part.csv": PART });
  await expect(whole(makeZip({ "cover.png": "x", "export/pocket.zip": inner }))).rejects.toThrow(
    /^has another archive in it, export\/pocket\.zip: unpack it first$/,
  );
  const both = await whole(makeZip({ "part.csv": PART, "export/pocket.zip": inner }));
  expect(both.bookmarks).toHaveLength(1);
  expect(both.notes).toEqual([[1, "other_file"]]);
});

test("a file that is compressed in another way is refused with what to do", async () => {
  const compressed = /^is compressed: unpack it first$/;
  await expect(whole(Bun.gzipSync(Buffer.from(PART)))).rejects.toThrow(compressed);
  const others = { BZh91AY: compressed, "\xfd7zXZ\0": compressed, "\x28\xb5\x2f\xfd\x24": compressed };
  for (const [magic, message] of Object.entries(others))
    await expect(whole(Buffer.from(`${magic}\0\0\0`, "latin1"))).rejects.toThrow(message);
  for (const magic of ["7z\xbc\xaf\x27\x1c", "Rar!\x1a\x07\x01"])
    await expect(whole(Buffer.from(`${magic}\0\0\0`, "latin1"))).rejects.toThrow(/^is an archive of a kind/);
});

test("an archive without bookmarks, a damaged and an encrypted one are refused", async () => {
  await expect(whole(makeZip({}))).rejects.toThrow(/^is an archive without bookmarks: Commonplace reads/);
  await expect(whole(makeZip({ "x.txt": "x" }))).rejects.toThrow(/^is an archive without bookmarks/);
  await expect(whole(makeZip({ "commonplace.json": "{}" }))).rejects.toThrow("import it as a blog");
  const archive = makeZip({ "part.csv": PART });
  await expect(whole(archive.slice(0, -30))).rejects.toThrow("The archive is damaged: its end is missing");
  const changed = Buffer.from(archive);
  changed.writeUInt32LE(7, changed.indexOf("PK\x01\x02") + 16);
  await expect(whole(changed)).rejects.toThrow("part.csv is damaged in the archive. Get it again.");
  const encrypted = Buffer.from(archive);
  for (const flag of [0x01, 0x40]) {
    encrypted[encrypted.indexOf("PK\x01\x02") + 8] = flag;
    await expect(whole(encrypted)).rejects.toThrow(/ is encrypted: unpack /);
  }
});

test("an archive that would unpack beyond the limit is refused before it fills the disk", async () => {
  const part = PART + "\n".repeat(700_000);
  const bomb = makeZip({ "a.csv": part, "b.csv": part });
  expect(bomb.length).toBeLessThan(4_000);
  await using tree = await openZip(inMemory(bomb));
  expect((await openFiles(tree, true, undefined, 2 * part.length)).files).toHaveLength(2);
  await expect(openFiles(tree, true, undefined, 2 * part.length - 1)).rejects.toThrow(
    /^is an archive of more than 512 MiB/,
  );
});

test("a damaged archive is read or refused", async () => {
  const archive = Buffer.from(makeZip({ "part_000000.csv": PART, "part_000001.csv": NEXT }));
  const change = fc.tuple(fc.nat(archive.length - 1), fc.nat(255));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const changed = Buffer.from(archive);
      for (const [place, byte] of changes) changed[place] = byte;
      const outcome = await whole(changed).catch((error: Error) => error);
      if (outcome instanceof Error)
        expect(outcome instanceof UnreadableFile || outcome instanceof StartError).toBe(true);
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? rounds(50, 150)) },
  );
});
