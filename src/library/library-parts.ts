import type { BookmarkParts } from "../bookmarks/bookmark-parts.ts";
import type { CopyParts } from "../copies/copy-parts.ts";
import type { ImportDependencies } from "../imports/import-pages.ts";
import type { FindPostsLinkingTo } from "../posts/citations.ts";

/** What the pages of the library are made of. */
export interface LibraryParts extends BookmarkParts, ImportDependencies {
  /** The copies of pages; `copies` is what bookmarks know of them. */
  readonly copyParts: CopyParts;
  /** Undefined where there are no posts. */
  readonly findPostsLinkingTo: FindPostsLinkingTo | undefined;
}
