import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type FindExisting, URLS_AT_ONCE } from "../bookmarks/bookmarks-by-url.ts";
import { type ForeignProcess, type ForeignWatch, ownProgram, runForeign } from "../foreign-process.ts";
import { UnreadableFile } from "../readers/files/unreadable-file.ts";
import { URL_MAX } from "../records/bookmark-members.ts";
import {
  errorOf,
  FILES,
  type ReadingMessage,
  type ReadingRequest,
  type ReadingResult,
} from "./reading-folder.ts";
import type { StepProgress, UploadKind } from "./uploads.ts";

/** The hidden command of the process that reads. Its only argument is the folder. */
export const READ_FILE = "read-file";

/** How far the reading of a file is: of its rows, or of its bytes with the number of records so far. */
export class Progress {
  readonly #size: number;
  #done = 0;
  #total = 0;
  #items = 0;

  /** @param size of the file, in bytes */
  constructor(size: number) {
    this.#size = size;
  }

  get now(): StepProgress {
    return { done: this.#done, total: this.#total, items: this.#items };
  }

  tell({ progress, read, records }: ReadingMessage): void {
    if (progress !== undefined) [this.#done, this.#total] = progress;
    if (records !== undefined) this.#items = records;
    if (read === undefined) return;
    const [start, end] = read;
    // Before the first record, what does not continue the beginning is the table of an archive, which stands at its end.
    if (end <= this.#done || (start > this.#done && this.#items === 0)) return;
    this.#done = end;
    this.#total = this.#size;
  }
}

/** The processor time that it may take for each MB, and at most; in seconds. */
const TIME = { perMegabyte: 10, atMost: 600 };
/**
 * A plain file of bookmarks of at most this many bytes and rows is read where it is: a process would take longer to start than
 * to read it. In every format, a row takes one of these bytes: a line its end, an element or object its beginning.
 */
const SMALL = {
  bytes: 64 * 1024,
  records: 1024 * 1024,
  rows: 2_000,
  marks: [..."\n\r<{["].map((mark) => mark.charCodeAt(0)),
};
/** Of zip and gzip: what an archive unpacks to may be large, however small it is. */
const ARCHIVES = ["PK", "\u001f\u008b"];

/** The URLs that a process may ask for at a time, and the size of their file in bytes. */
const Wanted = z.array(z.string().max(URL_MAX)).max(URLS_AT_ONCE);
const WANTED_MAX = URLS_AT_ONCE * (URL_MAX + 16);

const USUAL: ForeignProcess = {
  get program() {
    return ownProgram();
  },
  // For any file.
  seconds: 30,
  patience: 10,
  memory: 768 * 1024 * 1024,
};

let reader = USUAL;

/** Only tests have others, and the usual one again with `{}`. */
export function useReader(other: Partial<ForeignProcess>): void {
  reader = { ...USUAL, ...other };
}

/** Whether a file is read in a process of its own: a blog always is, since what its texts refer to can make a small one large. */
export function needsProcess(file: string, kind: UploadKind): boolean {
  if (kind === "blog" || statSync(file).size > SMALL.bytes) return true;
  const bytes = readFileSync(file);
  return ARCHIVES.includes(bytes.toString("latin1", 0, 2)) || mayHaveManyRows(bytes);
}

function mayHaveManyRows(bytes: Uint8Array): boolean {
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1;
  return SMALL.marks.some((mark) => (counts[mark] ?? 0) > SMALL.rows);
}

/** Tells how far a reading is, and can end it. */
export interface ReadingWatch {
  /** Looks up the bookmarks that exist, by their URLs. */
  readonly find?: FindExisting;
  readonly onMessage?: (message: ReadingMessage) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the file in a folder, and puts its records there. A small one of bookmarks is read in place, others in a process of their own, which a
 * hostile file can make slow or large without harm to others: it is ended when it takes too much memory or processor time.
 *
 * @returns the number of records; null when the file is none that can be read
 * @throws what the reader throws; UnreadableFile when the process was ended
 */
export async function readInFolder(
  folder: string,
  request: ReadingRequest,
  { find = async () => new Map(), onMessage = () => {}, signal }: ReadingWatch,
): Promise<number | null> {
  const file = join(folder, request.isRead ? FILES.records : FILES.input);
  const { size } = statSync(file);
  if (request.isRead ? size <= SMALL.records : !needsProcess(file, request.kind)) {
    // The readers of all formats are loaded with the first file, not when the server starts.
    const { readUpload } = await import("./read-upload.ts");
    return readUpload(folder, request, onMessage, find);
  }
  writeFileSync(join(folder, FILES.request), JSON.stringify(request), { mode: 0o600 });
  const onLine = async (line: string) => {
    const message = JSON.parse(line) as ReadingMessage;
    if (message.isAsking) await answer(folder, find);
    else onMessage(message);
    return message.isAsking === true;
  };
  await run(folder, timeFor(size), { onLine, signal });
  const result = JSON.parse(readFileSync(join(folder, FILES.result), "utf8")) as ReadingResult;
  if (!("count" in result)) throw errorOf(result);
  return result.count;
}

/** Answers which bookmarks have the URLs that a process asks for. */
async function answer(folder: string, find: FindExisting): Promise<void> {
  const path = join(folder, FILES.wanted);
  if (statSync(path).size > WANTED_MAX) throw readerFailed();
  const { data: wanted } = Wanted.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (wanted === undefined) throw readerFailed();
  // Which text they have is nothing that a plan must know.
  const found = [...(await find(wanted))].map(([url, { id, version, digest }]) => [
    url,
    { id, version, digest },
  ]);
  writeFileSync(join(folder, FILES.found), JSON.stringify(found), { mode: 0o600 });
}

function timeFor(size: number): number {
  const { perMegabyte, atMost } = TIME;
  return Math.min(atMost, reader.seconds + (perMegabyte * size) / 1_000_000);
}

/**
 * @param seconds of processor time
 * @throws UnreadableFile when it was ended, or failed without a word
 */
async function run(folder: string, seconds: number, watch: ForeignWatch): Promise<void> {
  const end = await runForeign({ ...reader, seconds }, [READ_FILE, folder], watch);
  if (end === "too-large") throw new UnreadableFile("takes too much memory to read");
  if (end === "too-slow") throw new UnreadableFile("takes too long to read");
  if (end === "failed") throw readerFailed();
}

function readerFailed(): UnreadableFile {
  return new UnreadableFile("cannot be read: its reader has failed");
}
