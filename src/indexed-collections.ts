import { indexedBookmarks } from "./bookmarks/search/indexed-bookmarks.ts";
import { indexedCopies } from "./copies/search/indexed-copies.ts";
import { indexedPosts } from "./posts/indexed-posts.ts";
import type { IndexedCollection, IndexedTexts } from "./search/collection.ts";

/** What the search index has entries for. */
export const indexedCollections: readonly (IndexedCollection | IndexedTexts)[] = [
  indexedBookmarks,
  indexedPosts,
  // After the bookmarks, whose keys they have.
  indexedCopies,
];
