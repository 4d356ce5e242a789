import { posix } from "node:path";
import type { RecordLocation } from "../../records/record.ts";
import { decodeIfValid } from "../../text.ts";
import type { FileTree } from "../files/file-tree.ts";
import { xmlBeginning } from "../files/single-file.ts";
import { addForeignPost, textOfComment } from "../foreign-records.ts";
import { rewriteHtml, textOfHtml, textOfTitle } from "../html/html-content.ts";
import { ArchivePictures } from "../pictures/archive-pictures.ts";
import { decodeText } from "../reading/file-text.ts";
import { dateOf, lineOf, webUrlOf } from "../reading/foreign-values.ts";
import { isMarkName, type Mark, visibilityOf, type Words } from "../reading/foreign-visibility.ts";
import { Tally } from "../reading/tally.ts";
import type { Staging } from "../staging.ts";
import { autop } from "../wordpress/autop.ts";
import { type Entry, entriesOf, type Field, fieldOf, isMovableType, type Section } from "./entries.ts";

/** The number of bytes inspected to detect the format: an entry begins with lines that may be long. */
const BEGINNING = 16 * 1024;

/** The words of Movable Type for the state of an entry. */
const WORDS: Words = {
  status: { publish: "public", draft: "draft", future: "scheduled", junk: "left out", spam: "left out" },
};

/** The exports of Movable Type, TypePad or the like in an archive or folder. */
export async function findMovableType(tree: FileTree): Promise<string[]> {
  const found: string[] = [];
  for (const path of tree.sizes.keys())
    if (
      (tree.sizes.size === 1 || /\.(?:txt|log)$/i.test(path)) &&
      isMovableType(await xmlBeginning(tree, path, BEGINNING))
    )
      found.push(path);
  return found.toSorted();
}

/**
 * Reads the entries and comments of exports in the text format of Movable Type, which TypePad and Japanese services have, too.
 * @throws StartError when an entry is too long
 */
export async function readMovableType(
  tree: FileTree,
  paths: readonly string[],
  records: Staging,
  now: Date,
): Promise<void> {
  const reader = new MovableTypeReader(tree, records, now);
  for (const path of paths) {
    const { remark, pieces } = await decodeText(() => tree.stream(path));
    if (remark !== undefined) records.note({ file: path, line: 1, code: "bad_characters", detail: remark });
    for await (const entry of entriesOf(pieces(), path)) await reader.add(entry, path);
  }
  reader.report(paths[0] ?? "");
}

/** Fields that say nothing of who sees an entry. */
const OTHERS = new Set(["TITLE", "AUTHOR", "AUTHOR EMAIL", "DATE", "BASENAME", "UNIQUE URL", "IMAGE"]);
/** Fields of a comment of which the same is true; the password is the one with which it can be changed. */
const OTHERS_OF_COMMENT = new Set([...OTHERS, "EMAIL", "IP", "URL", "PASS", "PASSWORD"]);
/** Fields with names of tags. */
const OF_TAGS = new Set(["CATEGORY", "PRIMARY CATEGORY", "TAGS"]);
/** Sections that are read; comments are, too. */
const READ = new Set(["BODY", "EXTENDED BODY", "EXCERPT", "KEYWORDS"]);

class MovableTypeReader {
  readonly #records: Staging;
  readonly #now: Date;
  readonly #leftOut = new Tally();
  readonly #privateTags = new Tally();
  readonly #filters = new Tally();
  readonly #ofComments = new Tally();
  readonly #pictures: ArchivePictures;
  /** The pictures of the archive by their names; undefined for a name that several have. */
  readonly #named = new Map<string, string | undefined>();
  #number = 0;

  constructor(tree: FileTree, records: Staging, now: Date) {
    this.#records = records;
    this.#now = now;
    this.#pictures = new ArchivePictures(tree, records, now);
    for (const path of tree.sizes.keys()) {
      const name = pictureName(path);
      if (/\.(?:jpe?g|png|webp|gif)$/i.test(path))
        this.#named.set(name, this.#named.has(name) ? undefined : path);
    }
  }

  async add(entry: Entry, path: string): Promise<void> {
    const location = { file: path, line: entry.line };
    const ref = String(++this.#number);
    if (!(await this.#addPost(entry, location, ref))) return;
    let number = 0;
    for (const section of entry.sections) {
      if (section.name === "COMMENT") this.#addComment(section, { location, parent: ref, number: ++number });
      else if (section.name === "PING") this.#leftOut.add("Trackbacks", location);
      else if (!READ.has(section.name)) this.#leftOut.add(`Sections “${section.name}”`, location);
    }
  }

  report(file: string): void {
    const report = (tally: Tally, nouns: readonly [string, string]) =>
      tally.report(
        this.#records,
        "not_taken",
        (what, count) => `${what} are not imported (${count}).`,
        nouns,
      );
    report(this.#leftOut, ["part", "parts"]);
    report(this.#ofComments, ["comment", "comments"]);
    this.#privateTags.report(
      this.#records,
      "not_taken",
      (_, posts) => `Private tags, which begin with “@”, are left out (${posts}).`,
    );
    this.#filters.report(
      this.#records,
      "not_taken",
      (name, posts) => `Text in the format “${name}” stays as it is written (${posts}).`,
    );
    if (this.#number > 0)
      this.#records.note({
        ...{ file, line: 1, code: "date_zone" },
        detail: "The dates in this file have no time zone: they are read as UTC.",
      });
  }

  async #addPost(entry: Entry, location: RecordLocation, ref: string): Promise<boolean> {
    const { fields } = entry;
    const field = (name: string) => fields.find((each) => each.name === name)?.value ?? "";
    const given = textOfTitle(field("TITLE"));
    if (entry.sections.length === 0) {
      const detail = "It has no text: the line “-----” and “BODY:” are missing.";
      this.#records.refuse("post", location, lineOf(given, 500) || "Untitled", "no_text", detail);
      return false;
    }
    const body = [textOf(entry, "BODY"), textOf(entry, "EXTENDED BODY")]
      .filter((text) => text.trim() !== "")
      .join("\n\n");
    const text = this.#formatted(body, field("CONVERT BREAKS"), location);
    const html = text.isMarkdown
      ? text.html
      : await rewriteHtml(text.html, (address) => this.#picture(address));
    const image = field("IMAGE");
    const tags = this.#tagsOf(entry, location);
    const excerpt = textOf(entry, "EXCERPT");
    const names = [...OF_TAGS, "KEYWORDS"];
    const states = fields.filter(({ name }) => !OTHERS.has(name) && !names.includes(name));
    const hasStatus = states.some(({ name, value }) => name === "STATUS" && value !== "");
    return addForeignPost(
      this.#records,
      {
        ...{ ...text, html, location, ref, tags, source: [field("TITLE"), body, excerpt] },
        title: lineOf(given, 500) || lineOf(textOfHtml(body), 60),
        seen: {
          marks: [
            ...(hasStatus ? states : [...states, { name: "STATUS", value: "none" }]),
            { name: "tags", value: tags },
          ],
          words: WORDS,
          dates: fields.filter(({ name }) => name === "DATE").map(isoDate),
        },
        name: decodeIfValid(posix.basename(field("BASENAME") || field("UNIQUE URL"))).replace(/\.html?$/, ""),
        oldPath: oldPathOf(field("UNIQUE URL"), field("BASENAME")),
        summary: textOfHtml(excerpt),
        image: (await this.#picture(image)) ?? webUrlOf(image),
        author: field("AUTHOR"),
      },
      this.#now,
    );
  }

  /** The picture of the archive with the name of the one at an address. */
  async #picture(address: string): Promise<string | undefined> {
    const file = this.#named.get(pictureName(URL.parse(address, "https://blog.invalid")?.pathname ?? ""));
    return file === undefined ? undefined : this.#pictures.add(file);
  }

  /** The text of an entry, by the name of the filter that makes HTML of it. */
  #formatted(
    text: string,
    filter: string,
    location: RecordLocation,
  ): { readonly html: string; readonly isMarkdown?: boolean } {
    if (/^markdown/i.test(filter)) return { html: text, isMarkdown: true };
    if (/^(?:0|none|rich_?text|wysiwyg|block_?editor|html)$/i.test(filter)) return { html: text };
    // Without the name of one, as services write it, and with a name of Movable Type's own.
    if (filter === "") return { html: /<(?:p|br|div)(?=[\s/>])/i.test(text) ? text : autop(text) };
    if (!/^(?:1|__default__|convert_breaks)$/i.test(filter)) this.#filters.add(filter, location);
    return { html: autop(text) };
  }

  #tagsOf(entry: Entry, location: RecordLocation): string[] {
    const tags = [
      ...entry.fields.flatMap(({ name, value }) => {
        if (name === "TAGS") return namesIn(value);
        return OF_TAGS.has(name) ? [value] : [];
      }),
      ...namesIn(textOf(entry, "KEYWORDS")),
    ].filter((name) => name !== "");
    const shown = tags.filter((name) => !name.startsWith("@"));
    if (shown.length < tags.length) this.#privateTags.add("", location);
    return [...new Set(shown)];
  }

  #addComment(
    { lines }: Section,
    {
      location,
      parent,
      number,
    }: { readonly location: RecordLocation; readonly parent: string; readonly number: number },
  ): void {
    const { fields, text: html } = commentOf(lines);
    const field = (name: string) => fields.find((each) => each.name === name)?.value ?? "";
    const author = lineOf(textOfTitle(field("AUTHOR")), 100) || "Anonymous";
    const text = textOfComment(html, author, location, this.#records);
    if (text === "") {
      this.#ofComments.add("Those without words", location);
      return;
    }
    if (field("URL") !== "") this.#ofComments.add("Websites of commenters", location);
    const marks = fields.filter(({ name }) => !OTHERS_OF_COMMENT.has(name));
    const words: Words = { status: { publish: "public", approved: "public", visible: "public" } };
    const seen = visibilityOf({ marks, words, now: this.#now });
    this.#records.add("comment", {
      ...{ location, parent, ref: `${parent}/${number}` },
      record: {
        ...{ author, text, parent: null },
        status: seen.is === "public" ? "shown" : "waiting",
        created_at: (
          dateOf(isoDate({ name: "DATE", value: field("DATE") }).value) ?? this.#now
        ).toISOString(),
      },
    });
  }
}

/** The name of a picture without the folder, the extension, and the size that TypePad adds. */
function pictureName(path: string): string {
  return decodeIfValid(posix.basename(path)).replace(
    /\.\w{1,9}$|-(?:\d{1,5}[a-z]i|pi|popup)(?:\.\w{1,9})?$/g,
    "",
  );
}

function textOf({ sections }: Entry, name: string): string {
  return sections
    .filter((section) => section.name === name)
    .map(({ lines }) => lines.join("\n"))
    .join("\n\n");
}

/** Names with commas between them; Movable Type puts quotation marks around some. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'(?=\s*(?:,|$))|[^,、\n"]+/g)].map(([whole, double, single]) =>
    (double ?? single ?? whole).trim(),
  );
}

/** Fields behind the date of a comment, besides those of who sees it; any other line is its text. */
const BEHIND_DATE = new Set(["EMAIL", "IP", "URL", "PASS"]);

/** The fields at the beginning of a comment, each of which is there once, and its text. */
function commentOf(lines: readonly string[]): { readonly fields: Field[]; readonly text: string } {
  const fields: Field[] = [];
  const names = new Set<string>();
  let at = 0;
  for (; at < lines.length; at++) {
    const field = fieldOf(lines[at] ?? "");
    if (field === undefined || names.has(field.name)) break;
    if (names.has("DATE") && !BEHIND_DATE.has(field.name) && !isMarkName(field.name)) break;
    fields.push(field);
    names.add(field.name);
  }
  return { fields, text: lines.slice(at).join("\n") };
}

const DATE =
  /^(0?[1-9]|1[0-2])\/(\d{1,2})\/(\d{2}|\d{4})\s{1,9}(\d{1,2})(:\d{1,2}(?::\d{1,2})?)\s{0,9}([AaPp]\.?[Mm]\.?)?$/;

/** A date in Movable Type's order, month first, as one that all readers understand. */
function isoDate(mark: Mark): Mark {
  const [, month, day, year = "", hour = "", rest = "", half = ""] = DATE.exec(String(mark.value)) ?? [];
  if (month === undefined || day === undefined) return mark;
  // As POSIX reads two digits.
  const full = year.length === 2 ? `${Number(year) < 69 ? 20 : 19}${year}` : year;
  const digits = rest.replaceAll(/:(\d)(?!\d)/g, ":0$1");
  // Some write both: 24 hours and the half of the day.
  const isWhole = Number(hour) > 12 || Number(hour) === 0;
  return { ...mark, value: `${full}-${month}-${day} ${hour}${digits}${isWhole ? "" : ` ${half}`}`.trim() };
}

/** The address of an entry there: TypePad says it; Hatena has the part of it behind `/entry/`. */
function oldPathOf(address: string, basename: string): string {
  if (address !== "") return URL.parse(address, "https://blog.invalid")?.pathname ?? "";
  return basename.includes("/") ? `/entry/${basename}` : "";
}
