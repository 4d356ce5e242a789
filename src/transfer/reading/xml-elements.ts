import { SaxesParser } from "saxes";
import { StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";
import type { FileTree } from "../files/file-tree.ts";
import { BareAmpersands } from "./bare-ampersands.ts";
import { xmlText } from "./xml-text.ts";

/** Limits: characters of an element, characters of an item, and nesting depth. */
const TEXT_MAX = 16 * 1024 * 1024;
const ITEM_MAX = 64 * 1024 * 1024;
const DEPTH_MAX = 50;

/** What the parser finds wrong in files that programs write all the same: the text is taken as it is written. */
const TOLERATED: Readonly<Record<string, string>> = {
  "undefined entity.": "Entities that XML does not know stay as they are written",
  "malformed character entity.": "References to characters that XML does not allow stay as they are written",
  "disallowed character.": "Control characters, which XML does not allow, stay as they are",
};

/** Called with what is wrong in a file, and the line. */
export type OnRemark = (line: number, detail: string) => void;

/** Makes items of the elements of a file. */
export interface XmlItems<Item> {
  /** Elements whose HTML is escaped: with elements inside, their words would be torn apart. */
  readonly escaped: readonly string[];
  /** @returns whether an item begins here */
  open(name: string, attributes: Readonly<Record<string, string>>, line: number): boolean;
  /**
   * @param text its own text, without that of elements inside
   * @param around the name of the element around it
   * @returns the item that ends here
   */
  close(name: string, text: string, around: string | undefined): Item | undefined;
}

/**
 * Reads the items of an XML file, one after the other. The parser expands only the entities of XML itself, so that none can grow or
 * lead anywhere.
 * @throws StartError that names the line for a file that is no such XML or ends in the middle
 */
export async function* xmlItems<Item>(
  tree: FileTree,
  path: string,
  items: XmlItems<Item>,
  onRemark: OnRemark,
): AsyncGenerator<Item> {
  const { remark, pieces } = await xmlText(tree, path);
  if (remark !== undefined) onRemark(1, remark);
  const reader = new XmlReader(path, items);
  const ampersands = new BareAmpersands();
  for await (const piece of ampersands.escape(pieces())) {
    reader.write(piece);
    yield* reader.takeItems();
  }
  reader.end();
  yield* reader.takeItems();
  for (const [what, { line, count }] of reader.tolerated) onRemark(line, `${what} (${places(count)}).`);
  if (ampersands.count > 0)
    onRemark(1, `Ampersands that XML wants escaped are read as ampersands (${places(ampersands.count)}).`);
}

function places(count: number): string {
  return count === 1 ? "1 place" : `${count} places`;
}

class XmlReader<Item> {
  readonly #path: string;
  readonly #handlers: XmlItems<Item>;
  readonly #parser = new SaxesParser();
  readonly #open: string[] = [];
  readonly tolerated = new Map<string, { readonly line: number; count: number }>();
  #items: Item[] = [];
  #isInItem = false;
  #length = 0;
  #text = "";
  /** Characters since the parser has last reported something: it keeps them in memory. */
  #pending = 0;

  constructor(path: string, handlers: XmlItems<Item>) {
    this.#path = path;
    this.#handlers = handlers;
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
  }

  takeItems(): Item[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  #onOpen(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#pending = 0;
    const around = this.#open.at(-1) ?? "";
    if (this.#handlers.escaped.includes(around))
      throw this.#fault(
        `the HTML in <${around}> is not escaped, so that its text cannot be told from the file's own elements`,
      );
    this.#open.push(name);
    if (this.#open.length > DEPTH_MAX) throw this.#fault("its elements are nested too deeply");
    this.#text = "";
    if (!this.#handlers.open(name, attributes, this.#parser.line)) return;
    this.#isInItem = true;
    this.#length = 0;
  }

  #onText(text: string): void {
    this.#pending = 0;
    if (!this.#isInItem) return;
    this.#text += text;
    this.#length += text.length;
    if (this.#text.length > TEXT_MAX || this.#length > ITEM_MAX)
      throw this.#fault("a text in it is too long");
  }

  #onClose(name: string): void {
    this.#pending = 0;
    this.#open.pop();
    const text = this.#text;
    this.#text = "";
    if (!this.#isInItem) return;
    const item = this.#handlers.close(name, text, this.#open.at(-1));
    if (item === undefined) return;
    this.#items.push(item);
    this.#isInItem = false;
  }

  #onError({ message }: Error): void {
    // The parser puts line and column before its sentence.
    const sentence = message.replace(/^\d+:\d+: /, "");
    const tolerated = TOLERATED[sentence];
    if (tolerated === undefined) throw this.#fault(sentence.replace(/\.$/, ""));
    const known = this.tolerated.get(tolerated);
    if (known === undefined) this.tolerated.set(tolerated, { line: this.#parser.line, count: 1 });
    else known.count++;
  }

  #fault(what: string): StartError {
    return new StartError(
      `${printable(this.#path)}, line ${this.#parser.line}: ${printable(what)}. Nothing was imported.`,
      2,
    );
  }
}
