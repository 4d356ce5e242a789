import { countCodePoints } from "../../text.ts";
import type { Note, NoteCode } from "../remarks.ts";
import type { FileRow } from "./bookmark-format.ts";
import type { DateNote } from "./dates.ts";

/** The notes on a row that is imported with changes. `date`: why its date is not used, if it is not. */
export function rowNotes(row: FileRow, date: DateNote | null): Note[] {
  const notes: Note[] = [];
  const note = (code: NoteCode, detail: string) => notes.push({ line: row.line, code, detail });
  const shownDate = shown(row.date ?? "");
  if (date === "date_missing") note(date, "No date; the import time is used instead.");
  if (date === "date_unreadable")
    note(date, `The date ${shownDate} is invalid; the import time is used instead.`);
  if (date === "date_absurd")
    note(date, `The date ${shownDate} is implausible; the import time is used instead.`);
  if (row.isPrivate)
    note("private", "Marked as private, which is not supported: anyone who can read bookmarks can read it.");
  if (row.isImportant) note("important", "Marked as important, which is not supported.");
  if (row.keyword) note("keyword", `The keyword ${shown(row.keyword)} is not imported.`);
  if (row.folder.isShortened || row.folder.hasShortenedTag)
    note("folders_shortened", "Nested too deeply: the innermost folders are omitted.");
  return notes;
}

/** Notes that a title was shortened. */
export function shortenedTitleNote(line: number, max: number): Note {
  const detail = `The title is longer than ${max} characters: it is shortened, and the description has the full title.`;
  return { line, code: "title_shortened", detail };
}

/** Notes that a folder's description is not imported. */
export function folderNote({ line, name }: { line: number; name: string }): Note {
  const detail = `The description of the folder ${shown(name)} is not imported.`;
  return { line, code: "folder_description", detail };
}

/** Notes that a tag is not imported; `count` bookmarks have it. */
export function invalidTagNote(line: number, tag: string, count: number): Note {
  const detail = `The tag ${shown(tag)} cannot be imported (${bookmarks(count)}): it has no valid character.`;
  return { line, code: "tag_unfit", detail };
}

/** Notes that bookmarks have tags of a shape that is not known. */
export function unreadTagsNote(line: number, count: number): Note {
  const detail = `Tags have a form that Commonplace does not know, and are not imported (${bookmarks(count)}).`;
  return { line, code: "tags_unread", detail };
}

/** Notes that a tag gets another name. */
export function changedTagNote(line: number, tag: string, name: string, count: number): Note {
  const detail = `The tag ${shown(tag)} becomes ${shown(name)} (${bookmarks(count)}).`;
  return { line, code: "tag_changed", detail };
}

/** Notes that more names change than are listed. */
export function omittedNotesNote(kind: "tags" | "folders", line: number, count: number): Note {
  const code = kind === "tags" ? "tag_changed" : "folder_unfit";
  const detail = `More ${kind} change or cannot be imported, from this line on (${bookmarks(count)}).`;
  return { line, code, detail };
}

/** Notes that a folder's name cannot become a tag. */
export function invalidFolderNote(line: number, name: string, count: number): Note {
  const detail = `The folder ${shown(name)} cannot become a tag (${bookmarks(count)}).`;
  return { line, code: "folder_unfit", detail };
}

/** Notes that an earlier row with the same URL has another title, which is used. */
export function otherTitleNote(line: number, title: string, first: string): Note {
  const detail = `Same address as ${first}, whose title is used; the title here is ${shown(title)}.`;
  return { line, code: "other_title", detail };
}

/** Notes that more rows with the same URL have other titles than listed. */
export function otherTitlesNote(line: number, count: number): Note {
  const detail = `${count} more rows have the same address and another title; the title of this one is used.`;
  return { line, code: "other_title", detail };
}

/** Notes that the texts of all rows with the same URL would be too long together. */
export function repeatsNote(line: number): Note {
  const detail =
    "Later rows have the same address, but all their texts and tags are too long together: those of this row are used.";
  return { line, code: "repeats_too_long", detail };
}

function bookmarks(count: number): string {
  return count === 1 ? "1 bookmark" : `${count} bookmarks`;
}

/** Notes that bookmarks in the trash of a program are not imported; one note for all. */
export function trashNote(count: number): Note {
  const detail = `What is in the trash there (${bookmarks(count)}) is not imported.`;
  return { line: 1, code: "trash", detail };
}

/** Notes that marks, or notes on them, are longer than they may be. */
export function shortenedMarksNote(line: number, count: number): Note {
  const what = count === 1 ? "A highlight, or its note, is" : `${count} highlights, or their notes, are`;
  const detail = `${what} too long: only the beginning is imported. Keep the file.`;
  return { line, code: "not_kept", detail };
}

/** Notes that lines of comments in a list of links are not imported. */
export function commentsNote(line: number, count: number): Note {
  const detail = count === 1 ? "A comment is not imported." : `${count} comments are not imported.`;
  return { line, code: "not_kept", detail };
}

/** Notes that a file also has posts or marks, which are not imported. */
export function otherContentNote(others: Readonly<Record<"post" | "mark", number>>): Note {
  const left = Object.entries(others)
    .filter(([, count]) => count > 0)
    .map(([noun, count]) => (count === 1 ? noun : `${count} ${noun}s`));
  const detail = `Only the bookmarks of this file are imported, not its ${left.join(" and ")}: commonplace import without --existing and --no-tags, and the page “Import a blog”, take everything.`;
  return { line: 1, code: "posts", detail };
}

/** Notes that bookmarks have members that have no place here; the first ones are named. */
export function unknownMembersNote(names: readonly string[], others: number): Note {
  const more = others === 0 ? "" : `, and ${others} more`;
  const detail = `Not imported, as bookmarks here have no such members: ${names.map(shown).join(", ")}${more}.`;
  return { line: 1, code: "unknown_members", detail };
}

/** Notes that a file of an archive has no bookmarks, or another format. */
export function otherFileNote(name: string): Note {
  return { line: 1, code: "other_file", detail: `The file ${shown(name)} in the archive is not imported.` };
}

/** Notes that files of an archive are not imported; the first of them is named. */
export function otherFilesNote(count: number, first: string): Note {
  if (count === 1) return otherFileNote(first);
  const detail = `${count} other files in the archive are not imported; the first is ${shown(first)}.`;
  return { line: 1, code: "other_file", detail };
}

/** Notes what is wrong with the encoding of a file. */
export function encodingNote(code: "encoding" | "bad_bytes", detail: string): Note {
  return { line: 1, code, detail };
}

/** Notes that a line has a different encoding than the rest. */
export function otherEncodingNote(line: number): Note {
  const detail = "This line is encoded differently from the rest of the file; it is read as windows-1252.";
  return { line, code: "other_encoding", detail };
}

const SHOWN_MAX = 60;

/** A text of the file inside a sentence. */
function shown(text: string): string {
  const isLong = countCodePoints(text) > SHOWN_MAX;
  return `“${isLong ? `${Array.from(text).slice(0, SHOWN_MAX).join("")}…` : text}”`;
}
