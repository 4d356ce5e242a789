import { SaxesParser } from "saxes";
import { StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";
import type { FileTree } from "../files/file-tree.ts";
import type { Staging } from "../staging.ts";
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

/** Elements that have HTML, mostly escaped. Feeds may have it as elements; in exports, these are parts of a damaged text. */
const WITH_HTML: ReadonlySet<string> = new Set([
  ...["title", "description", "summary", "content", "content:encoded", "excerpt:encoded", "message"],
  ...["wp:comment_content", "wp:meta_value", "xhtml:body", "xhtml:div", "body", "fullitem", "dc:description"],
]);

/** The names of elements by their namespaces, whatever prefix a file has for them. Elements of others keep their prefix. */
const PREFIXES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "http://www.w3.org/2005/Atom": "",
    "http://purl.org/atom/ns#": "",
    "http://purl.org/rss/1.0/": "",
    "http://my.netscape.com/rdf/simple/0.9/": "",
    "http://channel.netscape.com/rdf/simple/0.9/": "",
    "http://backend.userland.com/rss2": "",
    "http://blogs.law.harvard.edu/tech/rss": "",
    "http://purl.org/rss/1.0/modules/content/": "content:",
    "http://purl.org/dc/elements/1.1/": "dc:",
    "http://purl.org/dc/terms/": "dcterms:",
    "http://www.w3.org/1999/xhtml": "xhtml:",
    "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes:",
    "http://www.google.com/schemas/play-podcasts/1.0": "googleplay:",
    "https://podcastindex.org/namespace/1.0": "podcast:",
    "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": "podcast:",
    "http://search.yahoo.com/mrss/": "media:",
  }),
);

/** HTML elements without an end tag. */
const VOID = new Set([
  "area",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "param",
  "source",
  "track",
  "wbr",
]);
/** Attributes of HTML with an address. */
const ADDRESSES = new Set(["href", "src", "cite", "poster", "data"]);

/** What an element without text and attributes counts, in characters. */
const ELEMENT_SIZE = 64;

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Its own text, without that of elements inside; of one that has HTML as elements, that HTML. */
  readonly text: string;
  /** Whether its text is HTML that was not escaped. */
  readonly isMarkup: boolean;
  /** The address on which relative ones in it depend (XML Base), as far as the file says it; may be relative itself, or empty. */
  readonly base: string;
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
 * @param isFeed whether HTML may be in it as elements, as in XHTML of Atom
 * @throws StartError that names the line for a file that is no such XML or ends in the middle
 */
export async function* xmlItems(
  tree: FileTree,
  path: string,
  names: readonly string[],
  records?: Staging,
  { isFeed = false }: { readonly isFeed?: boolean } = {},
): AsyncGenerator<XmlItem> {
  const onRemark = (line: number, detail: string) =>
    records?.note({ file: path, line, code: "bad_characters", detail });
  const { remark, pieces } = await decodeXml(() => tree.stream(path));
  if (remark !== undefined) onRemark(1, remark);
  const reader = new XmlReader(path, names, isFeed);
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
  isMarkup: boolean;
  readonly children: XmlElement[];
}

/** What is known of an open element, read or not. */
interface Around {
  readonly name: string;
  /** Namespaces by their prefixes. */
  readonly namespaces: ReadonlyMap<string, string>;
  readonly base: string;
}

const OUTSIDE: Around = { name: "", namespaces: new Map(), base: "" };

class XmlReader {
  readonly #path: string;
  readonly #names: readonly string[];
  readonly #isFeed: boolean;
  readonly #parser = new SaxesParser();
  /** The item that is read, and the open elements inside. */
  readonly #open: OpenElement[] = [];
  readonly tolerated = new Map<string, { readonly line: number; count: number }>();
  #items: XmlItem[] = [];
  /** All open elements, without those that are HTML. */
  readonly #around: Around[] = [];
  /** The open elements of HTML in the last of these. */
  readonly #html: Around[] = [];
  /** How much the item has, in characters. */
  #length = 0;
  /** Characters since the parser has last reported something: it keeps them in memory. */
  #pending = 0;

  constructor(path: string, names: readonly string[], isFeed: boolean) {
    this.#path = path;
    this.#names = names;
    this.#isFeed = isFeed;
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

  #onOpen(given: string, attributes: Readonly<Record<string, string>>): void {
    this.#pending = 0;
    const around = this.#around.at(-1) ?? OUTSIDE;
    if (WITH_HTML.has(around.name)) {
      if (!this.#isFeed)
        throw this.#fault(
          `the HTML in <${around.name}> is not escaped, so that its text cannot be told from the file's own elements`,
        );
      this.#openHtml(given, attributes);
      return;
    }
    const element = within(around, given, attributes);
    if (this.#around.push(element) > DEPTH_MAX) throw this.#fault("its elements are nested too deeply");
    if (this.#open.length === 0 && !this.#names.includes(element.name)) return;
    const { name, base } = element;
    this.#open.push({
      name,
      attributes,
      base,
      isMarkup: false,
      line: this.#parser.line,
      text: "",
      children: [],
    });
    this.#count(ELEMENT_SIZE + Object.values(attributes).join("").length);
  }

  /** Adds the start tag of an element of HTML to the text of the one that it is in. */
  #openHtml(given: string, attributes: Readonly<Record<string, string>>): void {
    const outer = this.#html.at(-1) ?? this.#around.at(-1) ?? OUTSIDE;
    const name = given.replace(/^.*:/, "");
    const base = resolved(attributes["xml:base"], outer.base);
    this.#html.push({ ...OUTSIDE, name, base });
    const element = this.#open.at(-1);
    if (element === undefined) return;
    if (!element.isMarkup) {
      element.text = escapedText(element.text);
      element.isMarkup = true;
    }
    let tag = `<${name}`;
    for (const [attribute, value] of Object.entries(attributes)) {
      const key = attribute === "xml:lang" ? "lang" : attribute;
      if (key.includes(":") || key === "xmlns") continue;
      // The reader resolves what depends on the base of the whole element.
      const isInner = base !== element.base && ADDRESSES.has(key) && !value.startsWith("#");
      const shown = isInner ? resolved(value, base) : value;
      tag += ` ${key}="${escapedText(shown).replaceAll('"', "&quot;")}"`;
    }
    this.#add(element, `${tag}>`);
  }

  /** Adds the end tag of the last element of HTML. @returns false when none is open */
  #closeHtml(): boolean {
    const html = this.#html.pop();
    const element = this.#open.at(-1);
    if (html !== undefined && element !== undefined && !VOID.has(html.name))
      this.#add(element, `</${html.name}>`);
    return html !== undefined;
  }

  #onText(text: string): void {
    this.#pending = 0;
    const element = this.#open.at(-1);
    if (element !== undefined) this.#add(element, element.isMarkup ? escapedText(text) : text);
  }

  #add(element: OpenElement, text: string): void {
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
    if (this.#closeHtml()) return;
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

function within(around: Around, given: string, attributes: Readonly<Record<string, string>>): Around {
  const declared = Object.entries(attributes).flatMap(([name, uri]) => {
    if (name === "xmlns") return [["", uri.trim()] as const];
    return name.startsWith("xmlns:") ? [[name.slice("xmlns:".length), uri.trim()] as const] : [];
  });
  const namespaces = declared.length === 0 ? around.namespaces : new Map([...around.namespaces, ...declared]);
  const colon = given.indexOf(":");
  const own = PREFIXES.get(namespaces.get(given.slice(0, Math.max(0, colon))) ?? "");
  const name = own === undefined ? given : own + given.slice(colon + 1);
  return { name, namespaces, base: resolved(attributes["xml:base"], around.base) };
}

/** An address as far as it can be resolved; the base itself if there is none. */
function resolved(address: string | undefined, base: string): string {
  const given = (address ?? "").trim();
  return URL.parse(given, base === "" ? undefined : base)?.href ?? (given || base);
}

function escapedText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
