import { setImmediate } from "node:timers/promises";
import { tagsOf, textOf } from "../../tags/description-tags.ts";
import { retag } from "../../tags/retag.ts";
import { countCodePoints } from "../../text.ts";
import { TITLE_MAX } from "../bookmark.ts";
import { type BookmarkStates, joinStates, NO_STATES } from "../bookmark-states.ts";
import { parseWebUrl } from "../web-url.ts";
import { readDate } from "./import-date.ts";
import { Folder } from "./import-folder.ts";
import { folderNote, rowNotes, shortenedTitleNote, strayLineNote } from "./import-notes.ts";
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
  /** The names of its tags and its folder, as tags here. */
  readonly tags: readonly string[];
  readonly states: BookmarkStates;
  /** The text, with the tags that it does not have itself on the tag line. */
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
  /** Whether tags and folders go on the tag line of the description; those of our own exports never do. */
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
    const names = tags && !row.isOurs ? tagReader.names(row) : [];
    rows.push(stageRow(row, names, now));
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

function stageRow(row: FileRow, tags: readonly string[], now: Date): StagedRow {
  const url = row.url.trim() === "" ? { error: NO_ADDRESS } : parseWebUrl(row.url);
  if ("error" in url) return { row, refusal: url.error };
  const wholeTitle = oneLine(row.title);
  const title = shortTitle(wholeTitle);
  const text = title === wholeTitle ? row.description : `${wholeTitle}\n${row.description}`.trimEnd();
  const date = readDate(row.date, now);
  const [createdAt, dateNote] = typeof date === "string" ? [now, date] : [date, null];
  const bookmark = describeBookmark({ url: url.href, title, text, tags, states: row.states, createdAt });
  if (isTooLong(bookmark)) {
    const bytes = Buffer.byteLength(bookmark.description);
    const detail = `The description may have at most ${DESCRIPTION_MAX} bytes; this has ${bytes}.`;
    return { row, refusal: { code: "too_long", detail } };
  }
  const notes = rowNotes(row, dateNote);
  if (title !== wholeTitle) notes.push(shortenedTitleNote(row.line, TITLE_MAX));
  return { row, bookmark, notes };
}

/** Gives a bookmark its description. */
export function describeBookmark(bookmark: Omit<StagedBookmark, "description">): StagedBookmark {
  const { text, tags } = bookmark;
  return { ...bookmark, description: tags.length === 0 ? text : retag(text, [...tagsOf(text), ...tags]) };
}

/** Makes one bookmark of several with the same URL: the texts and tags of all, each once. */
export function joinBookmarks(first: StagedBookmark, all: readonly StagedBookmark[]): StagedBookmark {
  const texts = new Set(all.map(({ text }) => textOf(text)).filter((text) => text !== ""));
  return describeBookmark({
    ...first,
    text: [...texts].join("\n"),
    tags: all.flatMap(({ text, tags }) => [...tagsOf(text), ...tags]),
    states: joinStates(all.map(({ states }) => states)),
  });
}

/** Whether the description of a bookmark is longer than an imported one may be. */
export function isTooLong({ description }: StagedBookmark): boolean {
  return Buffer.byteLength(description) > DESCRIPTION_MAX;
}

const NO_ADDRESS = { code: "missing", detail: "No address." } as const;

/** A title is one line: line breaks in it come from the file's layout. */
function oneLine(text: string): string {
  if (!text.includes("\n")) return text.trim();
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

/** A title as it can be stored; of a longer one the beginning, and an ellipsis. */
function shortTitle(title: string): string {
  if (countCodePoints(title) <= TITLE_MAX) return title;
  const start = Array.from(title).slice(0, TITLE_MAX - 1);
  return `${start.join("").trimEnd()}…`;
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
    states: NO_STATES,
    isImportant: false,
    isOurs: false,
  };
  const detail = "An HTML tag or comment that starts here never ends: nothing after it was read.";
  return { row, refusal: { code: "cut_off", detail } };
}
