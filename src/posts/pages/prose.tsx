/** @jsxImportSource #jsx */
import { h, type Markup } from "../../web/jsx/preact.js";
import type { RenderedPost } from "../rendering/rendered-post.ts";

/** A post's text: the one place at which markup enters a page unescaped. It comes from `rendering/sanitize.ts`. */
export function Prose({
  rendered,
  language,
}: {
  readonly rendered: Pick<RenderedPost, "html">;
  readonly language?: string | undefined;
}): Markup {
  return h("div", {
    class: "prose e-content",
    lang: language,
    dir: "auto",
    dangerouslySetInnerHTML: { __html: rendered.html },
  });
}
