import type { MarkdownIt } from "markdown-it";

/** The deepest heading of a post; the page's own title is the only `h1`. */
const DEEPEST = 4;

/**
 * A markdown-it plugin: a post's headings begin at `h2`, whatever level they were written at, and never skip a
 * level downward. Each gets an `id` made from its text, with the prefix `h-`, unique within the post.
 */
export function headings(markdown: MarkdownIt): void {
  markdown.core.ruler.push("headings", ({ tokens }) => {
    const open: number[] = [];
    const taken = new Map<string, number>();
    for (const [index, token] of tokens.entries()) {
      if (token.type !== "heading_open" && token.type !== "heading_close") continue;
      if (token.type === "heading_open") {
        const level = Number(token.tag.slice(1));
        while (open.length > 0 && (open.at(-1) ?? 0) >= level) open.pop();
        open.push(level);
        token.attrSet("id", unique(anchorOf(textOf(tokens[index + 1]?.children ?? [])), taken));
      }
      token.tag = `h${Math.min(open.length + 1, DEEPEST)}`;
    }
  });
}

/** Letters and digits of any script, joined by hyphens. */
function anchorOf(text: string): string {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return `h-${[...words.join("-")].slice(0, 80).join("") || "section"}`;
}

function unique(anchor: string, taken: Map<string, number>): string {
  const count = (taken.get(anchor) ?? 0) + 1;
  taken.set(anchor, count);
  return count === 1 ? anchor : unique(`${anchor}-${count}`, taken);
}

function textOf(tokens: readonly { type: string; content: string }[]): string {
  return tokens
    .filter(({ type }) => type === "text" || type === "code_inline")
    .map(({ content }) => content)
    .join("");
}
