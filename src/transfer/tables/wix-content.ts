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

const ELEMENTS: Readonly<Record<string, string>> = {
  ...{ PARAGRAPH: "p", BULLETED_LIST: "ul", ORDERED_LIST: "ol", LIST_ITEM: "li", BLOCKQUOTE: "blockquote" },
  ...{ TABLE: "table", TABLE_ROW: "tr", TABLE_CELL: "td", CODE_BLOCK: "pre", CAPTION: "p" },
};

const MARKS: Readonly<Record<string, string>> = { BOLD: "strong", ITALIC: "em", UNDERLINE: "u" };

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
    const type = String(node.type);
    if (type === "TEXT") return textOf(node);
    const children = nodesOf(node);
    const inner = depth < DEPTH_MAX ? children.map((child) => htmlOf(child, depth + 1)).join("") : "";
    const element = ELEMENTS[type];
    if (element !== undefined) return inner === "" ? "" : `<${element}>${inner}</${element}>`;
    if (type === "HEADING") {
      const level = Math.min(Math.max(Number(node.headingData?.level) || 2, 1), 6);
      return `<h${level}>${inner}</h${level}>`;
    }
    if (type === "DIVIDER") return "<hr>";
    const { image, altText } = node.imageData ?? {};
    const src = wixPicture(String(image?.src?.url ?? image?.src?.id ?? ""));
    if (type === "IMAGE" && src !== undefined)
      return `<figure><img src="${escaped(src)}" alt="${escaped(String(altText ?? ""))}">${inner}</figure>`;
    const { text, link } = node.buttonData ?? {};
    if (type === "BUTTON" && typeof text === "string")
      return `<p><a href="${escaped(String(link?.url ?? ""))}">${escaped(text)}</a></p>`;
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
  const found: unknown = node?.nodes;
  return Array.isArray(found) ? found.filter((child) => typeof child === "object" && child !== null) : [];
}

function textOf({ textData }: Node): string {
  const given: unknown = textData?.decorations;
  const decorations: readonly Decoration[] = Array.isArray(given) ? given.slice(0, 20) : [];
  return decorations.reduce(
    (html, { type, linkData } = {}) => {
      const mark = MARKS[String(type)];
      if (mark !== undefined) return `<${mark}>${html}</${mark}>`;
      const url: unknown = linkData?.link?.url;
      return type === "LINK" && typeof url === "string" ? `<a href="${escaped(url)}">${html}</a>` : html;
    },
    escaped(String(textData?.text ?? "")),
  );
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
