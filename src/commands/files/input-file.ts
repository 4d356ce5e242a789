import { createReadStream } from "node:fs";
import { StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";
import { reasonOf } from "./file-errors.ts";

/** Largest input file, in bytes; a million bookmarks with icons are smaller. */
const SIZE_MAX = 512 * 1024 * 1024;

/**
 * Reads a whole file, or the standard input where the path is `-`.
 * @throws StartError with exit code 2 when it cannot be read, is empty or far too large
 */
export async function readInput(path: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of path === "-" ? process.stdin : createReadStream(path)) {
      chunks.push(Buffer.from(chunk));
      size += chunk.length;
      if (size > SIZE_MAX) break;
    }
  } catch (error) {
    throw unreadable(path, reasonOf(error, "read"), error);
  }
  if (size === 0) throw unreadable(path, "is empty");
  if (size > SIZE_MAX) throw unreadable(path, "is larger than 512 MiB, which no bookmark file is");
  return Buffer.concat(chunks, size);
}

/** The error for a file that cannot be read. */
export function unreadable(path: string, reason: string, cause?: unknown): StartError {
  return new StartError(`${path === "-" ? "The standard input" : printable(path)} ${reason}.`, 2, cause);
}
