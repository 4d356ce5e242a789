import { type BookmarkStates, NO_STATES } from "../../records/bookmark-members.ts";
import type { FileText } from "../reading/file-text.ts";
import type { Note } from "../remarks.ts";
import type { DateRule } from "./dates.ts";
import { Folder } from "./folder.ts";

/** The names of the supported formats, as in reports. */
export type FormatName =
  | "netscape"
  | "commonplace-json"
  | "commonplace-csv"
  | "pinboard"
  | "raindrop"
  | "pocket"
  | "instapaper"
  | "matter"
  | "mymind"
  | "readwise"
  | "linkding"
  | "karakeep"
  | "elcurator"
  | "linkwarden"
  | "omnivore"
  | "wallabag"
  | "delicious"
  | "readability"
  | "firefox"
  | "chrome"
  | "readeck"
  | "linkace"
  | "diigo"
  | "shaarli"
  | "shiori"
  | "goodlinks"
  | "xbrowsersync"
  | "toby"
  | "google-saved"
  | "youtube"
  | "reddit"
  | "zotero"
  | "xbel"
  | "opera-hotlist"
  | "markdown-links"
  | "org-links"
  | "addresses";

/** The unit of row numbers: lines, or bookmarks if a file may be one long line. */
export type RowUnit = "line" | "bookmark";

/**
 * The text of a page that an export brings: HTML, which may be cut at {@link FIELD_MAX}; or the file of the archive that has
 * it, by its path from the folder of the file that names it, and a file of what is marked in it.
 */
export type PageText = { readonly html: string } | { readonly file: string; readonly marks?: string };

/** The HTML of a member; null when it has nothing. */
export function htmlText(html: string): PageText | null {
  return html.trim() === "" ? null : { html };
}

/** The HTML of a member that has plain text, with a paragraph for each line. */
export function plainPage(text: string): PageText | null {
  // What was cut stays as long as it is.
  if (text.length >= FIELD_MAX) return { html: text };
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== "");
  return htmlText(lines.map((line) => `<p>${Bun.escapeHTML(line)}</p>`).join(""));
}

/** What a reader has marked in a page, as the file has it. */
export interface FileMark {
  /** The words; empty for a note on the page as a whole. */
  readonly quote: string;
  readonly note?: string;
  readonly tags?: readonly string[];
  readonly date?: string | null;
}

/** A bookmark of a file; its texts are decoded but otherwise unchanged. */
export interface FileRow {
  /** Its position among the file's bookmarks, from 1. */
  readonly position: number;
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly url: string;
  readonly title: string;
  /** The description, as text. */
  readonly description: string;
  /** The tags as one text, for the record; null if there are none. */
  readonly tags: string | null;
  /** The tags, each as in the file. */
  readonly tagNames: readonly string[];
  /** Whether it has tags of a shape that is not known. */
  readonly hasUnreadTags: boolean;
  /** The creation date as in the file; null if there is none. */
  readonly date: string | null;
  readonly dateRule: DateRule;
  /** The date of the last change, in an export of our own; null elsewhere. */
  readonly updated: string | null;
  readonly folder: Folder;
  /** The browser's keyword for the bookmark; null if there is none. */
  readonly keyword: string | null;
  readonly isPrivate: boolean;
  /** Whether it is in the trash there: then it is not imported. */
  readonly isTrashed: boolean;
  readonly states: BookmarkStates;
  /** Marked as a favorite, which cannot be imported. */
  readonly isImportant: boolean;
  /** Whether it comes from our own export: its description has its tags already. */
  readonly isOurs: boolean;
  /** Whether title and description are kept exactly, including white space, as in our own JSON and CSV. */
  readonly isExact: boolean;
  /** The text of its page; null if the file has none. */
  readonly page: PageText | null;
  /** What is marked in its page. */
  readonly marks: readonly FileMark[];
}

const NOTHING: Omit<FileRow, "url" | "title"> = {
  position: 0,
  line: 0,
  description: "",
  tags: null,
  tagNames: [],
  hasUnreadTags: false,
  date: null,
  dateRule: "guess",
  updated: null,
  folder: Folder.root,
  keyword: null,
  isPrivate: false,
  isTrashed: false,
  states: NO_STATES,
  isImportant: false,
  isOurs: false,
  isExact: false,
  page: null,
  marks: [],
};

/** Makes a row with defaults for absent members. Staging sets its position. */
export function makeRow(row: Pick<FileRow, "url" | "title"> & Partial<FileRow>): FileRow {
  return { ...NOTHING, ...row };
}

/** The properties of a completely read file. */
export interface FileSummary {
  /** Whether the file has the format at all. */
  readonly isBookmarkFile: boolean;
  /** Whether it is the export of an empty collection: it has nothing that a bookmark could be read from. */
  readonly isEmpty?: boolean;
  /** The line from which the file could not be read; null if all was read. */
  readonly unreadFrom: number | null;
  /** The reason as a sentence; absent for HTML. */
  readonly unreadDetail?: string;
  /** The path of the browser's toolbar folder, outermost first; null when none is marked. */
  readonly toolbar: readonly string[] | null;
}

/** What a format gets to read a file: the text and where to report to. */
export interface FormatInput {
  readonly text: FileText;
  onRow(row: FileRow): void;
  onNote(note: Note): void;
}

/** A format that is recognized by its content, by what only it has. */
export interface BookmarkFormat {
  readonly name: FormatName;
  /** The unit of row numbers: lines, or bookmarks if a file may be one long line. */
  readonly rowUnit: RowUnit;
  /** Whether the format is always UTF-8, as JSON is. */
  readonly isUtf8: boolean;
  read(reading: FormatInput): Promise<FileSummary>;
}

/** A file of a known program that is not read. */
export interface UnreadFormat {
  /** What the file is, and which export of the program is read, as a clause: `is … , which is not read: …`. */
  readonly unread: string;
}

/** A file that was read to its end. */
export const WHOLE: FileSummary = {
  isBookmarkFile: true,
  unreadFrom: null,
  toolbar: null,
};

/** Text of a JSON or CSV file, ready to be stored, with line feeds as line breaks. */
export function plainText(text: string): string {
  return exactText(text).replaceAll(/\r\n?/g, "\n");
}

/** Text of a JSON or CSV file, ready to be stored, with unchanged line breaks. */
export function exactText(text: string): string {
  return text.replaceAll("\0", "\ufffd").toWellFormed();
}

/** Joins texts as paragraphs, without empty and repeated ones. */
export function paragraphs(...texts: readonly string[]): string {
  const said = texts.map((text) => plainText(text).trim()).filter((text) => text !== "");
  return [...new Set(said)].join("\n\n");
}

/** How much of a field is read, in characters, if the file has more: one more than is ever stored, so that it is refused. */
export const FIELD_MAX = 1024 * 1024 + 1;

/** A field with the next part of its text, unless it has enough. */
export function extended(field: string, part: string): string {
  return field.length < FIELD_MAX ? field + part : field;
}
