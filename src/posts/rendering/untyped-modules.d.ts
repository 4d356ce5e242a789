declare module "markdown-it-footnote" {
  import type { MarkdownIt } from "markdown-it";

  /** Footnotes as in Pandoc: `[^1]` and `^[inline]`. */
  export default function footnotes(markdown: MarkdownIt): void;
}

declare module "highlight.js/lib/languages/*" {
  /** A grammar in the form that highlight.js registers. */
  const language: unknown;
  export default language;
}
