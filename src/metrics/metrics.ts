import { Registry } from "prom-client";
import type { Observers } from "../app/app.ts";
import type { Database } from "../database/database.ts";
import type { ResponseCache, ResponseCacheState } from "../http/caching/response-cache.ts";
import type { LoadShedder } from "../http/guards/load-shedding.ts";
import type { Server } from "../http/server.ts";
import type { Log } from "../log.ts";
import { DatabaseMetrics } from "./database-metrics.ts";
import { JobMetrics } from "./job-metrics.ts";
import { registerProcess } from "./process-metrics.ts";
import { registerCounter, registerGauge } from "./register.ts";
import { RequestMetrics } from "./request-metrics.ts";
import { SearchMetrics } from "./search-metrics.ts";

/** The parts of a running server that are measured. */
interface Subjects {
  readonly database: Database;
  readonly server: Server;
  readonly load: LoadShedder;
  readonly log: Log;
}

/**
 * The metrics of this process. Frequent events are counted in plain numbers and converted for the library only at a
 * scrape.
 */
export class Metrics implements Observers {
  readonly database = new DatabaseMetrics();
  readonly jobs = new JobMetrics();
  readonly #search = new SearchMetrics();
  readonly #requests = new RequestMetrics();
  readonly #registry = new Registry();
  readonly #cache: ResponseCache[] = [];

  readonly requests: Observers["requests"] = (answered) => {
    this.#requests.observe(answered);
    const { refusedFor } = answered;
    if (refusedFor === "storage_full" || refusedFor === "read_only") this.database.foundUnwritable();
  };

  readonly searches = this.#search.observe;

  readonly responseCache = (cache: ResponseCache): void => {
    this.#cache.push(cache);
  };

  /** Called once, when everything has started. */
  watch({ database, server, load, log }: Subjects): void {
    const registry = this.#registry;
    this.#requests.register(registry);
    registerGauge(
      registry,
      "commonplace_http_requests_in_flight",
      "Requests in progress.",
      () => server.inFlight,
    );
    registerCounter(
      registry,
      "commonplace_http_requests_shed_total",
      "Requests refused with 503 because of overload.",
      () => load.refused,
    );
    this.#registerKept();
    this.database.register(registry, database);
    this.jobs.register(registry);
    this.#search.register(registry, database);
    registerCounter(
      registry,
      "commonplace_log_lines_dropped_total",
      "Log lines dropped because the reader was too slow.",
      () => log.droppedLines,
    );
    registerProcess(registry, database.engine);
  }

  /** The metrics in the text format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #registerKept(): void {
    const registry = this.#registry;
    const sum = (of: (state: ResponseCacheState) => number) => () =>
      this.#cache.reduce((total, { state }) => total + of(state), 0);
    registerCounter(
      registry,
      "commonplace_response_cache_hits_total",
      "Responses from the cache, including 304 (not modified).",
      sum(({ hits }) => hits),
    );
    registerCounter(
      registry,
      "commonplace_response_cache_misses_total",
      "Responses that were not in the cache.",
      sum(({ misses }) => misses),
    );
    registerGauge(
      registry,
      "commonplace_response_cache_entries",
      "Responses in the cache.",
      sum(({ bodies }) => bodies),
    );
    registerGauge(
      registry,
      "commonplace_response_cache_bytes",
      "Size of the response cache.",
      sum(({ bytes }) => bytes),
    );
  }
}
