import { Refusal } from "../../errors.ts";
import type { BlogParts } from "../../posts/blog-parts.ts";

type Renders = Pick<BlogParts, "rendered">;

/** The address of a picture of this site; what else is at an address of it may make the server ask another site. */
const UPLOADED = /^\/media\/[\w-]+\.\w+$/;

/**
 * Refuses pictures of other sites that a draft does not have yet: a browser asks for them in the preview, and their addresses can carry
 * what an agent has read.
 * @param before the text as it was
 * @throws Refusal `invalid`
 */
export async function refuseForeignPictures(parts: Renders, content: string, before = ""): Promise<void> {
  const found = await foreignPictures(parts, content);
  if (found.size === 0) return;
  const had = await foreignPictures(parts, before);
  if ([...found].every((address) => had.has(address))) return;
  const detail =
    "Pictures of other sites are not taken from agents, only those in /media/: link to others instead.";
  throw new Refusal("invalid", `content: ${detail}`);
}

/** The addresses at other sites that a browser asks for when it shows a text. */
async function foreignPictures({ rendered }: Renders, content: string): Promise<Set<string>> {
  const { html, gaveUp } = await rendered.draft({ content, image: null });
  if (gaveUp)
    throw new Refusal("invalid", "content: It takes too long to render, or the server is too busy now.");
  const found = new Set<string>();
  // Not by htmlparser2's parser, which takes quadratic time in the depth. Equal addresses are written alike.
  new HTMLRewriter()
    .on("[src]", {
      element(element) {
        const src = element.getAttribute("src") ?? "";
        if (!UPLOADED.test(src)) found.add(src);
      },
    })
    .transform(html);
  return found;
}
