import type { bookmarkApi } from "../bookmarks/bookmark-api.ts";
import type { bulkApi } from "../bookmarks/bulk/bulk-api.ts";
import type { captureApi } from "../bookmarks/capture/capture-api.ts";
import type { duplicatesApi } from "../bookmarks/duplicates/duplicates-api.ts";
import type { mergeApi } from "../bookmarks/duplicates/merge-api.ts";
import type { bookmarkSearchApi } from "../bookmarks/search/bookmark-search-api.ts";
import type { shareApi } from "../bookmarks/shares/share-api.ts";
import type { tagApi } from "../bookmarks/tags/tag-api.ts";
import type { Routes } from "../http/endpoint.ts";

/** The endpoints of bookmarks; those of a server without bookmarks are absent. */
export interface BookmarkApis {
  readonly bookmarks?: ReturnType<typeof bookmarkApi> | undefined;
  readonly bookmarkSearch?: ReturnType<typeof bookmarkSearchApi> | undefined;
  readonly tags?: ReturnType<typeof tagApi> | undefined;
  readonly bulk?: ReturnType<typeof bulkApi> | undefined;
  readonly duplicates?: ReturnType<typeof duplicatesApi> | undefined;
  readonly merging?: ReturnType<typeof mergeApi> | undefined;
  /** Absent where there are no pages at which a list could be read. */
  readonly shares?: ReturnType<typeof shareApi> | undefined;
  /** Absent when pages are not fetched. */
  readonly capture?: ReturnType<typeof captureApi> | undefined;
}

/** Bookmarks, their tags, and changes to many of them. */
export function bookmarkRoutes({
  bookmarks,
  bookmarkSearch,
  tags,
  bulk,
  duplicates,
  merging,
  shares,
  capture,
}: BookmarkApis): Routes {
  return {
    ...(bookmarks && {
      "/bookmarks/": { GET: bookmarks.list, POST: bookmarks.create },
      "/bookmarks/{id}": {
        GET: bookmarks.read,
        PUT: bookmarks.replace,
        PATCH: bookmarks.patch,
        DELETE: bookmarks.remove,
      },
    }),
    ...(bookmarkSearch && {
      "/bookmarks/search": { GET: bookmarkSearch.search },
      "/bookmarks/suggest": { GET: bookmarkSearch.suggest },
      "/bookmarks/check": { GET: bookmarkSearch.check },
    }),
    ...(tags && {
      "/bookmarks/{id}/tags": { GET: tags.readTags, PUT: tags.replaceTags },
      "/api/tags/": { GET: tags.list, PATCH: tags.rename, DELETE: tags.remove },
    }),
    ...(bulk && { "/bookmarks/bulk": { POST: bulk.change } }),
    ...(duplicates && { "/bookmarks/duplicates": { GET: duplicates.list } }),
    ...(merging && { "/bookmarks/merge": { POST: merging.merge } }),
    ...(shares && {
      "/api/shares/": { GET: shares.list, POST: shares.create },
      "/api/shares/{id}/": { GET: shares.read, DELETE: shares.remove },
    }),
    ...(capture && { "/bookmarks/page": { GET: capture.page } }),
  };
}
