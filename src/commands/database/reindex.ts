import { Command } from "commander";
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import { createIndexer } from "../../indexer.ts";
import { Log } from "../../log.ts";
import { indexedPosts } from "../../posts/indexed-posts.ts";
import { progressBar } from "../terminal/progress-bar.ts";
import { type DatabaseFlags, databaseOption, withDatabase } from "../with-database.ts";

/** `commonplace reindex`: rebuilds the search index. */
export function reindexCommand(): Command {
  return new Command("reindex")
    .description(
      "Rebuild the search index. The server may be running; searches are incomplete until it is done.",
    )
    .addOption(databaseOption())
    .action(reindex);
}

async function reindex(flags: DatabaseFlags): Promise<void> {
  await withDatabase(flags, async (database) => {
    const indexer = createIndexer(database, new Log({ level: "warn", format: "text" }));
    await indexer.rebuild({ anew: true });
    const total = await indexer.behind();
    const bar = await progressBar("Indexing");
    for (const collection of [indexedBookmarks, indexedPosts])
      await indexer.finish(collection, (left) => bar.show(total - left, total, `${left} left`));
    bar.stop();
    console.log(`The search index has ${total} records.`);
  });
}
