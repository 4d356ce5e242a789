import { type BookmarkFormat, type FormatInput, makeRow, plainText } from "../bookmark-format.ts";
import { Folder } from "../folder.ts";
import { trashNote } from "../notes.ts";
import { readLines } from "./lines.ts";

/** How deeply folders are nested at most; those inside are not kept apart. */
const DEPTH_MAX = 5_000;

/** Whether a text begins as a hotlist of Opera. */
export function isHotlist(beginning: string): boolean {
  return /^\s{0,100}Opera Hotlist version 2\.0\s/.test(beginning);
}

/**
 * The hotlist of Opera up to version 12 (`bookmarks.adr`): entries `#FOLDER` and `#URL` with a member a line, such as
 * `NAME=`; a line `-` ends a folder.
 */
export const operaHotlist: BookmarkFormat = {
  name: "opera-hotlist",
  rowUnit: "line",
  isUtf8: false,
  async read(reading) {
    const hotlist = new Hotlist(reading);
    const summary = await readLines(reading.text, (line, number) => hotlist.add(line.trim(), number));
    hotlist.end();
    return summary;
  },
};

/** A folder; null for the trash, and inside it. */
type Place = Folder | null;

class Hotlist {
  readonly #reading: FormatInput;
  /** The folders around the current one, outermost first. */
  readonly #outer: Place[] = [];
  /** The number of open folders inside the deepest one that is kept. */
  #deeper = 0;
  #place: Place = Folder.root;
  #entry: { readonly kind: string; readonly line: number; readonly members: Map<string, string> } | null =
    null;
  #deleted = 0;

  constructor(reading: FormatInput) {
    this.#reading = reading;
  }

  add(line: string, number: number): void {
    const [, kind] = /^#([A-Z]{1,30})$/.exec(line) ?? [];
    const middle = line.indexOf("=");
    if (kind !== undefined) {
      this.#finish();
      this.#entry = { kind, line: number, members: new Map() };
    } else if (line === "-") this.#close();
    else if (middle !== -1) this.#entry?.members.set(line.slice(0, middle), line.slice(middle + 1));
  }

  end(): void {
    this.#finish();
    if (this.#deleted > 0) this.#reading.onNote(trashNote(this.#deleted));
  }

  #finish(): void {
    const entry = this.#entry;
    this.#entry = null;
    if (entry === null) return;
    const member = (name: string) => plainText(entry.members.get(name) ?? "").trim();
    if (entry.kind === "FOLDER") this.#open(member("NAME"), member("TRASH FOLDER") === "YES");
    if (entry.kind !== "URL") return;
    if (this.#place === null) this.#deleted++;
    else
      this.#reading.onRow(
        makeRow({
          line: entry.line,
          url: member("URL"),
          title: member("NAME"),
          // It writes line breaks as two characters.
          description: member("DESCRIPTION").replaceAll("\u0002\u0002", "\n"),
          date: member("CREATED"),
          keyword: member("SHORT NAME") || null,
          folder: this.#place,
        }),
      );
  }

  #open(name: string, isTrash: boolean): void {
    if (this.#outer.length === DEPTH_MAX) {
      this.#deeper++;
      return;
    }
    this.#outer.push(this.#place);
    this.#place = isTrash || this.#place === null ? null : this.#place.inner(name, false);
  }

  #close(): void {
    this.#finish();
    if (this.#deeper > 0) this.#deeper--;
    else this.#place = this.#outer.pop() ?? Folder.root;
  }
}
