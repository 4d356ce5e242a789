import type { MarkdownIt } from "markdown-it";

/** A markdown-it plugin: shows the items of task lists, `- [ ] open` and `- [x] done`, with boxes. */
export function tasks(markdown: MarkdownIt): void {
  markdown.core.ruler.after("inline", "tasks", ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type !== "inline" || tokens[index - 2]?.type !== "list_item_open") continue;
      const [first] = token.children ?? [];
      const mark = first?.type === "text" ? /^\[([ x])\]\s/i.exec(first.content)?.[1] : undefined;
      if (first === undefined || mark === undefined) continue;
      first.content = (mark === " " ? "☐" : "☑") + first.content.slice("[x]".length);
      // Its box stands in the place of a bullet.
      tokens[index - 2]?.attrJoin("class", "task");
    }
  });
}
