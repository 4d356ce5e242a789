import { Command } from "commander";
import { indexedCollections } from "../../indexed-collections.ts";
import { countWaiting, indexWaiting, repairIndex } from "../../search/index/entries.ts";
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
    await repairIndex(database);
    const bar = await progressBar("Indexing");
    let total = 0;
    for (const collection of indexedCollections) {
      const count = await countWaiting(database.read, collection);
      await indexWaiting(database, collection, {
        onStep: (left) => bar.show(count - left, count, `${left} left`),
      });
      total += count;
    }
    bar.stop();
    console.log(`The search index has ${total} ${total === 1 ? "record" : "records"}.`);
  });
}
