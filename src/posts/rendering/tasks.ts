import type { MarkdownIt } from "markdown-it";

/** A markdown-it plugin: shows the items of task lists, `- [ ] open` and `- [x] done`, with boxes. */
export function tasks(markdown: MarkdownIt): void {
  markdown.core.ruler.after("inline", "tasks", ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type !== "inline" || tokens[index - 2]?.type !== "list_item_open") continue;
      const [first] = token.children ?? [];
      if (first?.type !== "text") continue;
      first.content = first.content.replace(/^\[([ x])\](?=\s)/i, (_, mark) => (mark === " " ? "☐" : "☑"));
    }
  });
}
