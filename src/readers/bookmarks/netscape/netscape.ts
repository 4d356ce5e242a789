import { ARCHIVED_TAG } from "../../../records/bookmark-members.ts";
import {
  type BookmarkFormat,
  extended,
  type FileRow,
  type FileSummary,
  type FormatInput,
  makeRow,
} from "../bookmark-format.ts";
import { Folder, isContainerName, isReadingListName } from "../folder.ts";
import { folderNote } from "../notes.ts";
import { withoutQuoteMarks } from "../quote-marks.ts";
import { DescriptionText } from "./description-text.ts";
import { LineCounter, type StartTag, type TokenHandler, TokenReader } from "./html-tokens.ts";

/** The HTML format of browsers and bookmarking services. */
export const netscape: BookmarkFormat = {
  name: "netscape",
  rowUnit: "line",
  isUtf8: false,
  async read({ text, onRow, onNote }) {
    const reader = new NetscapeReader(await hasTerms(text), {
      onRow,
      onDescribedFolder: (folder) => onNote(folderNote(folder)),
    });
    for await (const piece of text.pieces()) reader.write(piece);
    return reader.end();
  },
};

/** A folder with a description, and the line on which it begins. */
export interface DescribedFolder {
  readonly line: number;
  readonly name: string;
}

/** Whether a text has any `<DT>`. Without one, only its links are read. */
async function hasTerms({ pieces }: FormatInput["text"]): Promise<boolean> {
  let end = "";
  for await (const piece of pieces()) {
    if (/<dt[\s>]/i.test(end + piece)) return true;
    end = (end + piece).slice(-"<dt".length);
  }
  return false;
}

/** Receives the contents of a file, in order. */
export interface FileHandler {
  onRow(row: FileRow): void;
  onDescribedFolder(folder: DescribedFolder): void;
}

/**
 * Reads the Netscape bookmark format, which every browser exports, chunk by chunk. There is no standard: this
 * accepts all variants of browsers and bookmarking services, and never fails, in linear time and constant memory.
 */
export class NetscapeReader {
  readonly #lines = new LineCounter();
  readonly #reader: BookmarkFileReader;
  readonly #tokens: TokenReader;
  /** Whether the chunk ended with a carriage return, so that a line feed may follow. */
  #carriageReturn = "";

  /** @param hasTerms whether the whole text has any `<DT>` */
  constructor(hasTerms: boolean, handler: FileHandler) {
    this.#reader = new BookmarkFileReader(hasTerms, this.#lines, handler);
    this.#tokens = new TokenReader(this.#reader);
  }

  write(text: string): void {
    const whole = this.#carriageReturn + text;
    this.#carriageReturn = whole.endsWith("\r") ? "\r" : "";
    this.#read(this.#carriageReturn === "" ? whole : whole.slice(0, -1));
  }

  end(): FileSummary {
    this.#read(this.#carriageReturn);
    const unread = this.#tokens.end();
    return this.#reader.finish(unread);
  }

  #read(text: string): void {
    if (this.#tokens.isEndless) return;
    const html = tidy(text);
    this.#lines.forgetBefore(this.#tokens.position);
    this.#lines.extend(html);
    this.#tokens.write(html);
  }
}

/** Normalizes line breaks and replaces characters that a database cannot store, without moving lines. */
function tidy(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll("\0", "\ufffd").toWellFormed();
}

/** How deeply folders are nested at most; those inside are not kept apart. */
const DEPTH_MAX = 5_000;

/** The current bookmark (`<A>`) or folder heading (`<H3>`). */
interface Entry {
  readonly tag: StartTag;
  readonly line: number;
  readonly description: DescriptionText;
  label: string;
}

/** What is particular to the files of a program. */
interface Program {
  /** What separates the tags of a bookmark. */
  readonly tagSeparator: string | RegExp;
  /** The outermost folder of bookmarks that are in none. */
  readonly unsorted?: string;
  /** Whether a quotation in a description is what is marked in the page. */
  readonly marks?: true;
  note(text: string): string;
}

/** Browsers and nearly all services separate tags with commas, so that a tag may have blanks. */
const ANY_PROGRAM: Program = { tagSeparator: ",", note: (text) => text };

/** Programs that differ from it, by the title of their files. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  // Its tags never have blanks.
  "Pinboard Bookmarks": { tagSeparator: /[,\s]/, note: withoutQuoteMarks },
  "Raindrop.io Bookmarks": { ...ANY_PROGRAM, unsorted: "Unsorted", marks: true },
};

/** A longer title is that of no program. */
const PROGRAM_MAX = 100;

class BookmarkFileReader implements TokenHandler {
  readonly #lines: LineCounter;
  readonly #hasTerms: boolean;
  readonly #handler: FileHandler;
  #rows = 0;
  /** The title of the file, while it is read. */
  #title: string | null = null;
  #program = ANY_PROGRAM;
  /** The enclosing folders, one for each open list. */
  readonly #outer: Folder[] = [];
  /** The number of open lists inside the deepest folder that is kept. */
  #deeper = 0;
  #folder = Folder.root;
  /** How many folders are around Safari's list of pages to read; null outside of it. */
  #readingList: number | null = null;
  #entry: Entry | null = null;
  /** The part of the entry that receives text. */
  #part: "label" | "description" | null = null;
  #inTerm = false;
  #hasDoctype = false;
  #hasList = false;
  #hasHeading = false;
  #hasLink = false;
  #toolbar: readonly string[] | null = null;

  constructor(hasTerms: boolean, lines: LineCounter, handler: FileHandler) {
    this.#hasTerms = hasTerms;
    this.#lines = lines;
    this.#handler = handler;
  }

  declaration(text: string): void {
    if (/^doctype\s+netscape-bookmark-file/i.test(text)) this.#hasDoctype = true;
  }

  startTag(tag: StartTag): void {
    if (tag.name === "a") this.#hasLink = true;
    if (tag.name === "dl") this.#openList();
    else if (tag.name === "dt") this.#startTerm();
    else if (tag.name === "dd") this.#startDescription();
    else if ((tag.name === "a" || tag.name === "h3") && this.#beginsEntry()) this.#startEntry(tag);
    else if (this.#part === "description") this.#entry?.description.startTag(tag);
    else if (tag.name === "br") this.text(" ");
    else if (tag.name === "title" && this.#rows === 0) this.#title = "";
  }

  endTag(name: string): void {
    if (name === "dl") this.#closeList();
    else if (name === "dt" || name === "dd") this.#part = null;
    else if (name === "title") this.#endTitle();
    else if (this.#part === "description") this.#entry?.description.endTag(name);
    else if (this.#part === "label" && name === this.#entry?.tag.name) this.#part = null;
  }

  text(text: string): void {
    if (this.#entry === null) {
      if (this.#title !== null && this.#title.length < PROGRAM_MAX) this.#title += text;
    } else if (this.#part === "label") this.#entry.label = extended(this.#entry.label, text);
    else if (this.#part === "description") this.#entry.description.text(text);
  }

  finish(unread: number | null): FileSummary {
    this.#finishEntry();
    return {
      isBookmarkFile: this.#isBookmarkFile(),
      isEmpty: !this.#hasHeading && !this.#hasLink,
      unreadFrom: unread === null ? null : this.#lines.at(unread),
      toolbar: this.#toolbar,
    };
  }

  /** Whether a link or heading belongs to the file's structure, not to markup in a description or around the list. */
  #beginsEntry(): boolean {
    if (this.#inTerm) return true;
    return this.#outer.length > 0 && (this.#part !== "description" || !this.#hasTerms);
  }

  #startEntry(tag: StartTag): void {
    this.#finishEntry();
    const description = new DescriptionText(this.#program.marks);
    this.#entry = { tag, line: this.#lines.at(tag.start), label: "", description };
    this.#part = "label";
    if (tag.name === "h3") this.#hasHeading = true;
  }

  #endTitle(): void {
    if (this.#title !== null) this.#program = PROGRAMS[this.#title.trim()] ?? this.#program;
    this.#title = null;
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
    if (entry?.tag.name === "a") this.#handler.onRow(this.#bookmark(entry));
    else if (entry && entry.description.toString() !== "" && !this.#isContainer(entry))
      this.#handler.onDescribedFolder({ line: entry.line, name: entry.label.trim() });
  }

  #bookmark({ tag, line, label, description }: Entry): FileRow {
    const position = ++this.#rows;
    const attributeText = tag.attribute("description")?.trim() ?? "";
    const isOurs = tag.attribute("created_at") !== null;
    const text = isOurs
      ? description.toString() + (tag.attribute("tag_line") ?? "")
      : withoutNotesDelimiters(this.#program.note(description.toString()));
    const tags = tag.attribute("tags");
    return makeRow({
      position,
      line,
      url: tag.attribute("href") ?? "",
      title: label,
      description: bothTexts(attributeText, text),
      tags,
      // Our own are in the description.
      tagNames: isOurs ? [] : (tags ?? "").split(this.#program.tagSeparator),
      date: dateOf(tag),
      folder: this.#folder,
      // The second is Vivaldi's.
      keyword: tag.attribute("shortcuturl") || tag.attribute("nickname"),
      isPrivate: isSet(tag, "private"),
      states: {
        unread: isSet(tag, "toread") || this.#readingList !== null,
        archived: tags?.includes(ARCHIVED_TAG) ?? false,
        shared: tag.attribute("private")?.trim() === "0",
      },
      isImportant: isSet(tag, "data-important"),
      isOurs,
      marks: description.marks,
    });
  }

  /** A list belongs to the heading before it; without one, it is the outermost list or an error in the file. */
  #openList(): void {
    this.#hasList = true;
    const heading = this.#entry?.tag.name === "h3" ? this.#entry : null;
    const isContainer = heading !== null && this.#isContainer(heading);
    const isReadingList = heading !== null && this.#isReadingList(heading);
    this.#finishEntry();
    if (this.#outer.length === DEPTH_MAX) {
      this.#deeper++;
      return;
    }
    this.#outer.push(this.#folder);
    if (heading === null) return;
    if (isReadingList) this.#readingList ??= this.#outer.length;
    this.#folder = this.#folder.inner(heading.label.trim(), isContainer);
    if (isSet(heading.tag, "personal_toolbar_folder")) this.#toolbar ??= this.#folder.path;
  }

  #closeList(): void {
    this.#finishEntry();
    if (this.#deeper > 0) {
      this.#deeper--;
      return;
    }
    if (this.#readingList === this.#outer.length) this.#readingList = null;
    this.#folder = this.#outer.pop() ?? Folder.root;
  }

  #isContainer(heading: Entry): boolean {
    const { tag, label } = heading;
    if (isSet(tag, "personal_toolbar_folder") || isSet(tag, "unfiled_bookmarks_folder")) return true;
    if (this.#folder !== Folder.root) return false;
    const name = label.trim();
    return (
      this.#isReadingList(heading) ||
      name === this.#program.unsorted ||
      // Only Safari has headings outside any list.
      isContainerName(name, this.#outer.length === 0)
    );
  }

  /** Whether a folder is Safari's list of pages to read. */
  #isReadingList({ tag, label }: Entry): boolean {
    if (this.#folder !== Folder.root) return false;
    const isMarked = tag.attribute("id")?.trim().toLowerCase() === "com.apple.readinglist";
    return isMarked || (this.#outer.length === 0 && isReadingListName(label.trim()));
  }

  #isBookmarkFile(): boolean {
    const hasEntries = this.#hasHeading || this.#rows > 0;
    return this.#hasDoctype ? this.#hasList || hasEntries : this.#hasList && hasEntries;
  }
}

/** When a bookmark was added; else, when it was changed last, which is nearer than the time of the import. */
function dateOf(tag: StartTag): string | null {
  const names = ["created_at", "add_date", "time_added", "last_modified"];
  const dates = names.map((name) => tag.attribute(name));
  return dates.find((date) => date !== null && !["", "0"].includes(date.trim())) ?? dates[1] ?? null;
}

/** Two texts on separate lines, or the only one. */
function bothTexts(one: string, other: string): string {
  if (one === "" || one === other) return other;
  return other === "" ? one : `${one}\n${other}`;
}

/** Whether a flag such as `PRIVATE="1"` or `PERSONAL_TOOLBAR_FOLDER="true"` is set. */
function isSet(tag: StartTag, name: string): boolean {
  const value = tag.attribute(name);
  return value !== null && !["", "0", "false"].includes(value.trim().toLowerCase());
}

/** The delimiters of a bookmark's notes, which follow its description in linkding's exports. */
const NOTES = { begin: "[linkding-notes]", end: "[/linkding-notes]" };

function withoutNotesDelimiters(description: string): string {
  const begin = description.indexOf(NOTES.begin);
  if (begin === -1 || !description.endsWith(NOTES.end)) return description;
  const notes = description.slice(begin + NOTES.begin.length, -NOTES.end.length);
  return `${description.slice(0, begin)}\n${notes}`.trim();
}
