import { setImmediate } from "node:timers/promises";
import type { FileTree, RandomBytes } from "./file-tree.ts";

const PIECE = 256 * 1024;

/** A file that is not an archive, as a tree with one file. */
export function singleFile(bytes: RandomBytes, name: string): FileTree {
  return {
    sizes: new Map([[name, bytes.size]]),
    leftOut: [],
    stream: async () =>
      (async function* () {
        for (let position = 0; position < bytes.size; ) {
          const piece = Buffer.alloc(Math.min(PIECE, bytes.size - position));
          const length = bytes.readAt(piece, position);
          if (length === 0) return;
          yield piece.subarray(0, length);
          position += length;
          // The file is read synchronously, so other requests get a turn here.
          await setImmediate();
        }
      })(),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** The first characters of a file in UTF-8. */
export async function beginningOf(tree: FileTree, path: string, length: number): Promise<string> {
  return (await firstBytes(tree, path, length)).toString();
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
