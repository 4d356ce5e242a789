import { posix } from "node:path";
import { StartError } from "../../errors.ts";
import { type FileTree, readTreeFile } from "../files/file-tree.ts";

/** The bytes of a text, how many of its pictures are read, the bytes of one, and of all of them. */
export interface PageLimits {
  readonly html: number;
  readonly count: number;
  readonly bytes: number;
  readonly together: number;
}

/**
 * The text of a page in a file of an archive, in which pictures of the archive stand as `data:` URLs, as browsers save them.
 * @param path a key of the tree's `sizes`
 * @param read gets the paths of the pictures
 */
export async function readPage(
  tree: FileTree,
  path: string,
  max: PageLimits,
  read: Set<string>,
): Promise<{ readonly html: string } | { readonly refusal: "damaged" }> {
  try {
    const html = new TextDecoder().decode(await readTreeFile(tree, path, max.html));
    return { html: await withPictures(tree, path, html, max, read) };
  } catch (error) {
    // The links of an archive with one damaged text are imported.
    if (error instanceof StartError) return { refusal: "damaged" };
    throw error;
  }
}

async function withPictures(
  tree: FileTree,
  path: string,
  html: string,
  max: PageLimits,
  read: Set<string>,
): Promise<string> {
  const pathOf = (src: string | null) => {
    const found = src === null ? undefined : posix.join(path, "..", decoded(src));
    return found !== undefined && tree.sizes.has(found) ? found : undefined;
  };
  const wanted = new Set<string>();
  new HTMLRewriter()
    .on("img[src]", {
      element(image) {
        const found = pathOf(image.getAttribute("src"));
        if (found !== undefined) wanted.add(found);
      },
    })
    .transform(html);
  const pictures = new Map<string, string>();
  let together = 0;
  for (const picture of wanted) {
    read.add(picture);
    const size = tree.sizes.get(picture) ?? 0;
    if (pictures.size === max.count || size > max.bytes || together + size > max.together) continue;
    together += size;
    const bytes = await readTreeFile(tree, picture, max.bytes);
    pictures.set(picture, `data:image/unknown;base64,${bytes.toString("base64")}`);
  }
  if (pictures.size === 0) return html;
  return new HTMLRewriter()
    .on("img[src]", {
      element(image) {
        const found = pathOf(image.getAttribute("src"));
        const picture = found === undefined ? undefined : pictures.get(found);
        if (picture === undefined) return;
        image.setAttribute("src", picture);
        image.removeAttribute("srcset");
      },
    })
    .transform(html);
}

/** A relative address as a path. */
function decoded(src: string): string {
  const [path = ""] = src.trim().split(/[?#]/, 1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
