import type { Database } from "../../database/database.ts";
import type { Access } from "../../http/access.ts";
import type { Basis } from "../../http/caching/rendering.ts";
import type { ResponseCache } from "../../http/caching/response-cache.ts";
import type { ObjectStore } from "../../media/object-store.ts";
import type { Search } from "../../search/search.ts";
import type { Pages } from "../../web/page.tsx";
import type { CommentPolicy } from "../comments/comment-access.ts";
import { commentPages } from "../comments/pages/comment-pages.tsx";
import { moderationPages } from "../comments/pages/moderation-pages.ts";
import type { StrangerLimits } from "../comments/stranger-limits.ts";
import { discoveryPages } from "../feeds/discovery-pages.ts";
import { feedPages } from "../feeds/feed-pages.ts";
import type { RenderedPosts } from "../rendering/rendered-posts.ts";
import { writingPages } from "../writing/writing-pages.ts";
import { archivePages } from "./archive-pages.tsx";
import { lookPages } from "./look-pages.tsx";
import { readingPages } from "./reading-pages.tsx";
import { searchPage } from "./search-page.tsx";
import type { DiscoveryLink } from "./stream-view.tsx";
import { tagsPage } from "./tags-page.tsx";

export interface BlogPagesDependencies {
  readonly pages: Pages;
  readonly database: Database;
  /** The store of images beside the database. */
  readonly objects: ObjectStore | undefined;
  readonly cache: ResponseCache;
  /** The basis of public pages and feeds (`public-basis.ts`). */
  readonly publicBasis: () => Promise<Basis>;
  readonly rendered: RenderedPosts;
  /** Searches posts. */
  readonly search: Search;
  /** Who may read posts. */
  readonly readAccess: Access;
  /** Who may write posts: accounts only. */
  readonly writeAccess: Access;
  /** The maximum number of comments on a post. */
  readonly perPost: number;
  /** The maximum size of an uploaded image, in bytes. */
  readonly mediaLimit: number;
  /** Who may comment; undefined when nobody may. */
  readonly commenting: CommentPolicy | undefined;
  readonly strangers: StrangerLimits;
  /** Links for programs on the front page. */
  readonly discovery: readonly DiscoveryLink[];
}

/** All pages of the blog. */
export function blogPages(dependencies: BlogPagesDependencies) {
  const reading = readingPages(dependencies);
  return {
    search: searchPage({ ...dependencies, streams: reading.streams }),
    feeds: feedPages(dependencies),
    discovery: discoveryPages(dependencies),
    reading,
    look: lookPages({ ...dependencies, views: reading.views }),
    archive: archivePages(dependencies),
    tags: tagsPage(dependencies),
    writing: writingPages(dependencies),
    comments:
      dependencies.commenting && commentPages({ ...dependencies, commenting: dependencies.commenting }),
    moderation: moderationPages(dependencies),
  };
}
