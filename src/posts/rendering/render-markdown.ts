import { markdown } from "./markdown.ts";
import type { ImageSize, RenderedPost } from "./rendered-post.ts";
import { sanitize } from "./sanitize.ts";
import { summarize } from "./summarize.ts";

/**
 * Renders Markdown to safe HTML. Hostile text can take seconds: call it through the {@link Renderer}, which has a
 * deadline.
 *
 * @param sizes of own images, by their path
 */
export function renderMarkdown(text: string, sizes: ReadonlyMap<string, ImageSize>): RenderedPost {
  const html = markBareLinks(sanitize(markdown.render(text), sizes));
  return { html, ...summarize(html), gaveUp: false };
}

/** Marks the links whose text is their address: paper shows it once. */
function markBareLinks(html: string): string {
  return html.replaceAll(/<a (href="([^"]+)")>\2<\/a>/g, '<a class="bare" $1>$2</a>');
}
