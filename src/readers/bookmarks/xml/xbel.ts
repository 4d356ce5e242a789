import { type BookmarkFormat, extended, type FormatInput, makeRow, WHOLE } from "../bookmark-format.ts";
import { Folder } from "../folder.ts";
import { LineCounter, type StartTag, type TokenHandler, TokenReader } from "../netscape/html-tokens.ts";
import { folderNote } from "../notes.ts";
import { withoutQuoteMarks } from "../quote-marks.ts";

/** How deeply folders are nested at most; those inside are not kept apart. */
const DEPTH_MAX = 5_000;

/**
 * XBEL (pyxml.sourceforge.net/topics/xbel), as Konqueror, Epiphany, Falkon and floccus write it: folders and bookmarks with
 * titles and descriptions.
 */
export const xbel: BookmarkFormat = {
  name: "xbel",
  rowUnit: "line",
  isUtf8: false,
  read: (reading) => readXml(reading, (lines) => new XbelReader(reading, lines)),
};

/**
 * The XML of Delicious and of Pinboard (the response to `posts/all` of their API): an element for each bookmark, in which
 * `description` is the title, and blanks separate tags.
 */
export const postsXml: BookmarkFormat = {
  name: "delicious",
  rowUnit: "line",
  isUtf8: false,
  read: (reading) => readXml(reading, (lines) => new PostsReader(reading, lines)),
};

/** The format of an XML file; undefined when it is not read here. */
export function recognizeXml(beginning: string): BookmarkFormat | undefined {
  // Before the outermost element are a declaration, comments and a document type.
  const [, outermost] =
    /^\s{0,1000}(?:<[?!][^>]{0,2000}>\s{0,1000}){0,20}<([a-z]{1,30})[\s>]/i.exec(beginning) ?? [];
  if (outermost?.toLowerCase() === "xbel") return xbel;
  return outermost?.toLowerCase() === "posts" && /<post\s/i.test(beginning) ? postsXml : undefined;
}

interface ElementReader extends TokenHandler {
  finish(): void;
}

/** The tokens of HTML are those of XML, but for sections of plain text, which no such program writes. */
async function readXml({ text }: FormatInput, readerOf: (lines: LineCounter) => ElementReader) {
  const lines = new LineCounter();
  const reader = readerOf(lines);
  const tokens = new TokenReader(reader);
  for await (const piece of text.pieces()) {
    if (tokens.isEndless) break;
    const xml = piece.replaceAll("\0", "\ufffd").toWellFormed();
    lines.forgetBefore(tokens.position);
    lines.extend(xml);
    tokens.write(xml);
  }
  const unread = tokens.end();
  reader.finish();
  return { ...WHOLE, unreadFrom: unread === null ? null : lines.at(unread) };
}

/** A folder or bookmark that is read. */
interface Entry {
  readonly tag: StartTag;
  readonly line: number;
  title: string;
  description: string;
  /** As Konqueror writes it, in seconds since 1970. */
  date: string;
}

class XbelReader implements ElementReader {
  readonly #reading: FormatInput;
  readonly #lines: LineCounter;
  readonly #outer: Folder[] = [];
  #deeper = 0;
  #folder = Folder.root;
  #entry: Entry | null = null;
  /** The part of the entry that receives text. */
  #part: "title" | "description" | "date" | null = null;

  constructor(reading: FormatInput, lines: LineCounter) {
    this.#reading = reading;
    this.#lines = lines;
  }

  startTag(tag: StartTag): void {
    if (tag.name === "folder" || tag.name === "bookmark") {
      this.#finishEntry();
      this.#entry = { tag, line: this.#lines.at(tag.start), title: "", description: "", date: "" };
    } else if (tag.name === "title" && this.#entry !== null) this.#part = "title";
    else if (tag.name === "desc" && this.#entry !== null) this.#part = "description";
    else if (tag.name === "time_added" && this.#entry !== null) this.#part = "date";
  }

  endTag(name: string): void {
    this.#part = null;
    if (name === "bookmark") this.#finishEntry();
    if (name !== "folder") return;
    this.#finishEntry();
    if (this.#deeper > 0) this.#deeper--;
    else this.#folder = this.#outer.pop() ?? Folder.root;
  }

  text(text: string): void {
    if (this.#entry !== null && this.#part !== null)
      this.#entry[this.#part] = extended(this.#entry[this.#part], text);
  }

  declaration(): void {}

  finish(): void {
    this.#finishEntry();
  }

  #finishEntry(): void {
    const entry = this.#entry;
    this.#entry = null;
    this.#part = null;
    if (entry === null) return;
    const { tag, line, title, description, date } = entry;
    if (tag.name === "folder") {
      if (description.trim() !== "") this.#reading.onNote(folderNote({ line, name: title.trim() }));
      this.#openFolder(title.trim());
    } else
      this.#reading.onRow(
        makeRow({
          line,
          url: tag.attribute("href") ?? "",
          title,
          description: description.trim(),
          date: tag.attribute("added") || date.trim() || null,
          folder: this.#folder,
        }),
      );
  }

  #openFolder(name: string): void {
    if (this.#outer.length === DEPTH_MAX) {
      this.#deeper++;
      return;
    }
    this.#outer.push(this.#folder);
    this.#folder = this.#folder.inner(name, false);
  }
}

class PostsReader implements ElementReader {
  readonly #reading: FormatInput;
  readonly #lines: LineCounter;

  constructor(reading: FormatInput, lines: LineCounter) {
    this.#reading = reading;
    this.#lines = lines;
  }

  startTag(tag: StartTag): void {
    if (tag.name !== "post") return;
    const tags = tag.attribute("tag") ?? "";
    const shared = tag.attribute("shared");
    this.#reading.onRow(
      makeRow({
        line: this.#lines.at(tag.start),
        url: tag.attribute("href") ?? "",
        title: tag.attribute("description") ?? "",
        description: withoutQuoteMarks((tag.attribute("extended") ?? "").trim()),
        tags,
        tagNames: tags.split(/\s+/),
        date: tag.attribute("time"),
        isPrivate: shared === "no" || tag.attribute("private") === "yes",
        states: { unread: tag.attribute("toread") === "yes", archived: false, shared: shared === "yes" },
      }),
    );
  }

  endTag(): void {}
  text(): void {}
  declaration(): void {}
  finish(): void {}
}
