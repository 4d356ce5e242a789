import { expect, test } from "bun:test";
import { inMemory } from "../../../test/support/files/zip.ts";
import { fullRunTest } from "../../../test/support/run/full-run.ts";
import { readTreeFile } from "../../readers/files/file-tree.ts";
import { openZip } from "../../readers/files/zip-files.ts";
import { ZipWriter } from "./zip-writer.ts";

const MTIME = new Date("2026-11-21T06:40:12Z");

async function* pieces() {
  for (let line = 1; line <= 20_000; line++) yield `Line ${line}, in pieces, ü 😀\n`;
}

async function* written(): AsyncGenerator<Uint8Array> {
  const zip = new ZipWriter(MTIME);
  yield await zip.add("empty.md", "");
  yield* zip.stream("pieces.jsonl", pieces());
  yield zip.store("media/0f.png", Buffer.from("stored"));
  yield await zip.add("posts/2026-11-21-日本.md", "# 日本\n");
  yield* zip.end();
}

test("A zip archive has each file as it was written, of any size", async () => {
  const archive = Buffer.concat(await Array.fromAsync(written()));
  await using tree = await openZip(inMemory(archive));
  expect([...tree.sizes.keys()]).toEqual([
    "empty.md",
    "pieces.jsonl",
    "media/0f.png",
    "posts/2026-11-21-日本.md",
  ]);
  const read = async (path: string) => String(await readTreeFile(tree, path, 10_000_000));
  expect(await read("pieces.jsonl")).toBe((await Array.fromAsync(pieces())).join(""));
  expect(await read("media/0f.png")).toBe("stored");
  expect(await read("posts/2026-11-21-日本.md")).toBe("# 日本\n");
});

fullRunTest("A zip archive may have more files than its older form counts", async () => {
  async function* many() {
    const zip = new ZipWriter(MTIME);
    for (let file = 0; file < 66_000; file++) yield zip.store(`${file}.md`, Buffer.from(`${file}`));
    yield* zip.end();
  }
  await using tree = await openZip(inMemory(Buffer.concat(await Array.fromAsync(many()))));
  expect(tree.sizes.size).toBe(66_000);
  expect(String(await readTreeFile(tree, "65999.md", 10))).toBe("65999");
});

test("A zip archive whose contents fail ends with that error", async () => {
  async function* failing() {
    yield "begun";
    throw new Error("the rows are gone");
  }
  const zip = new ZipWriter(MTIME);
  await expect(Array.fromAsync(zip.stream("a.jsonl", failing()))).rejects.toThrow("the rows are gone");
});
