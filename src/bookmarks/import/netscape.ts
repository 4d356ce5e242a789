import type { BookmarkStates } from "../bookmark-states.ts";
import { DescriptionText } from "./description-text.ts";
import { readTokens, type StartTag, type TokenHandler } from "./html-tokens.ts";
import { Folder, isContainerName } from "./import-folder.ts";

/** A bookmark as a file has it; its texts are decoded, and otherwise as they stand there. */
export interface FileRow {
  /** Its place among the file's bookmarks, from 1. */
  readonly position: number;
  /** The line that it begins on, from 1. */
  readonly line: number;
  readonly url: string;
  readonly title: string;
  /** What follows the bookmark as its `<DD>`, in its text form. */
  readonly description: string;
  /** `TAGS`, unsplit; null where the file has none. */
  readonly tags: string | null;
  /** `ADD_DATE`, or `CREATED_AT` in an export of our own; null where the file has neither. */
  readonly date: string | null;
  readonly folder: Folder;
  /** `SHORTCUTURL`, the word that Firefox opens the bookmark by; null where the file has none. */
  readonly keyword: string | null;
  readonly isPrivate: boolean;
  /** `TOREAD` and `PRIVATE="0"`, as Pinboard and linkding write them, and {@link ARCHIVED_TAG}. */
  readonly states: BookmarkStates;
  /** `DATA-IMPORTANT`, the favourites of Raindrop. */
  readonly isImportant: boolean;
  /** Whether it comes from an export of our own: its description has its tags already, as they were. */
  readonly isOurs: boolean;
}

/** How linkding says that a bookmark is archived; no tag that its user gave. */
export const ARCHIVED_TAG = "linkding:bookmarks.archived";

/** What a bookmark file holds. */
export interface BookmarkFile {
  readonly rows: readonly FileRow[];
  /** What stands between two tags in this file's `TAGS`. */
  readonly tagSeparator: "comma" | "space";
  /** The folders that carry a description, with the lines that they begin on. */
  readonly describedFolders: readonly { readonly line: number; readonly name: string }[];
  /** The line from which on the file could not be read, being cut off; null when all was read. */
  readonly unreadFrom: number | null;
}

/**
 * Reads the Netscape bookmark format, the one that every browser exports. It has no standard; this takes
 * all shapes that browsers and bookmarking services have given it, and anything else without failing, in
 * time that is linear in its length.
 *
 * @returns null when the text is no such file
 */
export function parseNetscape(text: string): BookmarkFile | null {
  const html = tidy(text);
  const reader = new BookmarkFileReader(html);
  const unread = readTokens(html, reader);
  return reader.finish(unread);
}

/** Line breaks as HTML has them, and nothing that a database could not store. No line moves. */
function tidy(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll("\0", "\ufffd").toWellFormed();
}

/** A bookmark (`<A>`) or a folder's heading (`<H3>`) under way. */
interface Entry {
  readonly tag: StartTag;
  readonly line: number;
  readonly description: DescriptionText;
  label: string;
}

class BookmarkFileReader implements TokenHandler {
  readonly #lines: LineCounter;
  /** A file without a single `<DT>` is read by its links alone. */
  readonly #hasTerms: boolean;
  readonly #rows: FileRow[] = [];
  readonly #describedFolders: { line: number; name: string }[] = [];
  /** The folders around the current one: one for each list that is open. */
  readonly #outer: Folder[] = [];
  #folder = Folder.root;
  #entry: Entry | null = null;
  /** The part of the entry that text goes to. */
  #part: "label" | "description" | null = null;
  #inTerm = false;
  #isDeclared = false;
  #hasList = false;
  #hasHeading = false;

  constructor(html: string) {
    this.#lines = new LineCounter(html);
    this.#hasTerms = /<dt[\s>]/i.test(html);
  }

  declaration(text: string): void {
    if (/^doctype\s+netscape-bookmark-file/i.test(text)) this.#isDeclared = true;
  }

  startTag(tag: StartTag): void {
    if (tag.name === "dl") this.#openList();
    else if (tag.name === "dt") this.#startTerm();
    else if (tag.name === "dd") this.#startDescription();
    else if ((tag.name === "a" || tag.name === "h3") && this.#beginsEntry()) this.#startEntry(tag);
    else if (this.#part === "description") this.#entry?.description.startTag(tag);
    else if (tag.name === "br") this.text(" ");
  }

  endTag(name: string): void {
    if (name === "dl") this.#closeList();
    else if (name === "dt" || name === "dd") this.#part = null;
    else if (this.#part === "description") this.#entry?.description.endTag(name);
    else if (this.#part === "label" && name === this.#entry?.tag.name) this.#part = null;
  }

  text(text: string): void {
    if (this.#entry === null) return;
    if (this.#part === "label") this.#entry.label += text;
    else if (this.#part === "description") this.#entry.description.text(text);
  }

  finish(unread: number | null): BookmarkFile | null {
    this.#finishEntry();
    if (!this.#isBookmarkFile()) return null;
    const rows = this.#rows;
    return {
      rows,
      tagSeparator: rows.some((row) => row.tags?.includes(",")) ? "comma" : "space",
      describedFolders: this.#describedFolders,
      unreadFrom: unread === null ? null : this.#lines.at(unread),
    };
  }

  /** Whether a link or heading is one of the file's own, and not markup in a description or around the list. */
  #beginsEntry(): boolean {
    if (this.#inTerm) return true;
    return this.#outer.length > 0 && (this.#part !== "description" || !this.#hasTerms);
  }

  #startEntry(tag: StartTag): void {
    this.#finishEntry();
    this.#entry = { tag, line: this.#lines.at(tag.start), label: "", description: new DescriptionText() };
    this.#part = "label";
    if (tag.name === "h3") this.#hasHeading = true;
  }

  #startTerm(): void {
    this.#finishEntry();
    this.#inTerm = true;
  }

  #startDescription(): void {
    this.#inTerm = false;
    this.#part = "description";
    this.#entry?.description.lineBreak();
  }

  #finishEntry(): void {
    const entry = this.#entry;
    this.#entry = null;
    this.#part = null;
    this.#inTerm = false;
    if (entry?.tag.name === "a") this.#rows.push(this.#bookmark(entry));
    else if (entry && entry.description.toString() !== "" && !this.#isContainer(entry))
      this.#describedFolders.push({ line: entry.line, name: entry.label.trim() });
  }

  #bookmark({ tag, line, label, description }: Entry): FileRow {
    const position = this.#rows.length + 1;
    const attributeText = tag.attribute("description")?.trim() ?? "";
    const isOurs = tag.attribute("created_at") !== null;
    const text = isOurs ? description.toString() : withoutMarks(description.toString());
    const texts = new Set([attributeText, text]);
    const tags = tag.attribute("tags");
    return {
      position,
      line,
      url: tag.attribute("href") ?? "",
      title: label,
      description: [...texts].filter((text) => text !== "").join("\n"),
      tags,
      date: tag.attribute("created_at") ?? tag.attribute("add_date"),
      folder: this.#folder,
      keyword: tag.attribute("shortcuturl"),
      isPrivate: isSet(tag, "private"),
      states: {
        unread: isSet(tag, "toread"),
        archived: tags?.includes(ARCHIVED_TAG) ?? false,
        shared: tag.attribute("private")?.trim() === "0",
      },
      isImportant: isSet(tag, "data-important"),
      isOurs,
    };
  }

  /** A list belongs to the heading before it; one without is the outermost, or somebody's mistake. */
  #openList(): void {
    this.#hasList = true;
    const heading = this.#entry?.tag.name === "h3" ? this.#entry : null;
    const isContainer = heading !== null && this.#isContainer(heading);
    this.#finishEntry();
    this.#outer.push(this.#folder);
    if (heading) this.#folder = this.#folder.inner(heading.label.trim(), isContainer);
  }

  #closeList(): void {
    this.#finishEntry();
    this.#folder = this.#outer.pop() ?? Folder.root;
  }

  #isContainer({ tag, label }: Entry): boolean {
    if (isSet(tag, "personal_toolbar_folder") || isSet(tag, "unfiled_bookmarks_folder")) return true;
    // Only Safari has headings outside any list.
    return this.#folder === Folder.root && isContainerName(label.trim(), this.#outer.length === 0);
  }

  #isBookmarkFile(): boolean {
    const hasEntries = this.#hasHeading || this.#rows.length > 0;
    return this.#isDeclared ? this.#hasList || hasEntries : this.#hasList && hasEntries;
  }
}

/** Whether a flag such as `PRIVATE="1"` or `PERSONAL_TOOLBAR_FOLDER="true"` says yes. */
function isSet(tag: StartTag, name: string): boolean {
  const value = tag.attribute(name);
  return value !== null && !["", "0", "false"].includes(value.trim().toLowerCase());
}

/** Counts lines for places that only go forward, so that all together cost one pass. */
class LineCounter {
  readonly #text: string;
  #line = 1;
  /** Where the current line ends. */
  #end: number;

  constructor(text: string) {
    this.#text = text;
    this.#end = this.#nextEnd(0);
  }

  at(place: number): number {
    while (this.#end < place) {
      this.#line++;
      this.#end = this.#nextEnd(this.#end + 1);
    }
    return this.#line;
  }

  #nextEnd(from: number): number {
    const end = this.#text.indexOf("\n", from);
    return end === -1 ? this.#text.length : end;
  }
}

/** Between these, linkding's exports have a bookmark's notes, behind its description. */
const NOTES = { begin: "[linkding-notes]", end: "[/linkding-notes]" };

function withoutMarks(description: string): string {
  const begin = description.indexOf(NOTES.begin);
  if (begin === -1 || !description.endsWith(NOTES.end)) return description;
  const notes = description.slice(begin + NOTES.begin.length, -NOTES.end.length);
  return `${description.slice(0, begin)}\n${notes}`.trim();
}
