import { setTimeout as sleep } from "node:timers/promises";
import { AggregatorRegistry, type Registry } from "prom-client";
import type { Worker, WorkerWatcher } from "../workers.ts";
import type { Snapshot } from "./metrics.ts";
import { registerCounter, registerGauge } from "./register.ts";

/** Timeout for a worker's metrics, in milliseconds; longer than that of the health query. */
const TIMEOUT_MS = 4_000;

interface Member {
  readonly worker: Worker;
  /** Callers waiting for its next report. */
  waiting: (() => void)[];
  /** Its last report. */
  latest: Snapshot;
}

/**
 * The sum of all workers' metrics. The last counts of a worker that has ended stay in the sum: a falling counter would
 * look like a restart.
 */
export class GatheredMetrics implements WorkerWatcher {
  readonly #members = new Map<Worker, Member>();
  #departed: Promise<Snapshot> = Promise.resolve([]);
  #deaths = 0;

  started(worker: Worker): void {
    this.#members.set(worker, { worker, waiting: [], latest: [] });
  }

  received(worker: Worker, snapshot: unknown): void {
    const member = this.#members.get(worker);
    if (member === undefined) return;
    member.latest = snapshot as Snapshot;
    for (const done of member.waiting.splice(0)) done();
  }

  ended(worker: Worker, expected: boolean): void {
    const member = this.#members.get(worker);
    if (member === undefined) return;
    this.#members.delete(worker);
    if (!expected) this.#deaths++;
    for (const done of member.waiting) done();
    const lasting = member.latest.filter(({ type }) => String(type) !== "gauge");
    this.#departed = this.#departed.then((before) => aggregate([before, lasting]).getMetricsAsJSON());
  }

  /** The metrics in the text format of Prometheus. A worker that does not answer counts with its last report. */
  async text(): Promise<string> {
    await Promise.all(Array.from(this.#members.values(), refresh));
    const departed = await this.#departed;
    const registry = aggregate([...Array.from(this.#members.values(), ({ latest }) => latest), departed]);
    registerGauge(registry, "commonplace_workers", "Running worker processes.", () => this.#members.size);
    registerCounter(
      registry,
      "commonplace_worker_deaths_total",
      "Worker processes that died and were replaced.",
      () => this.#deaths,
    );
    return registry.metrics();
  }
}

async function refresh(member: Member): Promise<void> {
  const answered = new Promise<void>((resolve) => member.waiting.push(resolve));
  member.worker.ask();
  await Promise.race([answered, sleep(TIMEOUT_MS, undefined, { ref: false })]);
}

function aggregate(snapshots: Snapshot[]): Registry {
  return AggregatorRegistry.aggregate(snapshots);
}
