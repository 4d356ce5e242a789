import type { PageElement, PageNode } from "@mozilla/readability/JSDOMParser.js";
import { bestPicture, isDot } from "./best-picture.ts";
import { type CopiedHtml, CopyWriter, type Formula } from "./copy-writer.ts";
import { dataPicture, type PagePicture } from "./data-picture.ts";
import { DATA_PICTURE } from "./page-tree.ts";

/** The pictures of a page that are kept. */
const PICTURES_MAX = 30;
/** The characters of the text that stands for a picture, and of an address. */
const ALT_MAX = 1_000;
const ADDRESS_MAX = 2_000;

/** What may be shown of a page. */
export interface SanitizedCopy extends CopiedHtml {
  readonly pictures: readonly PagePicture[];
}

/** Where a page is, and what {@link PageTree} has taken out of it. */
export interface CopySource {
  readonly url: string;
  /** The address from which others are read. */
  readonly base: string;
  readonly dataUrls: readonly string[];
  /** Whether films and the like are those of an article, and no advertisements. */
  readonly hasFilms: boolean;
  /** Whether it is the text of a copy: its tables are those of a text, and none that lays out a page. */
  readonly isCopy?: boolean;
}

/** Elements of lines that are kept, and what others become. */
const PHRASES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...["em", "strong", "b", "i", "u", "s", "del", "ins", "mark", "small", "sub", "sup", "abbr"],
      ...["code", "kbd", "samp", "var", "q", "cite", "dfn", "ruby", "rt", "rp", "bdi", "bdo", "a"],
    ].map((name) => [name, name]),
  ),
  tt: "code",
  strike: "s",
  acronym: "abbr",
};
/** Blocks that are kept, and what others become. */
const BLOCKS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...["p", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "ul", "ol", "li", "dl", "dt", "dd"],
      ...["table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "figure", "figcaption"],
      ...["details", "summary"],
    ].map((name) => [name, name]),
  ),
  h1: "h2",
  menu: "ul",
  dir: "ul",
  listing: "pre",
  xmp: "pre",
  plaintext: "pre",
};
/** Blocks that only separate what is in them. */
const SECTIONS = new Set([
  ...["div", "section", "article", "main", "header", "footer", "nav", "aside", "address", "hgroup", "search"],
  ...["center", "form", "fieldset", "legend", "dialog", "body", "option", "optgroup", "noscript"],
]);
const DROPPED = new Set([
  ...[
    "script",
    "style",
    "template",
    "noscript",
    "title",
    "head",
    "meta",
    "link",
    "base",
    "svg",
    "canvas",
    "map",
  ],
  ...[
    "button",
    "input",
    "select",
    "textarea",
    "datalist",
    "object",
    "applet",
    "frame",
    "frameset",
    "noembed",
  ],
  ...["noframes", "param", "track", "progress", "meter", "annotation", "annotation-xml"],
]);
const FILMS = new Set(["iframe", "video", "audio", "embed"]);
const FORMULAS = new Set([
  ...["math", "mrow", "mi", "mo", "mn", "ms", "mtext", "mspace", "msup", "msub", "msubsup", "mfrac", "msqrt"],
  ...["mroot", "mover", "munder", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded", "mphantom"],
  ...["menclose", "mmultiscripts", "mprescripts", "merror", "semantics"],
]);
const OF_FORMULAS = [
  ...["display", "mathvariant", "stretchy", "fence", "separator", "accent", "accentunder", "displaystyle"],
  ...["linethickness", "columnalign", "rowalign", "columnspan"],
];

/**
 * The only markup that is kept of a foreign page, written anew: elements and attributes of an article without styles, classes
 * and scripts; absolute links; numbered pictures. Nothing that a document tree writes of itself is ever shown.
 *
 * @throws ExtractionError `too-costly` when the result would be much larger than a page
 */
export function sanitizeCopy(nodes: readonly PageNode[], source: CopySource): SanitizedCopy {
  const sanitizer = new Sanitizer(source, nodes);
  for (const node of nodes) sanitizer.node(node);
  return sanitizer.end();
}

class Sanitizer {
  readonly #source: CopySource;
  readonly #writer = new CopyWriter();
  readonly #pictures: PagePicture[] = [];
  /** The numbers of the pictures by their addresses. */
  readonly #numbers = new Map<string, number>();
  /** Where links within the page lead. */
  readonly #anchors = new Set<string>();

  constructor(source: CopySource, nodes: readonly PageNode[]) {
    this.#source = source;
    for (const node of nodes) if (node.nodeType === 1) this.#findAnchors(node);
  }

  end(): SanitizedCopy {
    return { ...this.#writer.end(), pictures: this.#pictures };
  }

  node(node: PageNode): void {
    if (node.nodeType === 3) this.#writer.text(node.textContent);
    else if (node.nodeType === 1) this.#element(node);
  }

  #element(element: PageElement): void {
    const name = element.localName;
    if (DROPPED.has(name) || isGutter(element)) return;
    for (const id of [element.id, name === "a" ? (element.getAttribute("name") ?? "") : ""])
      if (this.#anchors.delete(id)) this.#writer.anchor(anchorOf(id));
    if (name === "math") this.#writer.formula(formulaOf(element));
    else if (name === "img") this.#picture(element, []);
    else if (name === "picture") this.#pictureWithSources(element);
    else if (FILMS.has(name)) this.#film(element);
    else if (name === "br") this.#writer.lineBreak();
    else if (name === "wbr") this.#writer.wordBreak();
    else if (name === "hr") this.#writer.rule();
    else if (name !== "table" || !isBlank(element)) this.#block(element);
  }

  #block(element: PageElement): void {
    const name = element.localName;
    const block = BLOCKS[name];
    if (block !== undefined && (name !== "table" || this.#source.isCopy === true || !isLayout(element)))
      this.#writer.block(block, this.#attributes(block, element), () => this.#within(element));
    else if (block !== undefined || SECTIONS.has(name)) this.#section(element);
    else this.#phrase(element);
  }

  #within(element: PageElement): void {
    for (const child of element.childNodes) this.node(child);
  }

  #section(element: PageElement): void {
    this.#writer.block(hasSpeech(element) ? "div" : undefined, speechOf(element), () =>
      this.#within(element),
    );
  }

  #phrase(element: PageElement): void {
    if (isNoteMark(element)) this.#writer.gap();
    const name = PHRASES[element.localName] ?? (hasSpeech(element) ? "span" : undefined);
    const attributes = name === undefined ? {} : this.#attributes(name, element);
    const isNothing = name === undefined || (name === "a" && attributes.href === undefined);
    this.#writer.phrase(isNothing ? undefined : name, attributes, () => this.#within(element));
  }

  #attributes(name: string, element: PageElement): Record<string, string> {
    const attributes = speechOf(element);
    const set = (attribute: string, value: string | undefined) => {
      if (value !== undefined) attributes[attribute] = value;
    };
    if (name === "a") set("href", this.#link(element.getAttribute("href")));
    else if (name === "abbr") set("title", oneLine(element.getAttribute("title")));
    else if (name === "ol") {
      set("start", countOf(element.getAttribute("start")));
      if (element.hasAttribute("reversed")) attributes.reversed = "";
    } else if (name === "li") set("value", countOf(element.getAttribute("value")));
    else if (name === "td" || name === "th") {
      set("colspan", countOf(element.getAttribute("colspan"), 2, 100));
      set("rowspan", countOf(element.getAttribute("rowspan"), 2, 1_000));
      const scope = element.getAttribute("scope")?.toLowerCase() ?? "";
      if (name === "th" && /^(?:row|col|rowgroup|colgroup)$/.test(scope)) attributes.scope = scope;
    } else if (name === "details") attributes.open = "";
    else if (name === "code" || name === "pre") set("class", languageOf(element));
    return attributes;
  }

  /** The address of a link, absolute, or to an anchor of the copy; undefined for what is no page. */
  #link(href: string | undefined): string | undefined {
    const url = this.#absolute(href);
    if (url === undefined || url.length > ADDRESS_MAX) return undefined;
    const anchor = this.#anchorIn(url);
    return anchor === undefined ? url : `#${encodeURIComponent(anchorOf(anchor))}`;
  }

  /** The id to which an absolute address leads within this page. */
  #anchorIn(url: string): string | undefined {
    const at = url.indexOf("#");
    if (at < 0 || at === url.length - 1) return undefined;
    const page = url.slice(0, at);
    const { url: own, base } = this.#source;
    if (page !== withoutFragment(own) && page !== withoutFragment(base)) return undefined;
    try {
      return decodeURIComponent(url.slice(at + 1)).toWellFormed();
    } catch {
      return undefined;
    }
  }

  #findAnchors(element: PageElement): void {
    for (const link of [element, ...element.getElementsByTagName("a")]) {
      const url = link.localName === "a" ? this.#absolute(link.getAttribute("href")) : undefined;
      const anchor = url === undefined ? undefined : this.#anchorIn(url);
      if (anchor !== undefined && anchor.length <= 200) this.#anchors.add(anchor);
    }
  }

  #absolute(address: string | undefined): string | undefined {
    if (address === undefined || address.length > 2 * ADDRESS_MAX) return undefined;
    const url = URL.parse(address, this.#source.base);
    return url?.protocol === "http:" || url?.protocol === "https:" ? url.href.toWellFormed() : undefined;
  }

  #pictureWithSources(element: PageElement): void {
    const sets = element
      .getElementsByTagName("source")
      .filter((source) => /^(?:|image\/(?:jpe?g|png|webp))$/i.test(source.getAttribute("type")?.trim() ?? ""))
      .flatMap((source) => source.getAttribute("srcset") ?? source.getAttribute("data-srcset") ?? []);
    const [image] = element.getElementsByTagName("img");
    this.#picture(image ?? element, sets);
  }

  /** Writes a picture; nothing for one that cannot be kept, such as a drawing or a pixel that counts visitors. */
  #picture(element: PageElement, sets: readonly string[]): void {
    const given = Object.fromEntries(element.attributes.map(({ name, value }) => [name, value]));
    const width = countOf(given.width, 0, 100_000);
    const height = countOf(given.height, 0, 100_000);
    if ([width, height].some((side) => side !== undefined && isDot(Number(side)))) return;
    const number = this.#numberOf(bestPicture(given, sets, this.#dataUrl(given.src)));
    if (number === undefined) {
      if (isPictureOfFormula(given))
        this.#writer.phrase("code", {}, () => this.#writer.text(oneLine(given.alt) ?? ""));
      return;
    }
    this.#writer.picture({
      src: `picture-${number}`,
      alt: oneLine(given.alt) ?? "",
      ...(width !== undefined && height !== undefined && { width, height }),
      loading: "lazy",
    });
  }

  #dataUrl(src: string | undefined): string | undefined {
    if (src?.startsWith(DATA_PICTURE)) return this.#source.dataUrls[Number(src.slice(DATA_PICTURE.length))];
    return src !== undefined && /^\s*data:/i.test(src) ? src : undefined;
  }

  #numberOf(address: string): number | undefined {
    const known = this.#numbers.get(address);
    if (known !== undefined || address === "" || this.#pictures.length >= PICTURES_MAX) return known;
    const picture = /^data:/i.test(address) ? dataPicture(address) : this.#linked(address);
    if (picture === undefined) return undefined;
    const number = this.#pictures.push(picture);
    this.#numbers.set(address, number);
    return number;
  }

  #linked(address: string): PagePicture | undefined {
    const url = this.#absolute(address);
    if (url === undefined || /\.svgz?(?:[?#]|$)/i.test(url)) return undefined;
    return { url };
  }

  /** A link in the place of a film, a recording, or a page within the page. */
  #film(element: PageElement): void {
    if (!this.#source.hasFilms) return;
    const [inner] = element.getElementsByTagName("source");
    const href = this.#link(element.getAttribute("src") ?? inner?.getAttribute("src"));
    if (href === undefined || href.startsWith("#")) return;
    const title = oneLine(element.getAttribute("title"));
    // Words that the page does not have are not for the search.
    const attributes = { href, ...(title === undefined && { "aria-label": new URL(href).host }) };
    this.#writer.block("p", {}, () =>
      this.#writer.phrase("a", attributes, () => this.#writer.text(title ?? "▶")),
    );
  }
}

function formulaOf(element: PageElement): Formula {
  const attributes: Record<string, string> = {};
  for (const name of OF_FORMULAS) {
    const value = element.getAttribute(name);
    if (value !== undefined && /^[\w .%+-]{1,40}$/.test(value)) attributes[name] = value;
  }
  const content = [...element.childNodes].flatMap((node): Formula[] => {
    if (node.nodeType === 3) {
      const text = node.textContent.replace(/\s+/g, " ");
      return text.trim() === "" ? [] : [text];
    }
    if (node.nodeType !== 1 || DROPPED.has(node.localName)) return [];
    return FORMULAS.has(node.localName) ? [formulaOf(node)] : [node.textContent.replace(/\s+/g, " ")];
  });
  return { name: element.localName, attributes, content };
}

/** Ids of the copy begin so, so that they are none of the page that shows it. */
function anchorOf(id: string): string {
  return `copy-${id}`;
}

function withoutFragment(url: string): string {
  const at = url.indexOf("#");
  return at < 0 ? url : url.slice(0, at);
}

/** The language and the direction of an element. */
function speechOf(element: PageElement): Record<string, string> {
  const dir = element.getAttribute("dir")?.trim().toLowerCase();
  const lang = element.getAttribute("lang")?.trim();
  return {
    ...(lang !== undefined && /^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,4}$/i.test(lang) && { lang }),
    ...(dir !== undefined && /^(?:ltr|rtl|auto)$/.test(dir) && { dir }),
  };
}

function hasSpeech(element: PageElement): boolean {
  return Object.keys(speechOf(element)).length > 0;
}

/** The class with the language of a program, as `language-js`. */
function languageOf(element: PageElement): string | undefined {
  const [, name] =
    /(?:^|\s)(?:language|lang|highlight-source)-([\w+#-]{1,30})(?:\s|$)/i.exec(element.className) ?? [];
  return name === undefined ? undefined : `language-${name.toLowerCase()}`;
}

function countOf(text: string | undefined, min = 0, max = 99_999): string | undefined {
  const [, digits] = /^\s*(\d{1,6})(?:px|\.\d+)?\s*$/.exec(text ?? "") ?? [];
  const count = Number(digits);
  return count >= min && count <= max ? `${count}` : undefined;
}

function oneLine(text: string | undefined): string | undefined {
  const line = (text ?? "")
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return line === "" ? undefined : Array.from(line).slice(0, ALT_MAX).join("");
}

/** Whether an element is the raised number that leads to a note. */
function isNoteMark(element: PageElement): boolean {
  const isLink = element.parentNode?.localName === "a" || element.getElementsByTagName("a").length > 0;
  return element.localName === "sup" && isLink;
}

/** Names of the numbers beside the lines of a program or a poem. */
const GUTTERS =
  /(?:^|[\s_-])(?:gutter|lno?|lnt|linenos?|linenodiv|linenum(?:ber)?s?|line-?numbers?|ln-numbers)(?:$|[\s_-])/i;

/** Whether an element has the numbers of lines alone. */
function isGutter(element: PageElement): boolean {
  return GUTTERS.test(element.className) && /^[\d\s]+$/.test(element.textContent);
}

/** Whether a table lays out what is in it, and is none that people read by rows and columns. */
function isLayout(table: PageElement): boolean {
  if (/^(?:presentation|none)$/i.test(table.getAttribute("role")?.trim() ?? "")) return true;
  if (table.getElementsByTagName("th").length > 0) return false;
  if (table.getElementsByTagName("table").length > 0) return true;
  const rows = table.getElementsByTagName("tr");
  return rows.every(({ children }) => children.filter((cell) => !isGutter(cell)).length <= 1);
}

/** Whether a picture that cannot be kept is one of a formula, which its text says as well. */
function isPictureOfFormula({ class: names = "", alt = "" }: Record<string, string | undefined>): boolean {
  return /(?:^|[\s_-])(?:latex|tex|math)(?:$|[\s_-])/i.test(names) || /\\[a-z]{2,}/i.test(alt);
}

function isBlank(element: PageElement): boolean {
  return !/\S/.test(element.textContent) && element.getElementsByTagName("img").length === 0;
}
