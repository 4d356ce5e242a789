import type { BookmarkParts } from "../bookmarks/bookmark-parts.ts";
import type { FindPostsLinkingTo } from "../posts/citations.ts";

/** What the pages of the library are made of. */
export interface LibraryDependencies extends BookmarkParts {
  /** Makes a requested background job start at once. */
  readonly wakeJobs?: (() => void) | undefined;
  readonly wakeReadings?: (() => void) | undefined;
  /** Undefined where there are no posts. */
  readonly findPostsLinkingTo: FindPostsLinkingTo | undefined;
}
