import type { MarkdownIt } from "markdown-it";

/** A markdown-it plugin: an image that stands alone in its paragraph and has a title is a figure with a caption. */
export function figures(markdown: MarkdownIt): void {
  markdown.core.ruler.push("figures", ({ tokens, Token }) => {
    for (const [index, { type, children }] of tokens.entries()) {
      const [open, close] = [tokens[index - 1], tokens[index + 1]];
      const [image, ...others] = children ?? [];
      if (type !== "inline" || image?.type !== "image" || others.length > 0) continue;
      const caption = image.attrGet("title");
      if (open?.type !== "paragraph_open" || close === undefined || caption === null || open.hidden) continue;
      open.tag = close.tag = "figure";
      image.attrs = image.attrs?.filter(([name]) => name !== "title") ?? null;
      const text = new Token("text", "", 0);
      text.content = String(caption);
      children?.push(
        new Token("caption_open", "figcaption", 1),
        text,
        new Token("caption_close", "figcaption", -1),
      );
    }
  });
}
