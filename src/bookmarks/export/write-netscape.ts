import { tagsOf } from "../../tags/description-tags.ts";
import { ARCHIVED_TAG } from "../import/formats/netscape/netscape.ts";
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

/** A bookmark inside `depth` folders. */
export function bookmarkEntry(bookmark: ExportedBookmark, depth: number): string {
  const { title, url, description, createdAt, updatedAt, states } = bookmark;
  const attributes = {
    HREF: url,
    ADD_DATE: seconds(createdAt),
    LAST_MODIFIED: seconds(updatedAt),
    // For our importer: milliseconds, where the format has seconds. It also marks the description as complete.
    CREATED_AT: createdAt.toISOString(),
    TAGS: [...separableTags(description), ...(states.archived ? [ARCHIVED_TAG] : [])].join(","),
    TOREAD: states.unread ? "1" : "",
    PRIVATE: states.shared ? "0" : "",
  };
  const words = Object.entries(attributes)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => ` ${name}="${escaped(value)}"`);
  const note = description === "" ? "" : `${indent(depth)}<DD>${escaped(description)}\n`;
  return `${indent(depth)}<DT><A${words.join("")}>${escaped(title)}</A>\n${note}`;
}

/** The format separates tags by commas. A tag with a comma is only in the description, which has all tags. */
function separableTags(description: string): string[] {
  return tagsOf(description).filter((tag) => !tag.includes(","));
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
