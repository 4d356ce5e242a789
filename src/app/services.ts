import { accessOf } from "../accounts/scope.ts";
import { type BookmarkApiDependencies, bookmarkApi } from "../bookmarks/bookmark-api.ts";
import { bulkApi } from "../bookmarks/bulk/bulk-api.ts";
import { captureApi } from "../bookmarks/capture/capture-api.ts";
import type { FetchPageDetails } from "../bookmarks/capture/fetch-page-details.ts";
import { duplicatesApi } from "../bookmarks/duplicates/duplicates-api.ts";
import { mergeApi } from "../bookmarks/duplicates/merge-api.ts";
import { bookmarkSearchApi } from "../bookmarks/search/bookmark-search-api.ts";
import { shareApi } from "../bookmarks/shares/share-api.ts";
import { tagApi } from "../bookmarks/tags/tag-api.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import type { ResponseCache } from "../http/caching/response-cache.ts";
import { Cors } from "../http/guards/cors.ts";
import { limits } from "../limits.ts";
import { mediaApi } from "../media/media-api.ts";
import type { ObjectStore } from "../media/object-store.ts";
import { commentApi } from "../posts/comments/comment-api.ts";
import { moderationApi } from "../posts/comments/moderation-api.ts";
import type { StrangerLimits } from "../posts/comments/stranger-limits.ts";
import { editApi } from "../posts/editing/edit-api.ts";
import { findUsedMedia } from "../posts/editing/shown-media.ts";
import { versionApi } from "../posts/editing/version-api.ts";
import { postApi } from "../posts/post-api.ts";
import { publicationApi } from "../posts/publication/publication-api.ts";
import { tagSuggestionApi } from "../posts/tag-suggestions.ts";
import type { Search } from "../search/search.ts";
import type { Site } from "../web/site/site-store.ts";
import { bookmarksAccessOf, commentPolicyOf } from "./configured-access.ts";

/** Accounts only, whatever the settings say. */
const signedIn = accessOf("private", "posts");

export interface BookmarkServiceDependencies
  extends Omit<BookmarkApiDependencies, "readAccess" | "writeAccess"> {
  readonly config: Config;
  readonly site: Site;
  /** Undefined when pages are not fetched. */
  readonly readPage: FetchPageDetails | undefined;
}

/** The endpoints under `/bookmarks/`, and those for bulk changes. */
export function bookmarkServices({ config, site, readPage, ...dependencies }: BookmarkServiceDependencies) {
  const { database, search } = dependencies;
  const { readAccess, writeAccess } = bookmarksAccessOf(config, site);
  return {
    bookmarks: bookmarkApi({ ...dependencies, readAccess, writeAccess }),
    bookmarkSearch: bookmarkSearchApi({ database, search, readAccess }),
    tags: tagApi({ database, readAccess, writeAccess, search }),
    bulk: bulkApi({ database, writeAccess, search }),
    duplicates: duplicatesApi({ database, readAccess, search }),
    merging: mergeApi({ database, writeAccess }),
    shares: config.web === "on" ? shareApi({ database, ...accessOf("private", "bookmarks") }) : undefined,
    capture:
      readPage &&
      captureApi({
        access: accessOf("private", "bookmarks").writeAccess,
        cors: new Cors(config.corsOrigins),
        readPage,
      }),
  };
}

export interface PostServiceDependencies {
  readonly config: Config;
  readonly database: Database;
  readonly cache: ResponseCache;
  readonly site: Site;
  readonly search: Search;
  readonly strangers: StrangerLimits;
  /** The store of images beside the database. */
  readonly objects: ObjectStore | undefined;
}

/** The endpoints of posts, drafts, images and comments. */
export function postServices(dependencies: PostServiceDependencies) {
  const { config, database, cache, site, search, strangers, objects } = dependencies;
  const { readAccess, writeAccess } = accessOf(config.postsAccess, "posts");
  return {
    posts: postApi("posts", { database, cache, search, readAccess, writeAccess }),
    drafts: postApi("drafts", { database, cache, search, ...signedIn }),
    postPublications: publicationApi("posts", { database, readAccess, writeAccess }),
    draftPublications: publicationApi("drafts", { database, ...signedIn }),
    postVersions: versionApi("posts", { database, ...signedIn }),
    draftVersions: versionApi("drafts", { database, ...signedIn }),
    postTags: tagSuggestionApi({ database, readAccess: signedIn.readAccess }),
    edits: editApi({ database, ...signedIn }),
    media: mediaApi({
      database,
      objects,
      readAccess,
      writeAccess: signedIn.writeAccess,
      sizeMax: limits().mediaBytes,
      findUsed: (sql) => findUsedMedia(sql),
    }),
    comments: commentApi({
      database,
      readAccess,
      commenting: commentPolicyOf(config, site),
      perPost: limits().commentsPerPost,
      strangers,
    }),
    moderation: moderationApi({ database, perPost: limits().commentsPerPost }),
  };
}
