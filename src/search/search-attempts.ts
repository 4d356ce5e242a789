import { Refusal } from "../errors.ts";
import type { IndexView } from "./index/index-view.ts";
import type { Search } from "./search.ts";

/** The time limit of one search, in milliseconds. */
export const TIME_MAX = 2_000;

/** The attempts of one search. It is repeated if any process changed the index during it: it may have missed records. */
export class SearchAttempts {
  readonly #search: Pick<Search, "catchUp" | "changeSince">;
  readonly #now: () => number;
  #began: number;
  #withPairs = true;

  /** @param now the monotonic clock, in milliseconds */
  constructor(search: Pick<Search, "catchUp" | "changeSince">, now = () => performance.now()) {
    this.#search = search;
    this.#now = now;
    this.#began = now();
  }

  /** Waits briefly until earlier writes are indexed. */
  begin(): Promise<IndexView> {
    return this.#search.catchUp({ withPairs: this.#withPairs });
  }

  /**
   * Whether the search with this view must be repeated.
   * @throws Refusal `unavailable` when it was repeated for too long
   */
  async mustRepeat(view: IndexView): Promise<boolean> {
    const change = await this.#search.changeSince(view);
    if (change === undefined) return false;
    // A search for single words does not depend on the list of common words, so this change is the last of its kind.
    this.#withPairs = false;
    if (change === "pairs") this.#began = this.#now();
    else if (this.#now() - this.#began >= TIME_MAX) throw rebuilding();
    return true;
  }
}

function rebuilding(): Refusal {
  const detail = "The search index is being rebuilt. Try again in a moment.";
  return new Refusal("unavailable", detail, { retryAfter: 1 });
}
