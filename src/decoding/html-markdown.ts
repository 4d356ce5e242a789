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
  code: "`",
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

/**
 * Safe HTML as Markdown, to be read: signs that the text itself has are not escaped, and links without an absolute URL are words.
 * @param html as the sanitizers write it, of a copy of a page or of a post
 */
export function htmlAsMarkdown(html: string): string {
  if (html.length > MARKUP_MAX) return paragraphsOf(html);
  try {
    return blocksOf(parseDocument(html).childNodes, 0);
  } catch (error) {
    // It is nested too deeply for the stack.
    if (!(error instanceof RangeError)) throw error;
    return paragraphsOf(html);
  }
}

/** The words, with an empty line between blocks. */
function paragraphsOf(html: string): string {
  const text = html.replace(/<[^<>]*>/g, (tag) => (PHRASES.test(tag) ? "" : "\n\n"));
  return decodeHTMLStrict(text.replace(/\n{3,}/g, "\n\n")).trim();
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
    blocks.push(lineOf(line, depth).trim());
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
  if (name === "pre") return `\`\`\`${languageOf(element)}\n${textOf(element).replace(/\n$/, "")}\n\`\`\``;
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
  if (element === undefined) return textOf(node).replace(/\s+/g, " ");
  const { name, childNodes, attribs } = element;
  if (name === "br") return "\n";
  const { alt = "", src = "", href = "" } = attribs;
  if (name === "img") return isAbsolute(src) ? `![${alt}](${src})` : alt && `![${alt}]`;
  const words = BLOCKS.has(name) ? blocksOf(childNodes, depth) : lineOf(childNodes, depth);
  if (name === "a" && isAbsolute(href)) return `[${words}](${href})`;
  const sign = SIGNS[name] ?? "";
  return words.trim() === "" ? words : sign + words + sign;
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
  if (element !== undefined) return element.childNodes.map(textOf).join("");
  return "data" in node ? node.data : "";
}

function elementOf(node: Node): Element | undefined {
  return "attribs" in node ? node : undefined;
}
