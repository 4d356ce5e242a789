import { Gauge, type Registry } from "prom-client";
import type { SearchObserver } from "../search/search.ts";
import { Histogram, SECONDS } from "./histogram.ts";
import { registerCounter, registerHistogram } from "./register.ts";

/** Counts the searches of this process. */
export class SearchMetrics {
  readonly #durations = new Histogram(SECONDS);
  #timeouts = 0;

  readonly observe: SearchObserver = (milliseconds, isTimeout) => {
    this.#durations.add(milliseconds / 1_000);
    if (isTimeout) this.#timeouts++;
  };

  /** @param indexer has the number of records that are not indexed yet */
  register(registry: Registry, indexer: { readonly lastBehind: number }): void {
    registerHistogram(
      registry,
      "commonplace_search_duration_seconds",
      "Duration of search queries, including the wait for the index.",
      () => [{ labels: {}, histogram: this.#durations }],
    );
    registerCounter(
      registry,
      "commonplace_search_timeouts_total",
      "Search queries that took too long and got 503.",
      () => this.#timeouts,
    );
    // Every process looks at the same marks.
    new Gauge({
      name: "commonplace_search_pending_records",
      help: "Records that were not yet indexed at the last check.",
      aggregator: "max",
      registers: [registry],
      collect() {
        this.set(indexer.lastBehind);
      },
    });
  }
}
