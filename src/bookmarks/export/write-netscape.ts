import { ARCHIVED_TAG } from "../../records/bookmark-members.ts";
import { namesOnLine, tagsOf, textOf } from "../../tags/description-tags.ts";
import type { ExportedBookmark } from "./export-store.ts";

// The form of Firefox's exports, which every importer supports.
export const HEAD = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>

<DL><p>
`;

/** Closes the list that {@link HEAD} opens. */
export const TAIL = "</DL><p>\n";

/**
 * The start of a folder inside `depth` others. Browsers merge a marked toolbar folder with their own; without the
 * mark, each import would create another folder on the toolbar.
 */
export function folderStart(name: string, depth: number, isToolbar = false): string {
  const mark = isToolbar ? ' PERSONAL_TOOLBAR_FOLDER="true"' : "";
  return `${indent(depth)}<DT><H3${mark}>${escaped(name)}</H3>\n${indent(depth)}<DL><p>\n`;
}

/** The end of a folder inside `depth` others. */
export function folderEnd(depth: number): string {
  return `${indent(depth)}</DL><p>\n`;
}

/**
 * A bookmark inside `depth` folders. Other programs show its tags and its note, so a tag line whose names are all among
 * the tags is not in the note, too; it is in an attribute of its own, as it is, for our importer.
 */
export function bookmarkEntry(bookmark: ExportedBookmark, depth: number): string {
  const { title, url, description, createdAt, updatedAt, states } = bookmark;
  const { note, tagLine } = splitNote(description);
  const attributes = {
    HREF: url,
    ADD_DATE: seconds(createdAt),
    LAST_MODIFIED: seconds(updatedAt),
    // For our importer: milliseconds, where the format has seconds. It also marks the description as complete.
    CREATED_AT: createdAt.toISOString(),
    TAGS: [...tagsOf(description).filter(isSeparable), ...(states.archived ? [ARCHIVED_TAG] : [])].join(","),
    TAG_LINE: tagLine,
    TOREAD: states.unread ? "1" : "",
    PRIVATE: states.shared ? "0" : "",
  };
  const words = Object.entries(attributes)
    .filter(([, value]) => value !== "")
    // Some programs read a link line by line.
    .map(([name, value]) => ` ${name}="${escaped(value).replaceAll("\n", "&#10;")}"`);
  const noteLine = note === "" ? "" : `${indent(depth)}<DD>${escaped(note)}\n`;
  return `${indent(depth)}<DT><A${words.join("")}>${escaped(title)}</A>\n${noteLine}`;
}

/** The number of characters of a tag line that becomes an attribute: readers have limits for a whole link. */
export const TAG_LINE_MAX = 10_000;

/** The note, and the tag line with the white space around it if it is not in the note. Joined, they are the description. */
function splitNote(description: string): { readonly note: string; readonly tagLine: string } {
  const note = textOf(description);
  const tagLine = description.slice(note.length);
  const isWhole = tagLine.length <= TAG_LINE_MAX && namesOnLine(tagLine.trim()).every(isSeparable);
  return isWhole ? { note, tagLine } : { note: description, tagLine: "" };
}

/** The format separates tags by commas. A tag with a comma is only in the description. */
function isSeparable(tag: string): boolean {
  return !tag.includes(",");
}

function seconds(time: Date): string {
  return String(Math.floor(time.getTime() / 1000));
}

function indent(depth: number): string {
  return "    ".repeat(depth + 1);
}

const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // A bare carriage return would be read as a line break.
  "\r": "&#13;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"\r]/g, (character) => REFERENCES[character] ?? character);
}
