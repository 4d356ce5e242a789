import type { SitePost } from "./site-posts.ts";

/**
 * A post's Markdown as readers see it: with its image at the top, unless the text has it. An image over http is left out, since
 * pages load none.
 */
export function shownText({ content, image }: Pick<SitePost, "content" | "image">): string {
  if (image === null || image.startsWith("http:") || content.includes(image)) return content;
  return `![](<${image}>)\n\n${content}`;
}
