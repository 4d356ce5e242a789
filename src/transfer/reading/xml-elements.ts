import { SaxesParser } from "saxes";
import { StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";
import type { FileTree } from "../files/file-tree.ts";
import type { StagedRecords } from "../import/staged-records.ts";
import { BareAmpersands } from "./bare-ampersands.ts";
import { decodeXml } from "./file-text.ts";

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

/** Elements whose HTML is escaped: with elements inside, their words would be torn apart. */
const ESCAPED: ReadonlySet<string> = new Set([
  ...["title", "description", "summary", "content", "content:encoded", "excerpt:encoded", "message"],
  ...["wp:comment_content", "wp:meta_value"],
]);

/** What an element without text and attributes counts, in characters. */
const ELEMENT_SIZE = 64;

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Its own text, without that of elements inside. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

/** An element whose contents are read as a whole. */
export interface XmlItem extends XmlElement {
  /** The line of the file on which it begins. */
  readonly line: number;
}

/** The texts of the elements directly inside another one, by their names. */
export function textsOf({ children }: Pick<XmlElement, "children">): Record<string, string> {
  return Object.fromEntries(children.map(({ name, text }) => [name, text]));
}

/**
 * Reads the items of an XML file, one after the other. The parser expands only the entities of XML itself, so that none can grow or
 * lead anywhere.
 * @param names of the elements that are items
 * @param records receive remarks on the file
 * @throws StartError that names the line for a file that is no such XML or ends in the middle
 */
export async function* xmlItems(
  tree: FileTree,
  path: string,
  names: readonly string[],
  records?: StagedRecords,
): AsyncGenerator<XmlItem> {
  const onRemark = (line: number, detail: string) =>
    records?.note({ file: path, line, code: "bad_characters", detail });
  const { remark, pieces } = await decodeXml(() => tree.stream(path));
  if (remark !== undefined) onRemark(1, remark);
  const reader = new XmlReader(path, names);
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

/** An element that is not yet complete. */
interface OpenElement extends XmlItem {
  text: string;
  readonly children: XmlElement[];
}

class XmlReader {
  readonly #path: string;
  readonly #names: readonly string[];
  readonly #parser = new SaxesParser();
  /** The item that is read, and the open elements inside. */
  readonly #open: OpenElement[] = [];
  readonly tolerated = new Map<string, { readonly line: number; count: number }>();
  #items: XmlItem[] = [];
  /** The names of all open elements. */
  readonly #around: string[] = [];
  /** How much the item has, in characters. */
  #length = 0;
  /** Characters since the parser has last reported something: it keeps them in memory. */
  #pending = 0;

  constructor(path: string, names: readonly string[]) {
    this.#path = path;
    this.#names = names;
    this.#parser.on("opentag", ({ name, attributes }) => this.#onOpen(name, attributes));
    this.#parser.on("text", (text) => this.#onText(text));
    this.#parser.on("cdata", (text) => this.#onText(text));
    this.#parser.on("closetag", () => this.#onClose());
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

  takeItems(): XmlItem[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  #onOpen(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#pending = 0;
    const around = this.#around.at(-1) ?? "";
    if (ESCAPED.has(around))
      throw this.#fault(
        `the HTML in <${around}> is not escaped, so that its text cannot be told from the file's own elements`,
      );
    if (this.#around.push(name) > DEPTH_MAX) throw this.#fault("its elements are nested too deeply");
    if (this.#open.length === 0 && !this.#names.includes(name)) return;
    this.#open.push({ name, attributes, line: this.#parser.line, text: "", children: [] });
    this.#count(ELEMENT_SIZE + Object.values(attributes).join("").length);
  }

  #onText(text: string): void {
    this.#pending = 0;
    const element = this.#open.at(-1);
    if (element === undefined) return;
    element.text += text;
    this.#count(text.length);
    if (element.text.length > TEXT_MAX) throw this.#fault("a text in it is too long");
  }

  #count(length: number): void {
    this.#length += length;
    if (this.#length > ITEM_MAX) throw this.#fault("a text in it is too long");
  }

  #onClose(): void {
    this.#pending = 0;
    this.#around.pop();
    const element = this.#open.pop();
    if (element === undefined) return;
    const outer = this.#open.at(-1);
    (outer?.children ?? this.#items).push(element);
    if (outer === undefined) this.#length = 0;
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
