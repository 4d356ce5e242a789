import { decodeHTMLStrict } from "entities";
import { parseDocument } from "htmlparser2";
import { PHRASES } from "./html-tags.ts";

type Node = ReturnType<typeof parseDocument>["childNodes"][number];
type Element = Extract<Node, { readonly attribs: unknown }>;

/** What stands around the words of an element in a line. */
const SIGNS: Readonly<Record<string, string>> = {
  em: "*",
  i: "*",
  strong: "**",
  b: "**",
  del: "~~",
  s: "~~",
};
/** What is a block, or only has blocks in it. */
const BLOCKS = new Set([
  ...["p", "div", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "ul", "ol", "dl", "dt", "dd", "hr"],
  ...["table", "figure", "figcaption", "details", "summary", "aside", "footer"],
]);
const PARTED = new Set(["ul", "ol", "table"]);
/**
 * How many quotations, lists and tables within each other are written as such: each writes something before every line that it has. A
 * page may have 250 around a million lines.
 */
const NESTING_MAX = 8;
/** The characters of markup up to which a text is written as Markdown; of a longer one these are the words alone. */
const MARKUP_MAX = 1_000_000;

/** How many elements within each other are written as Markdown: each reads the text in it once more. */
const DEPTH_MAX = 100;
/** Tags of elements that have no end tag. */
const VOID = /^<(?:area|br|col|embed|hr|img|input|source|track|wbr)\b|\/>$/;

/**
 * Safe HTML as Markdown, to be read: the signs of a text stay signs, and links without an absolute URL are words.
 * @param html as the sanitizers write it, of a copy of a page or of a post
 */
export function htmlAsMarkdown(html: string): string {
  if (html.length > MARKUP_MAX || isDeep(html)) return paragraphsOf(html);
  return blocksOf(parseDocument(html).childNodes, 0);
}

/** A text with its signs escaped that Markdown would read as markup; not for the beginning of a line. */
export function asMarkdownText(text: string): string {
  return text.replace(
    /\\(?=[!-/:-@[-`{-~])|<(?=[a-z/!?])|&(?=#?\w+;)|[*`[\]]|~(?=~)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/giu,
    "\\$&",
  );
}

/** Whether more than {@link DEPTH_MAX} elements are within each other. */
function isDeep(html: string): boolean {
  let depth = 0;
  for (const [tag] of html.matchAll(/<[^<>]*>/g)) {
    if (tag.startsWith("</")) depth--;
    else if (!VOID.test(tag) && ++depth > DEPTH_MAX) return true;
  }
  return false;
}

/** The words, with an empty line between blocks. */
function paragraphsOf(html: string): string {
  const text = html.replace(/<[^<>]*>/g, (tag) => (PHRASES.test(tag) ? "" : "\n\n"));
  return asMarkdownText(decodeHTMLStrict(text.replace(/\n{3,}/g, "\n\n")).trim());
}

/**
 * Blocks, with lines of their own for what stands between them.
 * @param depth the quotations, lists and tables around them
 * @param gap what stands between two blocks
 */
function blocksOf(nodes: readonly Node[], depth: number, gap = "\n\n"): string {
  const blocks: string[] = [];
  let line: Node[] = [];
  const endLine = () => {
    const text = lineOf(line, depth).trim();
    const [first] = line;
    // What would begin a list, a quotation or a heading.
    const isText = first !== undefined && elementOf(first) === undefined;
    blocks.push(isText ? text.replace(/^(\d{0,9})([-+.)](?= |$)|>|#(?=#{0,5}(?: |$)))/, "$1\\$2") : text);
    line = [];
  };
  for (const node of nodes) {
    const element = elementOf(node);
    if (element === undefined || !BLOCKS.has(element.name)) line.push(node);
    else {
      endLine();
      blocks.push(blockOf(element, depth));
    }
  }
  endLine();
  return blocks.filter((block) => block !== "").join(gap);
}

function blockOf(element: Element, depth: number): string {
  const { name, childNodes } = element;
  if (name === "hr") return "---";
  if (name === "pre") {
    const code = textOf(element).replace(/\n$/, "");
    const fence = "`".repeat(Math.max(3, longestRun(code) + 1));
    return `${fence}${languageOf(element)}\n${code}\n${fence}`;
  }
  if (depth < NESTING_MAX) {
    if (name === "table") return tableOf(element, depth + 1);
    if (name === "blockquote") return indented(blocksOf(childNodes, depth + 1), "> ", "> ");
    if (name === "ul" || name === "ol") return listOf(element, depth + 1);
  }
  if (PARTED.has(name)) return partsOf(element, depth);
  const text = blocksOf(childNodes, depth);
  return /^h\d$/.test(name) && text !== "" ? `${"#".repeat(Number(name[1]))} ${text}` : text;
}

/** The language of code; in posts, the element within has it. */
function languageOf(element: Element): string {
  const classes = [element, ...elementsIn(element)].map(({ attribs }) => attribs.class ?? "").join(" ");
  return /language-([\w+#-]+)/.exec(classes)?.[1] ?? "";
}

/** The parts of a list or table, one a line. */
function partsOf(element: Element, depth: number): string {
  const parts =
    element.name === "table"
      ? [...below(element, "caption"), ...below(element, "tr").flatMap(elementsIn)]
      : elementsIn(element);
  return parts
    .map(({ childNodes }) => blocksOf(childNodes, depth))
    .filter((part) => part !== "")
    .join("\n");
}

function listOf({ name, childNodes, attribs }: Element, depth: number): string {
  const first = Number(attribs.start ?? 1);
  return elementsIn({ childNodes })
    .map(({ childNodes }, index) => {
      const mark = name === "ul" ? "- " : `${first + index}. `;
      return indented(blocksOf(childNodes, depth, "\n"), mark, " ".repeat(mark.length));
    })
    .join("\n");
}

function tableOf(table: Element, depth: number): string {
  const rows = below(table, "tr").map((row) =>
    row.childNodes.flatMap((node) => {
      const cell = elementOf(node);
      return cell === undefined
        ? []
        : [blocksOf(cell.childNodes, depth, " ").replace(/\s+/g, " ").replaceAll("|", "\\|")];
    }),
  );
  const [head = [], ...others] = rows;
  const caption = below(table, "caption").map(({ childNodes }) => `${blocksOf(childNodes, depth)}\n\n`);
  return (
    caption + [head, head.map(() => "---"), ...others].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
  );
}

function lineOf(nodes: readonly Node[], depth: number): string {
  return nodes.map((node) => phraseOf(node, depth)).join("");
}

function phraseOf(node: Node, depth: number): string {
  const element = elementOf(node);
  if (element === undefined) return asMarkdownText(textOf(node).replace(/\s+/g, " "));
  const { name, childNodes, attribs } = element;
  if (name === "br") return "\n";
  const { alt = "", src = "", href = "" } = attribs;
  if (name === "code") return codeOf(textOf(element).replace(/\s+/g, " "));
  if (name === "img") {
    const words = asMarkdownText(alt);
    return isAbsolute(src) ? `![${words}](${target(src)})` : words && `![${words}]`;
  }
  const words = BLOCKS.has(name) ? blocksOf(childNodes, depth) : lineOf(childNodes, depth);
  if (name === "a" && isAbsolute(href)) return `[${words}](${target(href)})`;
  const sign = SIGNS[name] ?? "";
  return words.trim() === "" ? words : sign + words + sign;
}

function codeOf(code: string): string {
  if (code.trim() === "") return code;
  const sign = "`".repeat(longestRun(code) + 1);
  const space = sign.length > 1 ? " " : "";
  return sign + space + code + space + sign;
}

/** The backticks of the longest run. */
function longestRun(code: string): number {
  return (code.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}

/** A URL that ends where its parenthesis does. */
function target(url: string): string {
  return url.replace(/[()<>\s]/g, (sign) =>
    /[()]/.test(sign) ? `%${sign.charCodeAt(0).toString(16)}` : encodeURI(sign),
  );
}

function isAbsolute(url: string): boolean {
  return /^https?:/.test(url);
}

function indented(text: string, first: string, others: string): string {
  const lines = text.split("\n").map((line) => (line === "" ? others.trimEnd() : others + line));
  return first + lines.join("\n").slice(others.length);
}

function below(element: Element, name: string): Element[] {
  return elementsIn(element).flatMap((one) => (one.name === name ? [one] : below(one, name)));
}

function elementsIn({ childNodes }: Pick<Element, "childNodes">): Element[] {
  return childNodes.flatMap((node) => elementOf(node) ?? []);
}

function textOf(node: Node): string {
  const element = elementOf(node);
  if (element?.name === "br") return "\n";
  if (element !== undefined) return element.childNodes.map(textOf).join("");
  return "data" in node ? node.data : "";
}

function elementOf(node: Node): Element | undefined {
  return "attribs" in node ? node : undefined;
}
