import { escapeText } from "entities";
import { readingOf } from "./reading.ts";
import type { RenderedPost } from "./rendered-post.ts";

/** The source of a post, for when rendering takes too long. */
export function plainPost(text: string): RenderedPost {
  const beginning = `<p>${escapeText(text.slice(0, 2_000))}</p>`;
  return { ...readingOf(beginning), html: `<pre tabindex="0">${escapeText(text)}</pre>`, gaveUp: true };
}
