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
  const html = sanitize(markdown.render(text), sizes);
  return { html, ...summarize(html), gaveUp: false };
}
