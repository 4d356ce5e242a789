import { setImmediate } from "node:timers/promises";
import { textErrors } from "../../text.ts";
import { TITLE_MAX } from "../bookmark.ts";
import { findHashtags, hashtagKey } from "../hashtags.ts";
import { parseWebUrl } from "../web-url.ts";
import { readDate } from "./import-date.ts";
import { Folder } from "./import-folder.ts";
import { folderNote, rowNotes, strayLineNote } from "./import-notes.ts";
import type { Note, RefusalCode } from "./import-report.ts";
import { TagReader } from "./import-tags.ts";
import { decodeBookmarkFile } from "./import-text.ts";
import { type BookmarkFile, type FileRow, parseNetscape } from "./netscape.ts";

/** The most bytes of UTF-8 that an imported description may have: what a client can send, by default. */
export const DESCRIPTION_MAX = 1024 * 1024;

/** How many rows are staged before the event loop has a turn. */
const TURN = 1_000;

/** A bookmark as the file asks for it, ready to be stored. */
export interface StagedBookmark {
  readonly url: string;
  readonly title: string;
  /** What the file says of it. */
  readonly text: string;
  /** What its tags and folder are here, each with its `#`. */
  readonly hashtags: readonly string[];
  /** The text, and on a last line the hashtags that it does not have itself. */
  readonly description: string;
  readonly createdAt: Date;
}

/** A row of the file and what can be decided about it without a database. */
export type StagedRow =
  | { readonly row: FileRow; readonly bookmark: StagedBookmark; readonly notes: readonly Note[] }
  | { readonly row: FileRow; readonly refusal: Refused };

export interface Refused {
  readonly code: RefusalCode;
  readonly detail: string;
}

/** A whole file, read and checked: all that an import can do before it needs the database. */
export interface StagedImport {
  readonly fileName: string;
  readonly encoding: string;
  /** The time of the import. */
  readonly now: Date;
  readonly rows: readonly StagedRow[];
  /** What is to be told of the file besides its rows. */
  readonly notes: readonly Note[];
}

export interface StagingOptions {
  readonly now: Date;
  /** Whether tags and folders become hashtags on the last line of the description; those of our own exports never do. */
  readonly tags: boolean;
  /** Told now and then how many of the file's rows are staged. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Reads and checks a bookmark file. @returns null when it is none */
export async function stageImport(
  fileName: string,
  bytes: Uint8Array,
  options: StagingOptions,
): Promise<StagedImport | null> {
  const { text, encoding, strayLines } = decodeBookmarkFile(bytes);
  const file = parseNetscape(text);
  if (file === null) return null;
  const { now, tags, onProgress } = options;
  const rows: StagedRow[] = [];
  const tagReader = new TagReader(file.tagSeparator);
  for (const row of file.rows) {
    const hashtags = tags && !row.isOurs ? tagReader.hashtags(row) : [];
    rows.push(stageRow(row, hashtags, now));
    if (row.position % TURN === 0) {
      onProgress?.(row.position, file.rows.length);
      await setImmediate();
    }
  }
  if (file.unreadFrom !== null) rows.push(cutOff(file, file.unreadFrom));
  const notes = [
    ...strayLines.map(strayLineNote),
    ...file.describedFolders.map(folderNote),
    ...tagReader.notes(),
  ];
  return { fileName, encoding, now, rows, notes };
}

function stageRow(row: FileRow, hashtags: readonly string[], now: Date): StagedRow {
  const url = row.url.trim() === "" ? { error: NO_ADDRESS } : parseWebUrl(row.url);
  if ("error" in url) return { row, refusal: url.error };
  const title = oneLine(row.title);
  const [titleFault] = textErrors(title, { max: TITLE_MAX });
  if (titleFault) return { row, refusal: { ...titleFault, detail: `The title: ${titleFault.detail}` } };
  const date = readDate(row.date, now);
  const [createdAt, dateNote] = typeof date === "string" ? [now, date] : [date, null];
  const bookmark = describeBookmark({ url: url.href, title, text: row.description, hashtags, createdAt });
  if (isTooLong(bookmark)) {
    const bytes = Buffer.byteLength(bookmark.description);
    const detail = `The description: at most ${DESCRIPTION_MAX} bytes; this has ${bytes}.`;
    return { row, refusal: { code: "too_long", detail } };
  }
  return { row, bookmark, notes: rowNotes(row, dateNote) };
}

/** Gives a bookmark its description. */
export function describeBookmark(bookmark: Omit<StagedBookmark, "description">): StagedBookmark {
  return { ...bookmark, description: withHashtags(bookmark.text, bookmark.hashtags) };
}

/** Whether the description of a bookmark is longer than an imported one may be. */
export function isTooLong({ description }: StagedBookmark): boolean {
  return Buffer.byteLength(description) > DESCRIPTION_MAX;
}

const NO_ADDRESS = { code: "missing", detail: "This has no address." } as const;

/** A title is one line: line breaks in it come from the file's layout. */
function oneLine(text: string): string {
  if (!text.includes("\n")) return text.trim();
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

/** Adds hashtags on a last line, those that the text does not have yet, each once. */
function withHashtags(text: string, hashtags: readonly string[]): string {
  const present = new Set(findHashtags(text).map(hashtagKey));
  const line = hashtags.filter((hashtag) => {
    const key = hashtagKey(hashtag.slice(1));
    return !present.has(key) && present.add(key);
  });
  return [text, line.join(" ")].filter((part) => part !== "").join("\n");
}

/** The part of a file that cannot be read, as a row of its own, so that it counts as refused. */
function cutOff({ rows }: BookmarkFile, line: number): StagedRow {
  const row: FileRow = {
    position: rows.length + 1,
    line,
    url: "",
    title: "",
    description: "",
    tags: null,
    date: null,
    folder: Folder.root,
    keyword: null,
    isPrivate: false,
    isToRead: false,
    isImportant: false,
    isArchived: false,
    isOurs: false,
  };
  const detail = "A tag or comment that begins here never ends: nothing after it could be read.";
  return { row, refusal: { code: "cut_off", detail } };
}
