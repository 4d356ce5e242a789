import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import type { Database } from "../../database/database.ts";
import { countWaiting, ensureEntries, indexWaiting } from "../../search/index/entries.ts";
import { progressBar } from "../terminal/progress-bar.ts";

/** Fewer bookmarks are indexed in less than a second. */
const MANY = 5_000;

/** Indexes the bookmarks that a large import or an upgrade has left to a job; of many, it shows the progress. */
export async function indexWaitingBookmarks(database: Database): Promise<void> {
  await ensureEntries(database);
  const total = await countWaiting(database.read, indexedBookmarks);
  if (total === 0) return;
  const bar = total < MANY ? undefined : await progressBar("Indexing new bookmarks");
  await indexWaiting(database, indexedBookmarks, {
    onStep: (left) => bar?.show(Math.max(0, total - left), total, `Indexing new bookmarks: ${left} left`),
  });
  bar?.stop();
}
