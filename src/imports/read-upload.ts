import {
  closeSync,
  copyFileSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { ExistingBookmark, FindExisting } from "../bookmarks/bookmarks-by-url.ts";
import { watchedFile } from "../readers/files/file-bytes.ts";
import type { RandomBytes } from "../readers/files/file-tree.ts";
import { stageInto } from "../transfer/stage-file.ts";
import { planBookmarks } from "./bookmarks/plan.ts";
import {
  FILES,
  type ReadingMessage,
  type ReadingRequest,
  type ReadingResult,
  resultOf,
} from "./reading-folder.ts";
import { writeTexts } from "./write-texts.ts";

/** The maximum unpacked size of an uploaded archive of a blog, in bytes. */
const UNPACKED_MAX = 512 * 1024 * 1024;
/** The shortest time between two messages of how far it is, in milliseconds. */
const TELL_EVERY = 50;

/** The process that reads a file for a server. @param folder has the file and the request; the result is put there */
export async function readFile(folder: string): Promise<void> {
  const parent = process.ppid;
  const request = JSON.parse(readFileSync(join(folder, FILES.request), "utf8")) as ReadingRequest;
  const server = new Asking(folder);
  const find = (urls: readonly string[]) => server.find(urls);
  const result = await readUpload(folder, request, send, find).then(
    (count): ReadingResult => ({ count }),
    (error) => resultOf(error),
  );
  await server.end();
  writeFileSync(join(folder, FILES.result), JSON.stringify(result), { mode: 0o600 });
  // Nobody will take it.
  if (process.ppid !== parent) rmSync(folder, { recursive: true, force: true });
}

/**
 * Reads the file in a folder, and puts its records there; those of bookmarks with the plan of their import.
 * @param find looks up the bookmarks that exist, by their URLs
 * @returns the number of records; null when it is none that can be read
 */
export async function readUpload(
  folder: string,
  request: ReadingRequest,
  tell: (message: ReadingMessage) => void,
  find: FindExisting,
): Promise<number | null> {
  const count = request.isRead ? 0 : await readRecords(folder, request, tell);
  if (request.kind === "bookmarks" && count !== null) await plan(folder, request, find);
  return count;
}

async function plan(folder: string, { fileName, now }: ReadingRequest, find: FindExisting): Promise<void> {
  // Planning changes the records.
  const records = join(folder, FILES.plan);
  copyFileSync(join(folder, FILES.records), records);
  const file = { fileName, now: new Date(now) };
  const previews = await planBookmarks(records, file, find, (rows) =>
    writeTexts(join(folder, FILES.report), asArray(rows)),
  );
  rmSync(records);
  writeFileSync(join(folder, FILES.previews), JSON.stringify(previews), { mode: 0o600 });
}

function* asArray(rows: Iterable<unknown>): Generator<string> {
  let before = "[\n";
  for (const row of rows) {
    yield before + JSON.stringify(row);
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}

async function readRecords(
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

/** The questions of the process to its server, in files of the folder. */
class Asking {
  readonly #folder: string;
  /** Each line of the server is an answer. */
  #answers: ReturnType<typeof answersOfServer> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async find(urls: readonly string[]): Promise<ReadonlyMap<string, ExistingBookmark>> {
    writeFileSync(join(this.#folder, FILES.wanted), JSON.stringify(urls), { mode: 0o600 });
    const answers = this.#answers ?? answersOfServer();
    this.#answers = answers;
    writeSync(1, `${JSON.stringify({ isAsking: true } satisfies ReadingMessage)}\n`);
    const { done } = await answers.read();
    if (done) throw new Error("the server has ended");
    return new Map(JSON.parse(readFileSync(join(this.#folder, FILES.found), "utf8")));
  }

  async end(): Promise<void> {
    await this.#answers?.cancel();
  }
}

function answersOfServer() {
  return Bun.stdin.stream().getReader();
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
