import { escapedHtml } from "../html/html-content.ts";

/** A part of a text of Wix' editor. */
interface Node {
  readonly type?: unknown;
  readonly nodes?: unknown;
  readonly textData?: { readonly text?: unknown; readonly decorations?: unknown };
  readonly headingData?: { readonly level?: unknown };
  readonly imageData?: {
    readonly image?: { readonly src?: { readonly id?: unknown; readonly url?: unknown } };
    readonly altText?: unknown;
  };
  readonly buttonData?: { readonly text?: unknown; readonly link?: { readonly url?: unknown } };
}

interface Decoration {
  readonly type?: unknown;
  readonly linkData?: { readonly link?: { readonly url?: unknown } };
}

/** How deeply parts are nested at most; what is deeper is left out. */
const DEPTH_MAX = 50;

const ELEMENTS: ReadonlyMap<unknown, string> = new Map(
  Object.entries({
    ...{ PARAGRAPH: "p", BULLETED_LIST: "ul", ORDERED_LIST: "ol", LIST_ITEM: "li", BLOCKQUOTE: "blockquote" },
    ...{ TABLE: "table", TABLE_ROW: "tr", TABLE_CELL: "td", CODE_BLOCK: "pre", CAPTION: "p" },
  }),
);

const MARKS: ReadonlyMap<unknown, string> = new Map(
  Object.entries({ BOLD: "strong", ITALIC: "em", UNDERLINE: "u" }),
);

/**
 * A text of Wix' editor as HTML.
 * @param leaveOut called with the name of each part that has no equivalent and no text
 * @returns undefined when it is no such text
 */
export function wixContent(json: string, leaveOut: (name: string) => void): string | undefined {
  let nodes: readonly Node[];
  try {
    nodes = nodesOf(JSON.parse(json) as Node | null);
  } catch {
    return undefined;
  }
  return nodes.length === 0 ? undefined : nodes.map((node) => htmlOf(node, 0)).join("\n");

  function htmlOf(node: Node, depth: number): string {
    const type = typeof node.type === "string" ? node.type : "";
    if (type === "TEXT") return textOf(node);
    const children = nodesOf(node);
    const inner = depth < DEPTH_MAX ? children.map((child) => htmlOf(child, depth + 1)).join("") : "";
    const element = ELEMENTS.get(type);
    if (element !== undefined) return inner === "" ? "" : `<${element}>${inner}</${element}>`;
    if (type === "HEADING") {
      const level = Math.min(Math.max(Number(node.headingData?.level) || 2, 1), 6);
      return `<h${level}>${inner}</h${level}>`;
    }
    if (type === "DIVIDER") return "<hr>";
    const { image, altText } = node.imageData ?? {};
    const src = wixPicture(textIn(image?.src?.url ?? image?.src?.id));
    if (type === "IMAGE" && src !== undefined)
      return `<figure><img src="${escapedHtml(src)}" alt="${escapedHtml(textIn(altText))}">${inner}</figure>`;
    const { text, link } = node.buttonData ?? {};
    if (type === "BUTTON" && typeof text === "string")
      return `<p><a href="${escapedHtml(textIn(link?.url))}">${escapedHtml(text)}</a></p>`;
    if (inner === "") leaveOut(type.slice(0, 50));
    return inner;
  }
}

/** The address of a picture that Wix names by its id, or as `wix:image://v1/…`. */
export function wixPicture(name: string): string | undefined {
  if (/^https?:\/\//.test(name)) return name;
  const id = /^wix:image:\/\/v1\/([^/#?]+)/.exec(name)?.[1] ?? name;
  return /^[\w.~%-]+$/.test(id) ? `https://static.wixstatic.com/media/${id}` : undefined;
}

function nodesOf(node: { readonly nodes?: unknown } | null): readonly Node[] {
  return objectsIn(node?.nodes);
}

function objectsIn<T extends object>(given: unknown): readonly T[] {
  return Array.isArray(given) ? given.filter((each) => typeof each === "object" && each !== null) : [];
}

/** A text or a number as it is; nothing else is one. */
function textIn(given: unknown): string {
  return typeof given === "string" || typeof given === "number" ? String(given) : "";
}

function textOf({ textData }: Node): string {
  return objectsIn<Decoration>(textData?.decorations)
    .slice(0, 20)
    .reduce(
      (html, { type, linkData }) => {
        const mark = MARKS.get(type);
        if (mark !== undefined) return `<${mark}>${html}</${mark}>`;
        const url: unknown = linkData?.link?.url;
        return type === "LINK" && typeof url === "string"
          ? `<a href="${escapedHtml(url)}">${html}</a>`
          : html;
      },
      escapedHtml(textIn(textData?.text)),
    );
}
