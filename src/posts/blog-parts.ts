import type { Database } from "../database/database.ts";
import type { Access } from "../http/access.ts";
import type { Basis } from "../http/caching/rendering.ts";
import type { ResponseCache } from "../http/caching/response-cache.ts";
import type { ObjectStore } from "../media/object-store.ts";
import type { Search } from "../search/search.ts";
import type { PageContext, Pages } from "../web/page.tsx";
import type { AnonymousCommentLimits } from "./comments/anonymous-comment-limits.ts";
import type { CommentPolicy } from "./comments/comment-access.ts";
import type { DiscoveryLink } from "./pages/stream-view.tsx";
import type { RenderedPosts } from "./rendering/rendered-posts.ts";

/** What the endpoints of posts and the pages of the blog are made of. */
export interface BlogParts {
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
  /** Who may write posts by the API. */
  readonly writeAccess: Access;
  /** Who may comment; undefined when nobody may. */
  readonly commenting: CommentPolicy | undefined;
  readonly anonymousCommentLimits: AnonymousCommentLimits;
  /** Links for programs on the front page. */
  readonly discovery: readonly DiscoveryLink[];
}

/** Whether empty lists should show the first steps to this reader. */
export function mayWrite({ caller }: Pick<PageContext, "caller">): boolean {
  return caller.account !== undefined && caller.scopes.has("posts:write");
}
