import { parseWebUrl, TITLE_MAX } from "../../bookmarks/bookmark.ts";
import type { BookmarkStates } from "../../bookmarks/bookmark-states.ts";
import type { BookmarkFields, BookmarkVersion } from "../../bookmarks/bookmark-writer.ts";
import { addTags } from "../../tags/retag.ts";
import { countCodePoints } from "../../text.ts";
import type { Note, RefusalCode } from "../import/import-report.ts";
import type { DateRule, FileRow } from "./bookmark-format.ts";
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
  | { readonly row: SourceRow; readonly refusal: Refused };

/** A row of the file as it is recorded. */
export interface SourceRow extends Pick<FileRow, "position" | "line" | "url" | "title" | "tags" | "date"> {
  /** The names of its folders, from the outermost in. */
  readonly folders: readonly string[];
}

/** A bookmark that exists before the import. */
export type ExistingBookmark = BookmarkVersion & BookmarkFields;

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
  const url = row.url.trim() === "" ? { error: NO_ADDRESS } : parseWebUrl(row.url);
  if ("error" in url) return { row, refusal: url.error };
  const wholeTitle = fileRow.isExact ? row.title : oneLine(row.title);
  const title = shortTitle(wholeTitle);
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

/** The part of a file that cannot be read, as a row of its own, so that it counts as refused. */
export function cutOff(position: number, line: number, detail = UNENDED_HTML): StagedRow {
  const row: SourceRow = { position, line, url: "", title: "", tags: null, date: null, folders: [] };
  return { row, refusal: { code: "cut_off", detail } };
}

/** Why a file's date cannot be used; the time of the import takes its place. */
export type DateNote = "date_missing" | "date_unreadable" | "date_absurd";

/** From these thresholds on, numbers are milliseconds, microseconds, and invalid. */
const MILLISECONDS_FROM = 1e11;
const MICROSECONDS_FROM = 1e14;
const NO_TIME_FROM = 1e17;

/** The time from 1601, the epoch of Windows and Chromium, to 1970, in milliseconds. */
const WEBKIT_EPOCH = 11_644_473_600_000;

/** The web has no older pages. */
const EARLIEST = Date.UTC(1990, 0);
/** The tolerance for wrong clocks and confused time zones. */
const FUTURE_MAX = 24 * 60 * 60 * 1000;

/**
 * Parses a date of a file to whole milliseconds. Browsers count seconds since 1970, Takeout milliseconds, Google
 * Bookmarks microseconds: the magnitude shows which. Dates in the common log format or ISO 8601 occur, too,
 * without a zone in UTC.
 */
export function readDate(raw: string | null, now: Date, rule: DateRule = "guess"): Date | DateNote {
  const text = raw?.trim() ?? "";
  if (text === "" || text === "0") return "date_missing";
  const time = timeOf(text, rule);
  if (Number.isNaN(time)) return "date_unreadable";
  if (rule === "exact") return new Date(time);
  if (time < EARLIEST || time > now.getTime() + FUTURE_MAX) return "date_absurd";
  // Drops fractions of a millisecond.
  return new Date(time);
}

/** In milliseconds since 1970; NaN for an invalid date. */
function timeOf(text: string, rule: DateRule): number {
  if (rule === "exact") return ISO_8601.test(text) ? Date.parse(text) : Number.NaN;
  if (!/^-?\d{1,30}(\.\d{1,30})?$/.test(text)) return written(text);
  return rule === "webkit" ? Math.floor(Number(text) / 1000) - WEBKIT_EPOCH : byMagnitude(Number(text));
}

function byMagnitude(count: number): number {
  if (count < MILLISECONDS_FROM) return count * 1000;
  if (count < MICROSECONDS_FROM) return count;
  return count < NO_TIME_FROM ? count / 1000 : Number.POSITIVE_INFINITY;
}

/** As other programs write ISO 8601: the zone without a colon, or none, which is read as UTC. */
const LOOSE_ISO_8601 = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,9})?) ?(?:([+-]\d\d):?(\d\d)|UTC)?$/i;
const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i;
/** The format of web server logs: `10/Oct/2000:13:55:36 +0300`. */
const COMMON_LOG = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})$/;

/** A day alone, as spreadsheets leave it: its beginning in UTC. */
const DAY = /^\d{4}-\d\d-\d\d$/;

function written(text: string): number {
  if (ISO_8601.test(text)) return Date.parse(text);
  // The runtime takes February 30 for March 1.
  if (DAY.test(text))
    return new Date(text).getUTCDate() === Number(text.slice(-2)) ? Date.parse(text) : Number.NaN;
  const [loose, date, clock, hours = "+00", minutes = "00"] = LOOSE_ISO_8601.exec(text) ?? [];
  if (loose !== undefined) return Date.parse(`${date}T${clock}${hours}:${minutes}`);
  const [, day, month, year, time, zone] = COMMON_LOG.exec(text) ?? [];
  return day === undefined ? Number.NaN : Date.parse(`${day} ${month} ${year} ${time} ${zone}`);
}
