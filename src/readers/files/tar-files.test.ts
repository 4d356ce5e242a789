import { expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { inMemory } from "../../../test/support/files/zip.ts";
import { openTar } from "./tar-files.ts";

const MIB = 1024 * 1024;

test("A tar archive is refused when more follows its last file than it may unpack to", async () => {
  const tar = pack();
  tar.entry({ name: "a.md" }, "# A");
  tar.finalize();
  const plain = Buffer.concat(await Array.fromAsync(tar as AsyncIterable<Uint8Array>));
  const open = (zeros: number) =>
    openTar(inMemory(gzipSync(Buffer.concat([plain, Buffer.alloc(zeros)]))), true, 2 * MIB);
  await expect(open(3 * MIB)).rejects.toThrow("unpacks to more than 2 MB");
  await using tree = await open(MIB);
  expect([...tree.sizes]).toEqual([["a.md", 3]]);
});
