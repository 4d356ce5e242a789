import type { Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { RandomBytes } from "../../../src/readers/files/file-tree.ts";

/** Makes a zip archive of files. */
export async function zipOf(
  files: Iterable<readonly [path: string, bytes: string | Uint8Array]>,
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, bytes] of files) zip.addBuffer(Buffer.from(bytes), path);
  zip.end();
  return Buffer.concat(await Array.fromAsync(zip.outputStream as Readable));
}

/** Presents bytes in memory as a file. */
export function inMemory(bytes: Uint8Array): RandomBytes {
  return {
    size: bytes.length,
    readAt: (buffer, position) => {
      const piece = bytes.subarray(position, position + buffer.length);
      buffer.set(piece);
      return piece.length;
    },
  };
}
