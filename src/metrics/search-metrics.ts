import { Gauge, type Registry } from "prom-client";
import type { Database } from "../database/database.ts";
import { countWaiting } from "../search/index/entries.ts";
import type { SearchObserver } from "../search/search.ts";
import { Histogram, SECONDS } from "./histogram.ts";
import { registerCounter, registerHistogram } from "./register.ts";

const COLLECTIONS = ["bookmarks", "posts"] as const;

/** Counts the searches of this process. */
export class SearchMetrics {
  readonly #durations = new Histogram(SECONDS);
  #timeouts = 0;

  readonly observe: SearchObserver = (milliseconds, isTimeout) => {
    this.#durations.add(milliseconds / 1_000);
    if (isTimeout) this.#timeouts++;
  };

  register(registry: Registry, database: Pick<Database, "read">): void {
    registerHistogram(registry, "commonplace_search_duration_seconds", "Duration of search queries.", () => [
      { labels: {}, histogram: this.#durations },
    ]);
    registerCounter(
      registry,
      "commonplace_search_timeouts_total",
      "Search queries that took too long and got 503.",
      () => this.#timeouts,
    );
    // Every process counts the same entries.
    new Gauge({
      name: "commonplace_search_pending_records",
      help: "Records that searches may miss, after a large import or an upgrade.",
      registers: [registry],
      async collect() {
        const counts = await Promise.all(
          COLLECTIONS.map((name) => countWaiting(database.read, { name }).catch(() => 0)),
        );
        this.set(counts.reduce((sum, count) => sum + count, 0));
      },
    });
  }
}
