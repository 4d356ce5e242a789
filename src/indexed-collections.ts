import { indexedBookmarks } from "./bookmarks/search/indexed-bookmarks.ts";
import { indexedPosts } from "./posts/indexed-posts.ts";
import type { IndexedCollection } from "./search/collection.ts";

/** What the search index has entries for. */
export const indexedCollections: readonly IndexedCollection[] = [indexedBookmarks, indexedPosts];
