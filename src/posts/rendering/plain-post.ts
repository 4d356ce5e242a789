import { escapeText } from "entities";
import type { RenderedPost } from "./rendered-post.ts";
import { summarize } from "./summarize.ts";

/** The source of a post as HTML, used when rendering takes too long. */
export function plainPost(text: string): RenderedPost {
  const beginning = `<p>${escapeText(text.slice(0, 2_000))}</p>`;
  const html = `<pre tabindex="0">${escapeText(text)}</pre>`;
  return { ...summarize(beginning), hasMore: true, html, gaveUp: true };
}
