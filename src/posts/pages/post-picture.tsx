/** @jsxImportSource #jsx */
import type { Markup } from "../../web/jsx/preact.js";
import { anyUrl, type SafeUrl, sourceSet } from "../../web/urls.ts";
import { formsOf, type ImageSize, type RenderedPost } from "../rendering/rendered-post.ts";
import type { SitePost } from "../site-posts.ts";

/** A picture of a post: its cover, or else the first picture of its text. */
export interface PostPicture {
  readonly url: SafeUrl;
  /** Undefined for a picture at another site. */
  readonly size: ImageSize | undefined;
}

/**
 * The pictures of posts, by the post's id. Never the site's cover of posts: it would stand above each.
 * @param sizesOf looks up the sizes of uploaded images
 */
export async function picturesOf(
  shown: readonly { readonly post: SitePost; readonly rendered: Pick<RenderedPost, "image"> }[],
  sizesOf: (paths: readonly string[]) => Promise<ReadonlyMap<string, ImageSize>>,
): Promise<Map<number, PostPicture>> {
  const found = shown.flatMap(({ post, rendered }) => {
    const path = post.image ?? rendered.image;
    const url = path === undefined ? undefined : anyUrl(path);
    return path === undefined || url === undefined ? [] : [{ id: post.id, path, url }];
  });
  const sizes = await sizesOf(found.map(({ path }) => path));
  return new Map(found.map(({ id, path, url }) => [id, { url, size: sizes.get(path) }]));
}

/**
 * A picture beside or in the link of a title, which says what it shows.
 * @param sizes how wide it is, as in HTML
 * @param isFirst whether it is the first of the page, which is often in view when the page opens
 */
export function PictureOfPost({
  picture: { url, size },
  sizes,
  isFirst = false,
}: {
  readonly picture: PostPicture;
  readonly sizes: string;
  readonly isFirst?: boolean;
}): Markup {
  const forms = size && formsOf(url, size);
  return (
    <img
      class="u-photo"
      src={url}
      srcset={forms && sourceSet(forms)}
      sizes={forms && sizes}
      width={size?.width}
      height={size?.height}
      alt=""
      loading={isFirst ? undefined : "lazy"}
      fetchpriority={isFirst ? "high" : undefined}
      decoding="async"
    />
  );
}
