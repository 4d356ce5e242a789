import JSDOMParser, { type PageDocument, type PageElement } from "@mozilla/readability/JSDOMParser.js";
import { Parser } from "htmlparser2";
import { Guard } from "./guard.ts";

/** A page as Readability reads it. */
export interface PageTree {
  readonly document: PageDocument;
  /** The `data:` URLs of pictures; in the tree stands {@link DATA_PICTURE} with their index. */
  readonly dataUrls: readonly string[];
}

export interface TreeOptions {
  /** Whether `<a/>` is an element without content, as in XHTML. */
  readonly isXml?: boolean;
  /** Whether what is hidden from screen readers alone is left out, as what is hidden from all is. */
  readonly withoutAriaHidden?: boolean;
}

/** The scheme that stands for a `data:` URL: Readability would copy and search megabytes again and again. */
export const DATA_PICTURE = "data-picture:";
/** The number of characters of a `data:` URL that stays: Readability knows placeholders by their length. */
const DATA_STAYS = 200;

/** The characters with which a page asks for scripts. */
const NOTICE = 1_000;

/** Elements that may stand before the body. */
const OF_HEAD = new Set(["title", "meta", "link", "base", "script", "style", "noscript", "template"]);
const ROOTS = new Set(["html", "head", "body"]);
/** Elements that show no words of the page. */
const UNREAD = new Set([...["style", "svg", "noembed", "noframes", "frameset", "datalist", "canvas"]]);
/** Elements whose content is for browsers that do not know them. */
const WITHOUT_TEXT = new Set(["iframe", "object", "embed", "video", "audio"]);
/** Elements that any attribute may give a picture. */
const PICTURES = new Set([
  "img",
  "picture",
  "source",
  "figure",
  "iframe",
  "video",
  "audio",
  "embed",
  "object",
]);
/** What Readability and the sanitizer read of other elements. */
const ATTRIBUTES = new Set([
  ...[
    "id",
    "class",
    "rel",
    "role",
    "itemprop",
    "property",
    "name",
    "content",
    "http-equiv",
    "type",
    "href",
    "dir",
    "lang",
  ],
  ...["title", "aria-modal", "colspan", "rowspan", "scope", "start", "reversed", "value", "open", "datetime"],
  ...["width", "height", "display", "mathvariant", "stretchy", "fence", "separator", "accent", "accentunder"],
  ...["displaystyle", "linethickness", "columnalign", "rowalign", "columnspan"],
]);
/** The number of attributes of an element, and of characters of each. */
const ATTRIBUTES_MAX = 100;
const VALUE_MAX = 4_000;

const HIDING =
  /(?:^|;)\s{0,20}(?:display\s{0,20}:\s{0,20}none|visibility\s{0,20}:\s{0,20}(?:hidden|collapse))\b/i;

/** The tree of an HTML page. @throws ExtractionError of the {@link Guard} */
export function readTree(html: string, url: string, options: TreeOptions = {}): PageTree {
  const builder = new TreeBuilder(url, options);
  const parser = new Parser(
    {
      onopentag: (name, attributes) => builder.open(name, attributes),
      onclosetag: () => builder.close(),
      ontext: (text) => builder.text(text),
    },
    { recognizeSelfClosing: options.isXml === true },
  );
  parser.end(html);
  return builder.end();
}

/**
 * Where the content of an open element goes: into an element; where the page has it, for `<html>`, `<head>` and `<body>`;
 * nowhere.
 */
type Place = PageElement | "page" | "hidden" | "unread";

class TreeBuilder {
  readonly #document: PageDocument;
  readonly #options: TreeOptions;
  readonly #guard = new Guard();
  readonly #dataUrls: string[] = [];
  /** The places of the open elements, the innermost last. */
  readonly #open: Place[] = [];
  #isBody = false;
  #text = "";

  constructor(url: string, options: TreeOptions) {
    this.#document = new JSDOMParser().parse("<html><head></head><body></body></html>", url);
    this.#options = options;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#guard.enter(this.#open.length + 1);
    this.#endText();
    this.#open.push(this.#place(name.toLowerCase(), attributes));
  }

  close(): void {
    this.#endText();
    this.#open.pop();
  }

  text(text: string): void {
    this.#text += text;
  }

  end(): PageTree {
    this.#endText();
    const [title] = this.#document.getElementsByTagName("title");
    this.#document.title = title?.textContent.trim() ?? "";
    this.#showWithoutScripts();
    return { document: this.#document, dataUrls: this.#dataUrls };
  }

  /** Shows what most of a page is, although it is for browsers without scripts alone, as on Discourse. */
  #showWithoutScripts(): void {
    const { body } = this.#document;
    const parts = body.getElementsByTagName("noscript");
    if (parts.length === 0) return;
    const least = Math.max(NOTICE, body.textContent.length / 2);
    for (const part of parts) {
      if (part.textContent.length <= least) continue;
      const shown = this.#document.createElement("div");
      for (const child of [...part.childNodes]) shown.appendChild(child);
      part.parentNode?.replaceChild(shown, part);
    }
  }

  #place(name: string, attributes: Readonly<Record<string, string>>): Place {
    const around = this.#open.at(-1) ?? "page";
    if (around === "unread") return around;
    if (ROOTS.has(name)) {
      if (around !== "page") return around;
      const { documentElement, head, body } = this.#document;
      this.#isBody ||= name === "body";
      this.#give(name === "html" ? documentElement : name === "head" ? head : body, name, attributes);
      return "page";
    }
    if (isUnread(name, attributes) || (isTex(name, attributes) && isDrawn(around))) return "unread";
    // Some pages hide a formula to show a picture of it.
    const parent =
      around !== "hidden"
        ? around
        : name === "math" && this.#open.at(-2) !== "hidden"
          ? this.#open.at(-2)
          : undefined;
    if (parent === undefined || parent === "unread" || parent === "hidden") return "hidden";
    if (this.#isHidden(name, attributes, parent)) return "hidden";
    const element = this.#document.createElement(nameOf(name, attributes));
    this.#give(element, name, attributes);
    this.#parentOf(parent, OF_HEAD.has(element.localName)).appendChild(element);
    return element;
  }

  #parentOf(place: PageElement | "page", mayBeInHead: boolean): PageElement {
    if (place !== "page") return place;
    this.#isBody ||= !mayBeInHead;
    return this.#isBody ? this.#document.body : this.#document.head;
  }

  #isHidden(
    name: string,
    attributes: Readonly<Record<string, string>>,
    parent: PageElement | "page",
  ): boolean {
    if (attributes.hidden !== undefined || HIDING.test(attributes.style ?? "")) return true;
    if (name === "dialog") return attributes.open === undefined;
    if (attributes["aria-hidden"] !== "true") return false;
    // A drawing of a formula is shown only where its MathML is not.
    if (/fallback-image|katex-html/.test(attributes.class ?? ""))
      return parent !== "page" && parent.children.some(isFormula);
    return this.#options.withoutAriaHidden === true;
  }

  #give(element: PageElement, name: string, attributes: Readonly<Record<string, string>>): void {
    let count = 0;
    for (const attribute in attributes) {
      if (!ATTRIBUTES.has(attribute) && !(PICTURES.has(name) && /^[a-z][\w:-]*$/.test(attribute))) continue;
      // Hidden elements are left out already, and Readability cannot read every style.
      if (attribute === "style" || attribute === "hidden" || attribute === "aria-hidden") continue;
      if (++count > ATTRIBUTES_MAX) return;
      const value = this.#value(attributes[attribute] ?? "");
      if (value !== undefined) element.setAttribute(attribute, value);
    }
    if (attributes["xml:lang"] !== undefined && !element.hasAttribute("lang"))
      element.setAttribute("lang", attributes["xml:lang"].slice(0, VALUE_MAX));
  }

  #value(value: string): string | undefined {
    if (value.length > DATA_STAYS && /^\s*data:/i.test(value))
      return DATA_PICTURE + (this.#dataUrls.push(value.trim()) - 1);
    // Half of an address leads elsewhere.
    return value.length > VALUE_MAX ? undefined : value;
  }

  #endText(): void {
    const text = this.#text;
    if (text === "") return;
    this.#text = "";
    const place = this.#open.at(-1) ?? "page";
    if (place === "hidden" || place === "unread") return;
    if (place === "page" && !/\S/.test(text) && !this.#isBody) return;
    if (place !== "page" && WITHOUT_TEXT.has(place.localName)) return;
    this.#guard.read(this.#open.length, text.length);
    this.#parentOf(place, false).appendChild(this.#document.createTextNode(text));
  }
}

/** The source of a formula, which a script draws beside it. */
function isTex(name: string, attributes: Readonly<Record<string, string>>): boolean {
  return name === "script" && /^\s*math\/tex\b/i.test(attributes.type ?? "");
}

/** Whether a formula that MathJax has drawn stands last in a place. */
function isDrawn(place: Place): boolean {
  const last = typeof place === "object" ? place.childNodes.at(-1) : undefined;
  return last?.nodeType === 1 && last.className.includes("MathJax");
}

function isFormula({ localName, className }: PageElement): boolean {
  return localName === "math" || className.includes("katex-mathml");
}

/** What an element becomes in the tree. */
function nameOf(name: string, attributes: Readonly<Record<string, string>>): string {
  if (name === "template") return "div";
  if (isTex(name, attributes)) return "code";
  return /^[a-z][a-z0-9-]*$/.test(name) ? name : "span";
}

function isUnread(name: string, attributes: Readonly<Record<string, string>>): boolean {
  // What browsers show in an element, as part of it.
  if (name === "template") return attributes.shadowrootmode === undefined;
  if (isTex(name, attributes)) return false;
  if (name === "script") return attributes.type?.trim().toLowerCase() !== "application/ld+json";
  return UNREAD.has(name);
}
