import { encodingOfMeta, type Label } from "../../decoding/encodings.ts";
import { type Attributes, HtmlTags } from "../../decoding/html-tags.ts";

/** The number of elements of a page that are read. */
const ELEMENTS_MAX = 200_000;
/** The nesting of images, formulas and templates that is read; other elements are not remembered. */
const NESTING_MAX = 256;
/** The number of characters of a title that are read. */
const TITLE_MAX = 4_000;
/** The number of icons of a page that are read. */
const ICONS_MAX = 10;

/** An icon that a page names. */
export interface IconLink {
  /** As it is written there. */
  readonly href: string;
  readonly type: string;
  /** Its width in pixels; 32 when the page does not say. */
  readonly size: number;
}

/** Elements that do not begin the body of a page. */
const OF_HEAD = words(
  "html head title meta link base basefont bgsound style script noscript noframes template",
);
/** Elements that end the image or the formula around them (HTML, section 13.2.6.5). */
const BREAKING_OUT = words(
  "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre",
  "ruby s small span strong strike sub sup table tt u ul var",
);
/** Elements of an image and of a formula whose content is HTML again. */
const WITH_HTML: Readonly<Record<string, ReadonlySet<string>>> = {
  svg: words("foreignobject desc title"),
  math: words("mi mo mn ms mtext"),
};

/** Metadata in the order in which it counts. */
const TITLES = ["og:title", "twitter:title"];
const DESCRIPTIONS = ["description", "og:description", "twitter:description"];
/** The pictures by which a page wants to be shown; each line is one picture. */
const PICTURES = [
  ["og:image", "og:image:secure_url", "og:image:url"],
  ["twitter:image", "twitter:image:src"],
];
const METADATA = new Set([...TITLES, ...DESCRIPTIONS, ...PICTURES.flat()]);
/** The characters of a picture's address; a longer one is a `data:` URL. */
const PICTURE_MAX = 4_000;

/** An open element that decides what its content means. */
interface Surrounding {
  readonly name: string;
  /** Whether its elements are those of an image or a formula. */
  readonly isForeign: boolean;
  /** Whether its elements are not of the page. */
  readonly isHidden: boolean;
}

/**
 * What the head of a page says, wherever the page says it: browsers find titles and metadata in the body, too. As in browsers,
 * those within scripts, comments, images, frames, templates and `<noscript>` are not of the page (HTML, section 13.2.6). Of
 * several, the first that is not blank counts.
 */
export class HtmlHead {
  /** The `href` of `<base>`, from which other addresses are read. */
  base: string | undefined;
  /** What the page says in place of the header `Refresh`. */
  refresh: string | undefined;
  /** The encoding that a `<meta>` declares. */
  encoding: Label | undefined;
  readonly icons: IconLink[] = [];

  readonly #metadata = new Map<string, string>();
  #title = "";
  /** The text of the title that is being read. */
  #reading: string | undefined;
  /** Whether the body has begun. */
  #isBody = false;
  /** The elements, and the end tags within images, formulas and templates. */
  #elements = 0;
  /** The innermost last. */
  readonly #around: Surrounding[] = [];
  readonly #tags = new HtmlTags({
    startTag: (name, attributes, isClosed) => this.#startTag(name, attributes, isClosed),
    endTag: (name) => this.#endTag(name),
    text: (text) => this.#text(text),
    hasTagsOnly: () => this.#innermost?.isForeign === true || this.#innermost?.name === "noscript",
  });

  /** Reads the next piece of the page. */
  write(html: string): void {
    if (!this.#isFull) this.#tags.write(html);
  }

  end(): void {
    if (!this.#isFull) this.#tags.end();
    this.#endTitle();
  }

  /** Whether the rest of the page would change nothing, or is too much. */
  get isComplete(): boolean {
    return this.#isFull || (this.#isBody && this.#title !== "" && this.descriptions.length > 0);
  }

  /** Its title, then those for social networks. */
  get titles(): readonly string[] {
    return this.#title === "" ? this.#said(TITLES) : [this.#title, ...this.#said(TITLES)];
  }

  get descriptions(): readonly string[] {
    return this.#said(DESCRIPTIONS);
  }

  /** The addresses of at most two pictures that the page names for itself, as they are written there. */
  get pictures(): readonly string[] {
    return PICTURES.flatMap((names) => this.#said(names).slice(0, 1)).map((address) => address.trim());
  }

  #said(names: readonly string[]): string[] {
    return names.flatMap((name) => this.#metadata.get(name) ?? []);
  }

  get #isFull(): boolean {
    return this.#elements > ELEMENTS_MAX || this.#around.length > NESTING_MAX;
  }

  get #innermost(): Surrounding | undefined {
    return this.#around.at(-1);
  }

  #startTag(name: string, attributes: Attributes, isClosed: boolean): void {
    if (this.#isFull || this.#innermost?.name === "noscript") return;
    this.#elements++;
    if (breaksOut(name, attributes)) this.#leaveForeign();
    if (this.#innermost?.isForeign) {
      if (!isClosed) this.#startForeign(name, this.#innermost.name, attributes);
      return;
    }
    if (name === "svg" || name === "math") {
      if (!isClosed) this.#enter(name, true);
    } else if (name === "template" || name === "noscript") this.#enter(name, false);
    if (this.#innermost?.isHidden) return;
    if (name === "title") this.#reading = "";
    else if (name === "meta") this.#meta(attributes);
    else if (name === "base") this.base ??= attributes.get("href");
    else if (name === "link" && !this.#isBody) this.#link(attributes);
    this.#isBody ||= !OF_HEAD.has(name);
  }

  #startForeign(name: string, around: string, attributes: Attributes): void {
    if (name === "svg" || name === "math") this.#enter(name, true);
    else if (WITH_HTML[around]?.has(name)) this.#enter(name, false);
    else if (around === "math" && name === "annotation-xml" && /html/i.test(attributes.get("encoding") ?? ""))
      this.#enter(name, false);
  }

  #enter(name: string, isForeign: boolean): void {
    const isHidden = name === "template" || name === "noscript" || this.#innermost?.isHidden === true;
    this.#around.push({ name, isForeign, isHidden });
  }

  #leaveForeign(): void {
    while (this.#innermost?.isForeign) this.#around.pop();
  }

  #endTag(name: string): void {
    if (this.#isFull) return;
    if (name === "title") this.#endTitle();
    if (this.#innermost === undefined) return;
    // Looking for what it ends takes time, too.
    this.#elements++;
    if (name === "p" || name === "br") this.#leaveForeign();
    // What is open in a template ends with it, and nothing outside of it ends within.
    const at = this.#around.findLastIndex((around) => around.name === name || around.name === "template");
    if (this.#around[at]?.name === name) this.#around.length = at;
  }

  #text(text: string): void {
    if (this.#reading !== undefined) this.#reading += text.slice(0, TITLE_MAX - this.#reading.length);
  }

  #endTitle(): void {
    if (this.#title === "" && isSaid(this.#reading)) this.#title = this.#reading;
    this.#reading = undefined;
  }

  #meta(attributes: Attributes): void {
    this.encoding ??= encodingOfMeta(attributes);
    const content = attributes.get("content");
    if (!isSaid(content)) return;
    if (attributes.get("http-equiv")?.toLowerCase() === "refresh") this.refresh ??= content;
    const names = `${attributes.get("property") ?? ""} ${attributes.get("name") ?? ""}`;
    for (const name of names.toLowerCase().split(/\s+/)) {
      if (!METADATA.has(name) || this.#metadata.has(name)) continue;
      if (!name.includes(":image") || content.length <= PICTURE_MAX) this.#metadata.set(name, content);
    }
  }

  /** An icon (HTML, section 4.6.7.8), or one for Apple's home screen. */
  #link(attributes: Attributes): void {
    const kinds = (attributes.get("rel") ?? "").toLowerCase().split(/\s+/);
    const isForApple = kinds.includes("apple-touch-icon");
    const href = attributes.get("href")?.trim();
    if (href === undefined || (!isForApple && !kinds.includes("icon"))) return;
    const size = /(\d{1,4})x\d/i.exec(attributes.get("sizes") ?? "")?.[1];
    if (this.icons.length < ICONS_MAX)
      this.icons.push({
        href,
        type: attributes.get("type") ?? "",
        size: size === undefined ? (isForApple ? 180 : 32) : Number(size),
      });
  }
}

function breaksOut(name: string, attributes: Attributes): boolean {
  return (
    BREAKING_OUT.has(name) ||
    (name === "font" && ["color", "face", "size"].some((attribute) => attributes.has(attribute)))
  );
}

function isSaid(text: string | undefined): text is string {
  return text !== undefined && /[^\s\p{Cc}\ufffd]/u.test(text);
}

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}
