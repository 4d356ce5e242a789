import type { Registry } from "prom-client";
import type { JobObserver } from "../jobs/job-runner.ts";
import { Histogram } from "./histogram.ts";
import { registerCounter, registerHistogram } from "./register.ts";

/** Seconds that a job may take. */
const SECONDS = [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300];

/** Counts the jobs that this process has run. */
export class JobMetrics implements JobObserver {
  readonly #durations = new Map<string, Histogram>();
  #failed = 0;

  knows(kinds: readonly string[]): void {
    for (const kind of kinds) this.#durations.set(kind, new Histogram(SECONDS));
  }

  ran(kind: string, milliseconds: number, succeeded: boolean): void {
    const histogram = this.#durations.get(kind) ?? new Histogram(SECONDS);
    this.#durations.set(kind, histogram);
    histogram.add(milliseconds / 1_000);
    if (!succeeded) this.#failed++;
  }

  register(registry: Registry): void {
    registerHistogram(
      registry,
      "commonplace_job_duration_seconds",
      "Duration of background jobs, including failed ones.",
      () => Array.from(this.#durations, ([job_kind, histogram]) => ({ labels: { job_kind }, histogram })),
    );
    registerCounter(
      registry,
      "commonplace_jobs_failed_total",
      "Failed runs of background jobs, which are retried.",
      () => this.#failed,
    );
  }
}
