import { beginningOfXml } from "../reading/file-text.ts";
import { piecesOf } from "./file-bytes.ts";
import type { FileTree, RandomBytes } from "./file-tree.ts";

/** A file that is not an archive, as a tree with one file. */
export function singleFile(bytes: RandomBytes, name: string): FileTree {
  return {
    sizes: new Map([[name, bytes.size]]),
    leftOut: [],
    stream: async () =>
      (async function* () {
        yield* piecesOf(bytes);
      })(),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** The first characters of a file in UTF-8. */
export async function beginningOf(tree: FileTree, path: string, length: number): Promise<string> {
  return (await firstBytes(tree, path, length)).toString();
}

/** The first characters of an XML file. @param length in bytes */
export async function xmlBeginning(tree: FileTree, path: string, length: number): Promise<string> {
  return beginningOfXml(await firstBytes(tree, path, length));
}

/** The first bytes of a file. */
export async function firstBytes(tree: FileTree, path: string, length: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of await tree.stream(path)) {
    pieces.push(Buffer.from(piece));
    size += piece.length;
    if (size >= length) break;
  }
  return Buffer.concat(pieces).subarray(0, length);
}
