/** @jsxImportSource #jsx */
import type { PagePicture } from "../../copies/page-pictures/page-picture-store.ts";
import type { Markup } from "../../web/jsx/preact.js";

/** The picture of a page beside its title, which says what it is: screen readers leave it out. */
export function PictureOfPage({
  picture: { url, width, height },
  isLazy = false,
}: {
  readonly picture: PagePicture;
  /** Whether it is loaded only once it is nearly in sight. */
  readonly isLazy?: boolean;
}): Markup {
  return (
    <img
      class="page-picture"
      src={url}
      width={width}
      height={height}
      alt=""
      loading={isLazy ? "lazy" : undefined}
    />
  );
}
