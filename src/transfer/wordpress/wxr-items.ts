import { SaxesParser } from "saxes";
import { StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";
import type { FileTree } from "../files/file-tree.ts";
import { dateOf } from "../reading/foreign-values.ts";
import { xmlText } from "../reading/xml-text.ts";

/** An item of a WordPress export: the texts of its elements by name, and its repeated elements. */
export interface WxrItem {
  /** The line of the file on which it begins. */
  readonly line: number;
  /** Such as `title`, `content:encoded`, `wp:post_type`. */
  readonly texts: Readonly<Record<string, string>>;
  readonly terms: readonly { readonly domain: string; readonly name: string }[];
  readonly meta: Readonly<Record<string, string>>;
  readonly comments: readonly Readonly<Record<string, string>>[];
}

/** Limits: characters of an element, characters of an item, and nesting depth. */
const TEXT_MAX = 16 * 1024 * 1024;
const ITEM_MAX = 64 * 1024 * 1024;
const DEPTH_MAX = 50;

/** What the parser finds wrong in files that WordPress writes all the same: the text is taken as it is written. */
const TOLERATED: Readonly<Record<string, string>> = {
  "undefined entity.": "Entities that XML does not know stay as they are written",
  "malformed character entity.": "References to characters that XML does not allow stay as they are written",
  "disallowed character.": "Control characters, which XML does not allow, stay as they are",
};

/** Whether a text begins like an export of WordPress (WXR). */
export function isWxr(beginning: string): boolean {
  return /<rss\b/i.test(beginning) && beginning.includes("wordpress.org/export/");
}

/** Called with what is wrong in a file, and the line. */
export type OnRemark = (line: number, detail: string) => void;

/**
 * Reads the items of a WordPress export, one after the other. The parser expands only the entities of XML itself, so that none can
 * grow or lead anywhere.
 * @throws StartError that names the line for a file that is no such XML or ends in the middle
 */
export async function* wxrItems(tree: FileTree, path: string, onRemark: OnRemark): AsyncGenerator<WxrItem> {
  const { remark, pieces } = await xmlText(tree, path);
  if (remark !== undefined) onRemark(1, remark);
  const reader = new WxrReader(path, onRemark);
  for await (const piece of pieces()) {
    reader.write(piece);
    yield* reader.takeItems();
  }
  reader.end();
  yield* reader.takeItems();
}

interface OpenItem {
  readonly line: number;
  readonly texts: Record<string, string>;
  readonly terms: { domain: string; name: string }[];
  readonly meta: Record<string, string>;
  readonly comments: Record<string, string>[];
  length: number;
}

class WxrReader {
  readonly #path: string;
  readonly #parser = new SaxesParser();
  readonly #onRemark: OnRemark;
  readonly #open: string[] = [];
  #items: OpenItem[] = [];
  #item: OpenItem | undefined;
  #comment: Record<string, string> | undefined;
  #domain = "";
  #metaKey = "";
  #text = "";
  readonly #tolerated = new Map<string, { readonly line: number; count: number }>();
  /** Characters since the parser has last reported something: it keeps them in memory. */
  #pending = 0;

  constructor(path: string, onRemark: OnRemark) {
    this.#path = path;
    this.#onRemark = onRemark;
    this.#parser.on("opentag", ({ name, attributes }) => this.#onOpen(name, attributes));
    this.#parser.on("text", (text) => this.#onText(text));
    this.#parser.on("cdata", (text) => this.#onText(text));
    this.#parser.on("closetag", ({ name }) => this.#onClose(name));
    this.#parser.on("error", (error) => this.#onError(error));
  }

  write(piece: string): void {
    this.#pending += piece.length;
    this.#parser.write(piece);
    if (this.#pending > TEXT_MAX) throw this.#fault("a text in it is too long");
  }

  end(): void {
    this.#parser.close();
    for (const [what, { line, count }] of this.#tolerated)
      this.#onRemark(line, `${what} (${count === 1 ? "1 place" : `${count} places`}).`);
  }

  takeItems(): OpenItem[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  #onOpen(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#pending = 0;
    this.#open.push(name);
    if (this.#open.length > DEPTH_MAX) throw this.#fault("its elements are nested too deeply");
    this.#text = "";
    if (name === "item" && this.#item === undefined)
      this.#item = { line: this.#parser.line, texts: {}, terms: [], meta: {}, comments: [], length: 0 };
    else if (name === "wp:comment" && this.#item !== undefined) this.#comment = {};
    else if (name === "category") this.#domain = attributes.domain ?? "";
  }

  #onText(text: string): void {
    this.#pending = 0;
    if (this.#item === undefined) return;
    this.#text += text;
    this.#item.length += text.length;
    if (this.#text.length > TEXT_MAX || this.#item.length > ITEM_MAX)
      throw this.#fault("a text in it is too long");
  }

  #onClose(name: string): void {
    this.#pending = 0;
    this.#open.pop();
    const text = this.#text;
    this.#text = "";
    const item = this.#item;
    if (item === undefined) return;
    const around = this.#open.at(-1);
    if (name === "item") {
      this.#items.push(item);
      this.#item = undefined;
    } else if (name === "wp:comment") {
      if (this.#comment !== undefined) item.comments.push(this.#comment);
      this.#comment = undefined;
    } else if (this.#comment !== undefined) {
      if (around === "wp:comment") this.#comment[name] = text;
    } else if (name === "category") item.terms.push({ domain: this.#domain, name: text.trim() });
    else if (name === "wp:meta_key") this.#metaKey = text.trim();
    else if (name === "wp:meta_value") item.meta[this.#metaKey] = text;
    else if (around === "item") item.texts[name] = text;
  }

  #onError({ message }: Error): void {
    // The parser puts line and column before its sentence.
    const sentence = message.replace(/^\d+:\d+: /, "");
    const tolerated = TOLERATED[sentence];
    if (tolerated === undefined) throw this.#fault(sentence.replace(/\.$/, ""));
    const known = this.#tolerated.get(tolerated);
    if (known === undefined) this.#tolerated.set(tolerated, { line: this.#parser.line, count: 1 });
    else known.count++;
  }

  #fault(what: string): StartError {
    return new StartError(
      `${printable(this.#path)}, line ${this.#parser.line}: ${printable(what)}. Nothing was imported.`,
      2,
    );
  }
}

/** A date of WordPress's database, in UTC; undefined for all zeros. */
export function dateIn(text: string | undefined): Date | undefined {
  return text === undefined || text.startsWith("0000") ? undefined : dateOf(text);
}
