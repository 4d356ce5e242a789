import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { watchedFile } from "../readers/files/file-bytes.ts";
import type { RandomBytes } from "../readers/files/file-tree.ts";
import { stageInto } from "../transfer/stage-file.ts";
import {
  FILES,
  type ReadingMessage,
  type ReadingRequest,
  type ReadingResult,
  resultOf,
} from "./reading-process.ts";

/** The maximum unpacked size of an uploaded archive of a blog, in bytes. */
const UNPACKED_MAX = 512 * 1024 * 1024;
/** The shortest time between two messages of how far it is, in milliseconds. */
const TELL_EVERY = 50;

/** The process that reads a file for a server. @param folder has the file and the request; the result is put there */
export async function readFile(folder: string): Promise<void> {
  const server = process.ppid;
  const request = JSON.parse(readFileSync(join(folder, FILES.request), "utf8")) as ReadingRequest;
  const result = await readUpload(folder, request, send).then(
    (count): ReadingResult => ({ count }),
    (error) => resultOf(error),
  );
  writeFileSync(join(folder, FILES.result), JSON.stringify(result), { mode: 0o600 });
  // Nobody will take it.
  if (process.ppid !== server) rmSync(folder, { recursive: true, force: true });
}

/** Reads the file in a folder, and puts its records there. @returns their number; null when it is none that can be read */
export async function readUpload(
  folder: string,
  { kind, fileName, now }: ReadingRequest,
  tell: (message: ReadingMessage) => void,
): Promise<number | null> {
  const descriptor = openSync(join(folder, FILES.input), "r");
  const file: RandomBytes = {
    size: fstatSync(descriptor).size,
    readAt: (buffer, position) => readSync(descriptor, buffer, 0, buffer.length, position),
  };
  const sparingly = sparing(tell);
  const records = join(folder, FILES.records);
  try {
    const isBlog = kind === "blog";
    const watched = isBlog ? watchedFile(file, (start, end) => tell({ read: [start, end] })) : file;
    const count = await stageInto(records, kind, watched, {
      ...{ fileName, now: new Date(now), unpackedMax: UNPACKED_MAX },
      ...(isBlog && { onRecord: (read) => sparingly({ records: read }) }),
      onProgress: (done, total) => sparingly({ progress: [done, total] }),
    });
    return count ?? null;
  } finally {
    closeSync(descriptor);
  }
}

/** Tells a message unless one was told just before. */
function sparing(tell: (message: ReadingMessage) => void): (message: ReadingMessage) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (message) => {
    const now = performance.now();
    if (now - last < TELL_EVERY) return;
    last = now;
    tell(message);
  };
}

function send(message: ReadingMessage): void {
  // A server that is slow misses a message, and one that has ended all of them.
  try {
    writeSync(1, `${JSON.stringify(message)}\n`);
  } catch {}
}
