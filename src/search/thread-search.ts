import type { CollectionName } from "./collection.ts";
import type { RankedEntry, RelevanceLookup } from "./index/index-store.ts";

/** The input of a module that searches in a thread of SQLite, which gets it as a copy. */
export interface ThreadSearch<Options> extends Omit<RelevanceLookup, "tables" | "visible" | "pairs"> {
  readonly collection: CollectionName;
  /** Counts up to this number of matches; undefined if another thread counts. */
  readonly countMax: number | undefined;
  /** The list of common words whose pairs the search may use. */
  readonly commonWords: string | undefined;
  /** The number of entries of the page; the limit is one more. */
  readonly shown: number;
  readonly options: Options;
}

/** The result of such a module. */
export interface ThreadResult {
  readonly found: readonly RankedEntry[];
  /** Undefined if another thread counts. */
  readonly count: number | undefined;
  readonly hasUsedPairs: boolean;
  /** The records of the page, as the module renders them; undefined if it leaves that to the event loop. */
  readonly text: string | undefined;
}
