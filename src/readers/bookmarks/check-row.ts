import type { BookmarkStates } from "../../records/bookmark-members.ts";
import { parseWebUrl, TITLE_MAX } from "../../records/bookmark-members.ts";
import { addTags } from "../../tags/retag.ts";
import { countCodePoints } from "../../text.ts";
import type { Note, RefusalCode } from "../remarks.ts";
import type { FileRow } from "./bookmark-format.ts";
import { readDate } from "./dates.ts";
import { rowNotes, shortenedTitleNote } from "./notes.ts";

/** The maximum length of an imported description, in bytes of UTF-8: as much as a client can send by default. */
export const DESCRIPTION_MAX = 1024 * 1024;

/** A bookmark of the file, ready to be stored. */
export interface StagedBookmark {
  readonly url: string;
  readonly title: string;
  /** The file's text about it. */
  readonly text: string;
  /** The names of its tags and its folder, as tags here. */
  readonly tags: readonly string[];
  readonly states: BookmarkStates;
  /** The text, with a tag line of the tags that it does not contain. */
  readonly description: string;
  readonly createdAt: Date;
  /** The last change in our own exports; otherwise the time of the import. */
  readonly updatedAt?: Date;
}

/** A row of the file, with the decisions that need no database. */
export type StagedRow =
  | {
      readonly row: SourceRow;
      readonly bookmark: StagedBookmark;
      readonly notes: readonly Note[];
      /** Why it is refused if tags and folders become tags, which would make its description too long. */
      readonly refusalWithTags?: Refused;
    }
  | { readonly row: SourceRow; readonly refusal: Refused }
  /** Without an address: its marks go to the bookmark with this title. */
  | { readonly row: SourceRow; readonly isTitleAlone: true };

/** A row of the file as it is recorded. */
export interface SourceRow extends Pick<FileRow, "position" | "line" | "url" | "title" | "tags" | "date"> {
  /** The names of its folders, from the outermost in. */
  readonly folders: readonly string[];
}

export interface Refused {
  readonly code: RefusalCode;
  readonly detail: string;
}

/** A row that was not refused. */
export type AcceptedRow = Extract<StagedRow, { bookmark: StagedBookmark }>;

/** Gives a bookmark its description. */
export function describeBookmark(bookmark: Omit<StagedBookmark, "description">): StagedBookmark {
  const { text, tags } = bookmark;
  return { ...bookmark, description: tags.length === 0 ? text : addTags(text, tags) };
}

/** Whether the description of a bookmark is longer than an imported one may be. */
export function isTooLong({ description }: StagedBookmark): boolean {
  return Buffer.byteLength(description) > DESCRIPTION_MAX;
}

/** Checks a row of a file. @param tags the names of its tags and folder, as tags here */
export function stageRow(fileRow: FileRow, tags: readonly string[], now: Date): StagedRow {
  const row = sourceOf(fileRow);
  const wholeTitle = fileRow.isExact ? row.title : oneLine(row.title);
  const title = shortTitle(wholeTitle);
  const hasAddress = row.url.trim() !== "";
  if (!hasAddress && fileRow.marks.some(({ quote, note = "" }) => (quote + note).trim() !== ""))
    return { row: { ...row, title }, isTitleAlone: true };
  const url = hasAddress ? parseWebUrl(row.url) : { error: NO_ADDRESS };
  if ("error" in url) return { row, refusal: url.error };
  const text = title === wholeTitle ? fileRow.description : `${wholeTitle}\n${fileRow.description}`.trimEnd();
  const date = readDate(row.date, now, fileRow.dateRule);
  const [createdAt, dateNote] = typeof date === "string" ? [now, date] : [date, null];
  const updated = readDate(fileRow.updated, now, "exact");
  const bookmark = describeBookmark({
    ...{ url: url.href, title, text, tags, states: fileRow.states, createdAt },
    ...(updated instanceof Date && { updatedAt: updated }),
  });
  const refusal = tooLong(text);
  if (refusal !== undefined) return { row, refusal };
  const notes = rowNotes(fileRow, dateNote);
  if (title !== wholeTitle) notes.push(shortenedTitleNote(row.line, TITLE_MAX));
  const refusalWithTags = tooLong(bookmark.description);
  return { row, bookmark, notes, ...(refusalWithTags && { refusalWithTags }) };
}

function tooLong(description: string): Refused | undefined {
  const bytes = Buffer.byteLength(description);
  if (bytes <= DESCRIPTION_MAX) return undefined;
  const detail = `The description may have at most ${DESCRIPTION_MAX} bytes; this has ${bytes}.`;
  return { code: "too_long", detail };
}

function sourceOf({ position, line, url, title, tags, date, folder }: FileRow): SourceRow {
  return { position, line, url, title, tags, date, folders: folder.path };
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

const UNENDED_HTML =
  "An HTML tag or comment that starts here is not closed, so the rest of the file was not read.";

/** The part of a file that cannot be read, as a separate row, so that it counts as refused. */
export function cutOff(position: number, line: number, detail = UNENDED_HTML): StagedRow {
  const row: SourceRow = { position, line, url: "", title: "", tags: null, date: null, folders: [] };
  return { row, refusal: { code: "cut_off", detail } };
}
