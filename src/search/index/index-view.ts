import { CommonPairs, NO_PAIRS } from "./common-pairs.ts";
import { type IndexState, isWhole } from "./index-state.ts";

/** The change of an index because of which a search may have missed records: of its entries, or only of their pairs. */
export type IndexChange = "entries" | "pairs";

/** The index as a search finds it after waiting for it. */
export class IndexView {
  /** The number of records that are not indexed yet, during an import or a rebuild. */
  readonly behind: number;
  readonly generation: number;
  /** The pairs that every entry has. */
  readonly pairs: CommonPairs;

  /** @param state from before the search */
  constructor(state: IndexState, behind: number, { withPairs }: { readonly withPairs: boolean }) {
    this.behind = behind;
    this.generation = state.generation;
    this.pairs = withPairs && isWhole(state) ? new CommonPairs(state.commonWords) : NO_PAIRS;
  }

  /** @param now from after the search */
  changeUntil(now: IndexState): IndexChange | undefined {
    if (now.generation !== this.generation || (this.behind === 0 && !isWhole(now))) return "entries";
    // A process of another version writes entries without these pairs.
    const hasPairs = now.isOfThisVersion && now.commonWords === this.pairs.list;
    return this.pairs.areUsed && !hasPairs ? "pairs" : undefined;
  }
}
