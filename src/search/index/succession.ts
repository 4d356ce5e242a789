import type { Database } from "../../database/database.ts";
import type { CollectionName } from "../collection.ts";
import { compareVersions, INDEX_VERSION } from "./index-state.ts";

/** If nobody indexes a sign for this long, no process of the other version is running. In milliseconds. */
const UNANSWERED = 15_000;

/** A mark of no record. Any process that follows the index removes it. */
interface Sign {
  readonly record: number;
  /** In milliseconds of the monotonic clock. */
  readonly since: number;
}

/**
 * Decides whether this process may rebuild an index of another version (decision 140). During a rolling upgrade,
 * processes of two versions share a database. If each rebuilt the index of the other, neither would ever finish.
 */
export class Succession {
  readonly #database: Database;
  readonly #collection: CollectionName;
  readonly #now: () => number;
  /** Whether the index had this process's version since it started. */
  #hasHeld = false;
  #isAbandoned = false;
  #sign: Sign | undefined;

  /**
   * @param collection the one whose marks are signs
   * @param now the monotonic clock, in milliseconds
   */
  constructor(database: Database, collection: CollectionName, now = () => performance.now()) {
    this.#database = database;
    this.#collection = collection;
    this.#now = now;
  }

  /** Records that the index has this process's version. */
  noteHeld(): void {
    this.#hasHeld = true;
    this.#isAbandoned = false;
    this.#sign = undefined;
  }

  /**
   * A newer version takes over from an older one, once. An index that is newer, or that an older process has taken
   * back, belongs to the other version as long as a process of that version runs.
   */
  mayReplace(version: string | undefined): boolean {
    if (version === undefined || this.#isAbandoned) return true;
    return compareVersions(version, INDEX_VERSION) < 0 && !this.#hasHeld;
  }

  /** Checks whether a process of the other version still follows the index. To be called repeatedly. */
  async look(): Promise<void> {
    const now = this.#now();
    if (this.#sign === undefined) {
      // No record has a negative id. Each sign has its own, since positions are used again.
      const record = -1 - Math.floor(Math.random() * 2 ** 48);
      this.#sign = { record, since: now };
      await this.#database.derive(
        (sql) =>
          sql`insert into search_pending (collection, record_id) values (${this.#collection}, ${record})`,
      );
      return;
    }
    if (now - this.#sign.since < UNANSWERED) return;
    const [left] = await this.#database.read`
      select position from search_pending where record_id = ${this.#sign.record} limit 1`;
    this.#isAbandoned = left !== undefined;
    this.#sign = undefined;
  }
}
