import type { Database } from "../database/database.ts";
import type { Log } from "../log.ts";
import { DAMAGED, repairIndex } from "../search/index/entries.ts";

/**
 * What a server does when a read or write meets a damaged page of its database: it looks at every page, once, makes the search
 * index again if that alone is damaged, and else says in log and metrics that the database is damaged.
 */
export class DamageWatch {
  readonly #log: Log;
  readonly #wakeJobs: () => void;
  #database: Database | undefined;
  #looking: Promise<void> | undefined;
  /** Whether more than the search index is damaged, as far as it is known. */
  isDamaged = false;

  constructor(log: Log, wakeJobs: () => void) {
    this.#log = log;
    this.#wakeJobs = wakeJobs;
  }

  /** @param database once it is open */
  watch(database: Database): void {
    this.#database = database;
  }

  /** Called with each error of a damaged page; never throws. */
  found(error: unknown): void {
    const database = this.#database;
    if (database === undefined || this.isDamaged) return;
    this.#looking ??= this.#look(database, error)
      .catch((failure) => this.#log.error("The database is damaged, and could not be looked at.", failure))
      .finally(() => {
        this.#looking = undefined;
      });
  }

  /** Resolves when nothing is being looked at. */
  async ended(): Promise<void> {
    await this.#looking;
  }

  async #look(database: Database, error: unknown): Promise<void> {
    const damage = await database.findDamage();
    if (damage === undefined) return;
    const [worst] = [...damage.records, ...damage.indexes];
    if (worst !== undefined) {
      this.#log.error(`The database is damaged: ${worst}. “commonplace check” says what to do.`, error);
      this.isDamaged = true;
    } else if (damage.search.length > 0) {
      await repairIndex(database, "pages");
      this.#log.error(DAMAGED, error);
      this.#wakeJobs();
    }
  }
}
