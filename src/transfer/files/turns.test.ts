import { expect, test } from "bun:test";
import { pack } from "tar-stream";
import { inMemory, zipOf } from "../../../test/support/files/zip.ts";
import { type FileTree, readTreeFile } from "./file-tree.ts";
import { openTar } from "./tar-files.ts";
import { openZip } from "./zip-files.ts";
import { ZipWriter } from "./zip-writer.ts";

const FILES = 2_000;
const names = Array.from({ length: FILES }, (_, n) => `${n}.md`);

async function zipOfMany(): Promise<Buffer> {
  using zip = await ZipWriter.open(new Date(0));
  const files = names.map((name) => zip.store(name, Buffer.from(name)));
  return Buffer.concat([...files, ...(await Array.fromAsync(zip.end()))]);
}

async function tarOfMany(): Promise<Buffer> {
  const tar = pack();
  for (const name of names) tar.entry({ name }, name);
  tar.finalize();
  return Buffer.concat(await Array.fromAsync(tar as AsyncIterable<Uint8Array>));
}

/** How often the event loop has come round while `work` was done. */
async function turnsOf(work: () => Promise<void>): Promise<number> {
  let turns = 0;
  let next: NodeJS.Immediate;
  const turn = () => {
    turns++;
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  await work();
  clearImmediate(next);
  return turns;
}

async function readAll(tree: FileTree): Promise<void> {
  for (const name of names) expect(String(await readTreeFile(tree, name, 100))).toBe(name);
}

test("Other requests get a turn while an archive of many files is opened", async () => {
  const zip = await zipOfMany();
  const turns = await turnsOf(async () => {
    await using tree = await openZip(inMemory(zip));
    expect(tree.sizes.size).toBe(FILES);
  });
  expect(turns).toBeGreaterThanOrEqual(FILES / 100);
});

test("Other requests get a turn between two files of a tar archive", async () => {
  await using tree = await openTar(inMemory(await tarOfMany()), false);
  expect(await turnsOf(() => readAll(tree))).toBeGreaterThanOrEqual(FILES);
});

test("Other requests get a turn after some small files of a zip archive", async () => {
  await using tree = await openZip(inMemory(await zipOfMany()));
  expect(await turnsOf(() => readAll(tree))).toBeGreaterThanOrEqual(FILES / 16);
});

test("Other requests get a turn after each file of a zip archive that is not very small", async () => {
  const zip = await zipOf(names.slice(0, 20).map((name) => [name, Buffer.alloc(70_000)]));
  await using tree = await openZip(inMemory(zip));
  const turns = await turnsOf(async () => {
    for (const path of tree.sizes.keys()) await readTreeFile(tree, path, 70_000);
  });
  expect(turns).toBeGreaterThanOrEqual(20);
});
