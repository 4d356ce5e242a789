import sanitizeHtml, { type Attributes, type Tag } from "sanitize-html";
import type { ImageSize } from "./rendered-post.ts";

/** Everything that a post's HTML may consist of. Any other element is dropped; its text stays. */
const TAGS = [
  ...["p", "br", "hr", "h2", "h3", "h4", "blockquote", "footer", "cite", "q"],
  ...["ul", "ol", "li", "dl", "dt", "dd"],
  ...["pre", "code", "kbd", "samp", "var", "span", "div"],
  ...["table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"],
  ...["a", "em", "strong", "b", "i", "u", "s", "del", "ins", "mark", "small", "sub", "sup", "abbr", "time"],
  ...["ruby", "rt", "rp", "bdi", "bdo", "wbr"],
  ...["img", "figure", "figcaption", "details", "summary", "aside"],
];

/** The prefixes of the ids of headings and footnotes. Other ids could clash with those of the page. */
const OWN_IDS = /^(?:h|fn|fnref)-/;

/** Sanitizes untrusted HTML: the result runs no script, loads only images, and has no styles. */
export function sanitize(html: string, sizes: ReadonlyMap<string, ImageSize>): string {
  let images = 0;
  return sanitizeHtml(html, {
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
      iframe: linkInstead,
      video: linkInstead,
      audio: linkInstead,
      source: linkInstead,
      img: (tag, attributes) => image(tag, attributes, sizes, images++ === 0),
      pre: (tagName) => ({ tagName, attribs: { tabindex: "0" } }),
      div: scrollingTable,
      th: aligned,
      td: aligned,
      "*": ownIdsOnly,
    },
  });
}

/** Replaces an embedded page by a link to it. */
function linkInstead(_tag: string, { src = "" }: Attributes): Tag {
  if (src === "") return { tagName: "span", attribs: {} };
  return { tagName: "a", attribs: { href: src }, text: src };
}

/**
 * Adds the size of an uploaded image, to avoid layout shifts, and its smaller versions. The Content Security Policy
 * allows images over https only; one over http becomes a link. The first image is often in view when the page opens, so it
 * is not loaded late.
 */
function image(
  tagName: string,
  attributes: Attributes,
  sizes: ReadonlyMap<string, ImageSize>,
  isFirst: boolean,
): Tag {
  const { src = "", alt = "", title } = attributes;
  if (/^\s*http:/i.test(src)) return { tagName: "a", attribs: { href: src }, text: alt || src };
  const size = sizes.get(src);
  const attribs = {
    src,
    alt,
    ...(title !== undefined && { title }),
    ...(size && { width: `${size.width}`, height: `${size.height}`, ...smallerForms(src, size) }),
    ...(!isFirst && { loading: "lazy" }),
    decoding: "async",
  };
  return { tagName, attribs };
}

function smallerForms(src: string, { width, widths }: ImageSize): Attributes {
  if (widths.length === 0) return {};
  const [name, extension] = src.split(".");
  const forms = widths.map((smaller) => `${name}-${smaller}.${extension} ${smaller}w`);
  return {
    srcset: [...forms, `${src} ${width}w`].join(", "),
    sizes: "(min-width: 52rem) 38rem, 100vw",
  };
}

/** Makes a wide table scrollable, by keyboard, too. */
function scrollingTable(tagName: string, attributes: Attributes): Tag {
  const scrolls = attributes.class === "table";
  const attribs: Attributes = scrolls
    ? { class: "table", role: "region", tabindex: "0", "aria-label": "Table" }
    : {};
  return { tagName, attribs };
}

/** Replaces the `style` of a column's alignment, which the Content Security Policy forbids. */
function aligned(tagName: string, { style = "", ...attribs }: Attributes): Tag {
  const [, side] = /text-align:(right|center)/.exec(style) ?? [];
  if (side === undefined) return { tagName, attribs };
  return { tagName, attribs: { ...attribs, class: side === "right" ? "end" : "middle" } };
}

function ownIdsOnly(tagName: string, { id, ...attribs }: Attributes): Tag {
  return { tagName, attribs: id !== undefined && OWN_IDS.test(id) ? { ...attribs, id } : attribs };
}
