import { createReadStream } from "node:fs";
import { messageOf, StartError } from "../errors.ts";
import { printable } from "../printable.ts";

/** The most that a file may have; a million bookmarks with their icons are less. */
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

/** What is said of a file that nothing can be read from. */
export function unreadable(path: string, reason: string, cause?: unknown): StartError {
  return new StartError(`${path === "-" ? "The standard input" : printable(path)} ${reason}.`, 2, cause);
}

/** Why a file cannot be read or written, as a clause whose subject is its name. */
export function reasonOf(error: unknown, verb: "read" | "written"): string {
  switch (error instanceof Error && "code" in error ? error.code : undefined) {
    case "ENOENT":
      return "is not there";
    case "EISDIR":
      return "is a folder, not a file";
    case "EACCES":
    case "EPERM":
      return `may not be ${verb}`;
    case "EROFS":
      return "lies on a file system that is read-only";
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return "cannot be written: the disk is full";
    default:
      return `cannot be ${verb} (${messageOf(error)})`;
  }
}

/** Whether a call to the system failed with this code. */
export function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
