import { indexedBookmarks } from "./bookmarks/search/indexed-bookmarks.ts";
import type { Database } from "./database/database.ts";
import type { Log } from "./log.ts";
import { indexedPosts } from "./posts/indexed-posts.ts";
import { Indexer } from "./search/index/indexer.ts";

/** Creates the indexer that updates the search index of all services. */
export function createIndexer(database: Database, log: Log): Indexer {
  return new Indexer(database, [indexedBookmarks, indexedPosts], log);
}
