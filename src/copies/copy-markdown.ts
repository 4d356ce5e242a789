import { parseDocument } from "htmlparser2";

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
  ...["table", "figure", "figcaption", "details", "summary"],
]);

/**
 * The text of a copy as Markdown, to be read: signs that the text itself has are not escaped, pictures are their descriptions, and links
 * within the page are words.
 * @param html as `sanitizeCopy` writes it
 */
export function copyAsMarkdown(html: string): string {
  return blocksOf(parseDocument(html).childNodes);
}

/** Blocks, with lines of their own for what stands between them. @param gap what stands between two blocks */
function blocksOf(nodes: readonly Node[], gap = "\n\n"): string {
  const blocks: string[] = [];
  let line: Node[] = [];
  const endLine = () => {
    blocks.push(lineOf(line).trim());
    line = [];
  };
  for (const node of nodes) {
    const element = elementOf(node);
    if (element === undefined || !BLOCKS.has(element.name)) line.push(node);
    else {
      endLine();
      blocks.push(blockOf(element));
    }
  }
  endLine();
  return blocks.filter((block) => block !== "").join(gap);
}

function blockOf(element: Element): string {
  const { name, childNodes, attribs } = element;
  if (name === "hr") return "---";
  if (name === "table") return tableOf(element);
  if (name === "pre")
    return `\`\`\`${/language-([\w+#-]+)/.exec(attribs.class ?? "")?.[1] ?? ""}\n${textOf(element)}\n\`\`\``;
  if (name === "blockquote") return indented(blocksOf(childNodes), "> ", "> ");
  if (name === "ul" || name === "ol") return listOf(element);
  const text = blocksOf(childNodes);
  return /^h\d$/.test(name) && text !== "" ? `${"#".repeat(Number(name[1]))} ${text}` : text;
}

function listOf({ name, childNodes, attribs }: Element): string {
  const first = Number(attribs.start ?? 1);
  const items = childNodes.flatMap((node) => elementOf(node) ?? []);
  return items
    .map(({ childNodes }, index) => {
      const mark = name === "ul" ? "- " : `${first + index}. `;
      return indented(blocksOf(childNodes, "\n"), mark, " ".repeat(mark.length));
    })
    .join("\n");
}

function tableOf(table: Element): string {
  const rows = below(table, "tr").map((row) =>
    row.childNodes.flatMap((node) => {
      const cell = elementOf(node);
      return cell === undefined
        ? []
        : [blocksOf(cell.childNodes, " ").replace(/\s+/g, " ").replaceAll("|", "\\|")];
    }),
  );
  const [head = [], ...others] = rows;
  const caption = below(table, "caption").map(({ childNodes }) => `${blocksOf(childNodes)}\n\n`);
  return (
    caption + [head, head.map(() => "---"), ...others].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
  );
}

function lineOf(nodes: readonly Node[]): string {
  return nodes.map(phraseOf).join("");
}

function phraseOf(node: Node): string {
  const element = elementOf(node);
  if (element === undefined) return textOf(node).replace(/\s+/g, " ");
  const { name, childNodes, attribs } = element;
  if (name === "br") return "\n";
  if (name === "img") return attribs.alt ? `![${attribs.alt}]` : "";
  const words = BLOCKS.has(name) ? blocksOf(childNodes) : lineOf(childNodes);
  if (name === "a" && /^https?:/.test(attribs.href ?? "")) return `[${words}](${attribs.href})`;
  const sign = SIGNS[name] ?? "";
  return words.trim() === "" ? words : sign + words + sign;
}

function indented(text: string, first: string, others: string): string {
  const lines = text.split("\n").map((line) => (line === "" ? others.trimEnd() : others + line));
  return first + lines.join("\n").slice(others.length);
}

function below(element: Element, name: string): Element[] {
  const inside = element.childNodes.flatMap((node) => elementOf(node) ?? []);
  return inside.flatMap((one) => (one.name === name ? [one] : below(one, name)));
}

function textOf(node: Node): string {
  const element = elementOf(node);
  if (element !== undefined) return element.childNodes.map(textOf).join("");
  return "data" in node ? node.data : "";
}

function elementOf(node: Node): Element | undefined {
  return "attribs" in node ? node : undefined;
}
