import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { Refusal, StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";
import type { RandomBytes } from "../../readers/files/file-tree.ts";
import { openTemporaryFile, writeTemporary } from "../../temporary-file.ts";
import { reasonOf } from "./file-errors.ts";

/** Largest archive, in bytes. */
const ARCHIVE_MAX = 64 * 1024 * 1024 * 1024;

/** A file to import, open until it is disposed of. */
export interface InputFile extends RandomBytes, Disposable {}

/**
 * Opens a file, or standard input for `-`. Input that can be read only once, such as a pipe, is copied to an
 * unnamed temporary file.
 *
 * @throws StartError with exit code 2 when it cannot be read, is empty or far too large
 */
export async function openInput(path: string): Promise<InputFile> {
  const descriptor = await openFile(path);
  try {
    const { size } = fstatSync(descriptor);
    if (size === 0) throw unreadable(path, "is empty");
    const readAt = (buffer: Uint8Array, position: number) => {
      try {
        return readSync(descriptor, buffer, 0, buffer.length, position);
      } catch (error) {
        throw unreadable(path, reasonOf(error, "read"), error);
      }
    };
    return { size, readAt, [Symbol.dispose]: () => closeSync(descriptor) };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

async function openFile(path: string): Promise<number> {
  const descriptor = path === "-" ? 0 : openNamed(path);
  if (descriptor !== 0 && fstatSync(descriptor).isFile()) return descriptor;
  try {
    return await spooled(path, descriptor);
  } finally {
    if (descriptor !== 0) closeSync(descriptor);
  }
}

function openNamed(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw unreadable(path, reasonOf(error, "read"), error);
  }
}

/** Writes the contents of a pipe to a temporary file. */
async function spooled(path: string, pipe: number): Promise<number> {
  const spool = await openTemporaryFile();
  try {
    let size = 0;
    const source = pipe === 0 ? Bun.stdin.stream() : Bun.file(pipe).stream();
    for await (const piece of source) {
      size += piece.length;
      if (size > ARCHIVE_MAX) throw unreadable(path, "is larger than 64 GiB: too large for an archive");
      writeTemporary(spool, piece, size - piece.length);
    }
    return spool;
  } catch (error) {
    closeSync(spool);
    throw error instanceof StartError || error instanceof Refusal
      ? error
      : unreadable(path, reasonOf(error, "read"), error);
  }
}

/** Whether a path names a folder. */
export function isFolder(path: string): boolean {
  return path !== "-" && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The error for a file that cannot be read. */
export function unreadable(path: string, reason: string, cause?: unknown): StartError {
  return new StartError(`${path === "-" ? "The standard input" : printable(path)} ${reason}.`, 2, cause);
}
