import { expect, test } from "bun:test";
import { inMemory, zipOf } from "../../../test/support/files/zip.ts";
import { readTreeFile } from "./file-tree.ts";
import { openZip } from "./zip-files.ts";

const TEXT = "A line of the post.\n".repeat(100);
const LARGE = Buffer.alloc(300_000, "many bytes ");

async function read(zip: Uint8Array, path = "a.md"): Promise<string> {
  await using tree = await openZip(inMemory(zip));
  return String(await readTreeFile(tree, path, 1_000_000));
}

/** The archive with its bytes changed by `change`. */
async function changed(change: (zip: Buffer) => void): Promise<Buffer> {
  const zip = Buffer.from(await zipOf([["a.md", TEXT]]));
  change(zip);
  return zip;
}

/** The position of the only entry in the archive's directory. */
function entryOf(zip: Buffer): number {
  return zip.indexOf("PK\x01\x02", 0, "latin1");
}

test("files of a zip archive are read, small and large ones, in any order and twice", async () => {
  const zip = await zipOf([
    ["a.md", TEXT],
    ["large.bin", LARGE],
    ["empty.md", ""],
  ]);
  for (const [path, content] of [
    ["large.bin", String(LARGE)],
    ["empty.md", ""],
    ["a.md", TEXT],
    ["a.md", TEXT],
  ] as const)
    expect(await read(zip, path)).toBe(content);
  await expect(read(zip, "b.md")).rejects.toThrow("The archive has no b.md.");
});

test.each([
  ["a wrong checksum", (zip: Buffer) => zip.writeUInt32LE(1, entryOf(zip) + 16)],
  ["more content than it states", (zip: Buffer) => zip.writeUInt32LE(5, entryOf(zip) + 24)],
  ["less content than it states", (zip: Buffer) => zip.writeUInt32LE(TEXT.length + 1, entryOf(zip) + 24)],
  ["a header that is missing", (zip: Buffer) => zip.writeUInt32LE(0, 0)],
  ["content that is no compressed text", (zip: Buffer) => zip.fill(0xff, 40, 60)],
  ["an end behind the archive's", (zip: Buffer) => zip.writeUInt32LE(200_000, entryOf(zip) + 20)],
])("a file with %s is refused", async (_, change) => {
  await expect(read(await changed(change))).rejects.toThrow("a.md is damaged in the archive. Get it again.");
});
