import sanitizeHtml, { type Attributes, type Tag } from "sanitize-html";
import { addressOf, pictureAddress, withLinks } from "../../decoding/embedded.ts";
import { anchorOf } from "../../records/anchors.ts";
import { withoutHidden } from "./hidden-elements.ts";
import { formsOf, type ImageSize } from "./rendered-post.ts";

/** Everything that a post's HTML may consist of. Any other element is dropped; its text stays, but for what is hidden. */
const TAGS = [
  ...["p", "br", "hr", "h2", "h3", "h4", "blockquote", "footer", "cite", "q"],
  ...["ul", "ol", "li", "dl", "dt", "dd"],
  ...["pre", "code", "kbd", "samp", "var", "span", "div"],
  ...["table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"],
  ...["a", "em", "strong", "b", "i", "u", "s", "del", "ins", "mark", "small", "sub", "sup", "abbr", "time"],
  ...["ruby", "rt", "rp", "bdi", "bdo", "wbr"],
  ...["img", "figure", "figcaption", "details", "summary", "aside"],
];

/** Elements that are not allowed, but may have an id to which a link leads; within a line they are a `span`. */
const SECTIONS = ["section", "article", "main", "header", "nav", "hgroup", "address", "center", "fieldset"];
const PHRASES = ["font", "label", "dfn", "big", "tt", "strike", "acronym", "picture"];

/** Sanitizes untrusted HTML: the result runs no script, loads only images, and has no styles. */
export function sanitize(html: string, sizes: ReadonlyMap<string, ImageSize>): string {
  const images = new Images(sizes);
  const image = (name: string, attributes: Attributes) => images.tag(name, attributes);
  return sanitizeHtml(withLinks(withoutHidden(html)), {
    allowedTags: TAGS,
    allowedAttributes: {
      "*": ["lang", "dir", "id"],
      a: ["href", "title", "aria-label"],
      abbr: ["title"],
      img: ["src", "srcset", "sizes", "alt", "title", "width", "height", "loading", "decoding"],
      ol: ["start", "reversed"],
      li: ["value"],
      th: ["colspan", "rowspan", "scope"],
      td: ["colspan", "rowspan"],
      time: ["datetime"],
      del: ["datetime", "cite"],
      ins: ["datetime", "cite"],
      blockquote: ["cite"],
      q: ["cite"],
      details: ["open"],
      pre: ["tabindex"],
      div: ["role", "tabindex", "aria-label"],
      aside: ["aria-label"],
    },
    allowedClasses: {
      code: [/^language-[\w+#-]{1,40}$/],
      span: [/^hl-[\w-]{1,40}$/, /^[a-z]+_$/],
      th: ["end", "middle"],
      td: ["end", "middle"],
      div: ["table"],
      li: ["task"],
      aside: ["notes"],
    },
    allowedSchemes: ["http", "https", "mailto", "tel"],
    allowedSchemesByTag: { img: ["https"] },
    allowedSchemesAppliedToAttributes: ["href", "src", "cite"],
    allowProtocolRelative: false,
    transformTags: {
      h1: "h2",
      h5: "h4",
      h6: "h4",
      img: image,
      "amp-img": image,
      "amp-anim": image,
      pre: (tagName, attributes) => ({ tagName, attribs: { ...kept(attributes), tabindex: "0" } }),
      div: scrollingTable,
      th: aligned,
      td: aligned,
      ...Object.fromEntries([
        ...SECTIONS.map(
          (name) => [name, (_: string, attribs: Attributes) => anchor("div", attribs)] as const,
        ),
        ...PHRASES.map(
          (name) => [name, (_: string, attribs: Attributes) => anchor("span", attribs)] as const,
        ),
      ]),
      "*": withOwnAddresses,
    },
  });
}

/** What an element keeps whose other attributes are replaced. */
function kept({ id, lang, dir }: Attributes): Attributes {
  return {
    ...(id !== undefined && { id }),
    ...(lang !== undefined && { lang }),
    ...(dir !== undefined && { dir }),
  };
}

/** An element in the place of one that is not allowed; without an id there is none. */
function anchor(tagName: string, attributes: Attributes): Tag {
  return { tagName: attributes.id === undefined ? NOTHING : tagName, attribs: kept(attributes) };
}

/** The name of no element: its tags go. */
const NOTHING = "nothing";

/** The images of a text. */
class Images {
  readonly #sizes: ReadonlyMap<string, ImageSize>;
  /** The addresses of the images, and whether a script would have loaded it later. */
  readonly #shown = new Map<string, boolean>();

  constructor(sizes: ReadonlyMap<string, ImageSize>) {
    this.#sizes = sizes;
  }

  /**
   * Adds the size of an uploaded image, to avoid layout shifts, and its smaller versions. The Content Security Policy
   * allows images over https only; one over http becomes a link. The first image is often in view when the page opens, so it
   * is not loaded late. What a script would load later is there once more for readers without scripts, and shown once.
   */
  tag(name: string, attributes: Attributes): Tag {
    const { address: src, ...found } = pictureAddress(attributes);
    const isLate = found.isLate || name !== "img";
    const { alt = "", title } = attributes;
    if (src !== "") {
      const before = this.#shown.get(src);
      if (before !== undefined && (isLate || before)) return { tagName: NOTHING, attribs: {} };
      this.#shown.set(src, isLate);
    }
    if (/^http:/i.test(src))
      return { tagName: "a", attribs: { ...kept(attributes), href: src }, text: alt || src };
    const size = this.#sizes.get(src);
    const attribs = {
      ...kept(attributes),
      src,
      alt,
      ...(title !== undefined && { title }),
      ...(size && { width: `${size.width}`, height: `${size.height}`, ...smallerForms(src, size) }),
      ...(this.#count++ > 0 && { loading: "lazy" }),
      decoding: "async",
    };
    return { tagName: "img", attribs };
  }

  #count = 0;
}

function smallerForms(src: string, size: ImageSize): Attributes {
  const forms = formsOf(src, size);
  if (forms === undefined) return {};
  return {
    srcset: forms.map(({ url, width }) => `${url} ${width}w`).join(", "),
    sizes: "(min-width: 52rem) 38rem, 100vw",
  };
}

/** Makes a wide table scrollable, by keyboard, too. */
function scrollingTable(tagName: string, attributes: Attributes): Tag {
  const scrolls = attributes.class === "table";
  const attribs: Attributes = scrolls
    ? { class: "table", role: "region", tabindex: "0", "aria-label": "Table" }
    : {};
  return { tagName, attribs: { ...kept(attributes), ...attribs } };
}

/** Replaces the `style` of a column's alignment, which the Content Security Policy forbids. */
function aligned(tagName: string, { style = "", ...attribs }: Attributes): Tag {
  const [, side] = /text-align:(right|center)/.exec(style) ?? [];
  if (side === undefined) return { tagName, attribs };
  return { tagName, attribs: { ...attribs, class: side === "right" ? "end" : "middle" } };
}

/** Attributes with addresses. */
const ADDRESSES = ["href", "src", "cite"];

/** Gives ids their prefix, and addresses without a scheme https. */
function withOwnAddresses(tagName: string, { id, name, ...given }: Attributes): Tag {
  const attribs: Attributes = { ...given };
  // Links of older pages lead to the names of other ones.
  const own = anchorOf(id ?? (tagName === "a" ? (name ?? "") : ""));
  if (own !== undefined) attribs.id = own;
  for (const attribute of ADDRESSES)
    if (attribs[attribute] !== undefined) attribs[attribute] = addressOf(attribs[attribute]);
  return { tagName, attribs };
}
