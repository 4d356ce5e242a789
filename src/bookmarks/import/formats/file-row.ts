import { type BookmarkStates, NO_STATES } from "../../bookmark-states.ts";
import type { Note } from "../import-report.ts";
import type { FileText } from "../import-text.ts";
import type { CountedBy, FormatName } from "./format-name.ts";
import { Folder } from "./import-folder.ts";

/** A bookmark of a file; its texts are decoded but otherwise unchanged. */
export interface FileRow {
  /** Its position among the file's bookmarks, from 1. */
  readonly position: number;
  /** The line that it begins on, from 1. */
  readonly line: number;
  readonly url: string;
  readonly title: string;
  /** The description, as text. */
  readonly description: string;
  /** The tags as one text, to be recorded; null where the file has none. */
  readonly tags: string | null;
  /** The tags, where the format separates them; null where only the whole file shows what does. */
  readonly tagNames: readonly string[] | null;
  /** The date of creation as it stands in the file; null where it has none. */
  readonly date: string | null;
  readonly dateRule: DateRule;
  /** The date of the last change, in an export of our own; null elsewhere. */
  readonly updated: string | null;
  readonly folder: Folder;
  /** The browser's keyword for the bookmark; null if there is none. */
  readonly keyword: string | null;
  readonly isPrivate: boolean;
  readonly states: BookmarkStates;
  /** Marked as a favorite, which cannot be imported. */
  readonly isImportant: boolean;
  /** Whether it comes from an export of our own: its description has its tags already, as they were. */
  readonly isOurs: boolean;
  /** Whether title and description are to be kept to the last space, as JSON and CSV of our own can. */
  readonly isExact: boolean;
}

/**
 * How a date is read: `guess` by its shape and magnitude, `webkit` as microseconds since 1601, `exact` as an ISO 8601
 * instant that is plausible whatever it says, since it comes from here.
 */
export type DateRule = "guess" | "webkit" | "exact";

const NOTHING: Omit<FileRow, "url" | "title"> = {
  position: 0,
  line: 0,
  description: "",
  tags: null,
  tagNames: null,
  date: null,
  dateRule: "guess",
  updated: null,
  folder: Folder.root,
  keyword: null,
  isPrivate: false,
  states: NO_STATES,
  isImportant: false,
  isOurs: false,
  isExact: false,
};

/** A row of which most members are absent. Staging gives it its position. */
export function makeRow(row: Pick<FileRow, "url" | "title"> & Partial<FileRow>): FileRow {
  return { ...NOTHING, ...row };
}

/** What stands between two tags in a Netscape file's `TAGS`. */
export type TagSeparator = "comma" | "space";

/** The properties of a completely read file. */
export interface FileSummary {
  /** Whether it is of its format at all. */
  readonly isBookmarkFile: boolean;
  readonly tagSeparator: TagSeparator;
  /** The line from which on the file could not be read, being cut off; null when all was read. */
  readonly unreadFrom: number | null;
  /** Why, as a sentence; absent for HTML. */
  readonly unreadDetail?: string;
  /** The folder of the browser's toolbar, by its names from the outermost in; null when none is marked. */
  readonly toolbar: readonly string[] | null;
}

/** A file of a known format as it is read. */
export interface Reading {
  readonly text: FileText;
  onRow(row: FileRow): void;
  onNote(note: Note): void;
  /** Await this after each piece of the text: it yields to other work and reports progress. */
  pause(): Promise<void>;
}

/** A format that is recognized by its content. */
export interface BookmarkFormat {
  readonly name: FormatName;
  /** The unit of row numbers: lines, or bookmarks if a file may be one long line. */
  readonly countedBy: CountedBy;
  /** Whether the format is always UTF-8, as JSON is. */
  readonly isUtf8: boolean;
  read(reading: Reading): Promise<FileSummary>;
}

/** A file that was read to its end. */
export const WHOLE: FileSummary = {
  isBookmarkFile: true,
  tagSeparator: "comma",
  unreadFrom: null,
  toolbar: null,
};

/** Text of a JSON or CSV file as it can be stored: line breaks are line feeds, as HTML has them. */
export function plainText(text: string): string {
  return exactText(text).replaceAll(/\r\n?/g, "\n");
}

/** The same with its line breaks as they are. */
export function exactText(text: string): string {
  return text.replaceAll("\0", "\ufffd").toWellFormed();
}

/** Texts under each other with an empty line between them, without those that are empty or repeated. */
export function paragraphs(...texts: readonly string[]): string {
  const said = texts.map((text) => plainText(text).trim()).filter((text) => text !== "");
  return [...new Set(said)].join("\n\n");
}
