import { Counter, type Registry } from "prom-client";
import { isSafe } from "../http/methods.ts";
import type { AnsweredRequest, Observer } from "../http/responses/responder.ts";
import { Histogram, SECONDS } from "./histogram.ts";
import { registerHistogram } from "./register.ts";

/** Other methods share one label. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

interface Meter {
  readonly route: string;
  readonly method: string;
  /** Number of responses by status. */
  readonly statuses: Float64Array;
  readonly seconds: Histogram;
}

/** Counts and durations of requests by route, method and status. */
export class RequestMetrics {
  readonly #byRoute = new Map<string | undefined, Map<string, Meter>>();
  /** Number of refused writes by reason. */
  readonly #refusedWrites = new Map<string, number>();

  /** Called for every request. */
  readonly observe: Observer = ({ route, method, status, milliseconds, refusedFor }: AnsweredRequest) => {
    if (refusedFor !== undefined && status >= 500 && !isSafe(method))
      this.#refusedWrites.set(refusedFor, (this.#refusedWrites.get(refusedFor) ?? 0) + 1);
    const meter = this.#byRoute.get(route)?.get(method) ?? this.#add(route, method);
    meter.statuses[status] = (meter.statuses[status] as number) + 1;
    meter.seconds.add(milliseconds / 1_000);
  };

  register(registry: Registry): void {
    const meters = () => [...this.#byRoute.values()].flatMap((ofRoute) => [...new Set(ofRoute.values())]);
    new Counter({
      name: "commonplace_http_requests_total",
      help: "Requests by route, method and status.",
      labelNames: ["route", "method", "status"],
      registers: [registry],
      collect() {
        this.reset();
        for (const { route, method, statuses } of meters())
          statuses.forEach((count, status) => {
            if (count > 0) this.inc({ route, method, status }, count);
          });
      },
    });
    const refusedWrites = this.#refusedWrites;
    new Counter({
      name: "commonplace_writes_refused_total",
      help: "Writing requests refused with 503 or 507, by reason: storage_full, unavailable and others.",
      labelNames: ["reason"],
      registers: [registry],
      collect() {
        this.reset();
        this.inc({ reason: "storage_full" }, 0);
        for (const [reason, count] of refusedWrites) this.inc({ reason }, count);
      },
    });
    registerHistogram(
      registry,
      "commonplace_http_request_duration_seconds",
      "Time from a request to its response, by route and method; for a streamed response, to its first chunk.",
      () => meters().map(({ route, method, seconds }) => ({ labels: { route, method }, histogram: seconds })),
    );
  }

  #add(route: string | undefined, given: string): Meter {
    const ofRoute = this.#byRoute.get(route) ?? new Map<string, Meter>();
    this.#byRoute.set(route, ofRoute);
    const method = METHODS.has(given) ? given : "other";
    const meter = ofRoute.get(method) ?? {
      route: route ?? "none",
      method,
      statuses: new Float64Array(600),
      seconds: new Histogram(SECONDS),
    };
    ofRoute.set(method, meter);
    return meter;
  }
}
