import { Parser } from "htmlparser2";
import { StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";
import type { FileTree } from "../files/file-tree.ts";
import { dateOf } from "../reading/foreign-values.ts";

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

/** Whether a text begins like an export of WordPress (WXR). */
export function isWxr(beginning: string): boolean {
  return /<rss\b/i.test(beginning) && beginning.includes("wordpress.org/export/");
}

/**
 * Reads the items of a WordPress export, one after the other. Entities that a document type declares are refused, so that
 * none of them can grow or lead anywhere.
 * @throws StartError that names the line for a file that is no such XML or ends in the middle
 */
export async function* wxrItems(tree: FileTree, path: string): AsyncGenerator<WxrItem> {
  const reader = new WxrReader(path);
  const decoder = new TextDecoder("utf-8");
  for await (const piece of await tree.stream(path)) {
    reader.write(decoder.decode(piece, { stream: true }));
    yield* reader.takeItems();
  }
  reader.write(decoder.decode());
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
  readonly #parser: Parser;
  readonly #open: string[] = [];
  #items: OpenItem[] = [];
  #item: OpenItem | undefined;
  #comment: Record<string, string> | undefined;
  #domain = "";
  #metaKey = "";
  #text = "";
  #line = 1;
  /** Text that the parser has not processed yet. */
  #written = "";
  #base = 0;
  #isWhole = false;

  constructor(path: string) {
    this.#path = path;
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#onOpen(name, attributes),
        ontext: (text) => this.#onText(text),
        onclosetag: (name, isImplied) => this.#onClose(name, isImplied),
        onprocessinginstruction: (name) => {
          if (/^!doctype/i.test(name)) throw this.#fault("it has a document type declaration (DOCTYPE)");
        },
      },
      { xmlMode: true },
    );
  }

  write(text: string): void {
    this.#written += text;
    this.#parser.write(text);
    this.#forget(this.#parser.endIndex);
  }

  end(): void {
    this.#parser.end();
    if (!this.#isWhole) throw this.#fault("it ends in the middle");
  }

  takeItems(): OpenItem[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  #onOpen(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#open.push(name);
    if (this.#open.length > DEPTH_MAX) throw this.#fault("its elements are nested too deeply");
    this.#text = "";
    if (name === "item" && this.#item === undefined) {
      this.#forget(this.#parser.startIndex);
      this.#item = { line: this.#line, texts: {}, terms: [], meta: {}, comments: [], length: 0 };
    } else if (name === "wp:comment" && this.#item !== undefined) this.#comment = {};
    else if (name === "category") this.#domain = attributes.domain ?? "";
  }

  #onText(text: string): void {
    if (this.#item === undefined) return;
    this.#text += text;
    this.#item.length += text.length;
    if (this.#text.length > TEXT_MAX || this.#item.length > ITEM_MAX)
      throw this.#fault("a text in it is too long");
  }

  #onClose(name: string, isImplied: boolean): void {
    if (isImplied) throw this.#fault(`the element ${name} is not closed`);
    this.#open.pop();
    const text = this.#text;
    this.#text = "";
    if (name === "rss") this.#isWhole = true;
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

  /** Counts the lines up to a position of the file, and drops the text before it. */
  #forget(location: number): void {
    const before = Math.max(0, Math.min(location - this.#base, this.#written.length));
    for (
      let at = this.#written.indexOf("\n");
      at !== -1 && at < before;
      at = this.#written.indexOf("\n", at + 1)
    )
      this.#line++;
    this.#written = this.#written.slice(before);
    this.#base += before;
  }

  #fault(what: string): StartError {
    return new StartError(
      `${printable(this.#path)}, line ${this.#line}: ${printable(what)}. Nothing was imported.`,
      2,
    );
  }
}

/** A date of WordPress's database, in UTC; undefined for all zeros. */
export function dateIn(text: string | undefined): Date | undefined {
  return text === undefined || text.startsWith("0000") ? undefined : dateOf(text);
}
