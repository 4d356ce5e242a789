import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import type { Database } from "../../database/database.ts";
import { createIndexer } from "../../indexer.ts";
import { Log } from "../../log.ts";
import { Search } from "../../search/search.ts";
import { progressBar } from "../terminal/progress-bar.ts";

/** Fewer bookmarks are indexed in less than a second. */
const MANY = 5_000;

/**
 * Waits until all bookmarks are indexed. After an import of many while no server was running, this takes a while:
 * then it shows its progress.
 * @returns what searches them
 */
export async function indexBookmarks(database: Database): Promise<Search> {
  const indexer = indexerOf(database);
  const total = await indexer.behindIn(indexedBookmarks);
  const bar = total < MANY ? undefined : await progressBar("Indexing new bookmarks");
  await indexer.finish(indexedBookmarks, (left) => {
    const done = Math.max(0, total - left);
    bar?.show(done, total, `Indexing new bookmarks: ${left} left`);
  });
  bar?.stop();
  return new Search(database, indexer, indexedBookmarks);
}

/**
 * Indexes new bookmarks unless this would take long.
 * @returns what searches the indexed ones
 */
export async function indexFewBookmarks(database: Database): Promise<Search> {
  const indexer = indexerOf(database);
  if ((await indexer.behindIn(indexedBookmarks)) < MANY) await indexer.finish(indexedBookmarks);
  return new Search(database, indexer, indexedBookmarks);
}

function indexerOf(database: Database) {
  return createIndexer(database, new Log({ level: "warn", format: "text" }));
}
