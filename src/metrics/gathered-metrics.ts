import { setTimeout as sleep } from "node:timers/promises";
import { AggregatorRegistry, type Registry } from "prom-client";
import type { Worker, WorkerWatcher } from "../workers.ts";
import type { Snapshot } from "./metrics.ts";
import { registerCounter, registerGauge } from "./register.ts";

/** How long a worker has to tell its metrics, in milliseconds; longer than it waits for its database. */
const TIMEOUT_MS = 4_000;

interface Member {
  readonly worker: Worker;
  /** Those that wait for what it tells. */
  waiting: (() => void)[];
  /** What it told last. */
  latest: Snapshot;
}

/**
 * The metrics of all workers as one. Their counters and histograms are added up, and what a worker has counted
 * stays when it dies, up to when it was last asked: a counter that falls would look like a restart.
 */
export class GatheredMetrics implements WorkerWatcher {
  readonly #members = new Map<Worker, Member>();
  #departed: Promise<Snapshot> = Promise.resolve([]);
  #deaths = 0;

  started(worker: Worker): void {
    this.#members.set(worker, { worker, waiting: [], latest: [] });
  }

  heard(worker: Worker, snapshot: unknown): void {
    const member = this.#members.get(worker);
    if (member === undefined) return;
    member.latest = snapshot as Snapshot;
    for (const done of member.waiting.splice(0)) done();
  }

  ended(worker: Worker): void {
    const member = this.#members.get(worker);
    if (member === undefined) return;
    this.#members.delete(worker);
    this.#deaths++;
    for (const done of member.waiting) done();
    const lasting = member.latest.filter(({ type }) => String(type) !== "gauge");
    this.#departed = this.#departed.then((before) => aggregate([before, lasting]).getMetricsAsJSON());
  }

  /** In the text format of Prometheus. A worker that does not answer counts with what it told last. */
  async text(): Promise<string> {
    await Promise.all(Array.from(this.#members.values(), refresh));
    const departed = await this.#departed;
    const registry = aggregate([...Array.from(this.#members.values(), ({ latest }) => latest), departed]);
    registerGauge(registry, "commonplace_workers", "Worker processes that run.", () => this.#members.size);
    registerCounter(
      registry,
      "commonplace_worker_deaths_total",
      "Workers that ended unasked, and were replaced.",
      () => this.#deaths,
    );
    return registry.metrics();
  }
}

async function refresh(member: Member): Promise<void> {
  const told = new Promise<void>((resolve) => member.waiting.push(resolve));
  member.worker.ask();
  await Promise.race([told, sleep(TIMEOUT_MS, undefined, { ref: false })]);
}

function aggregate(snapshots: Snapshot[]): Registry {
  return AggregatorRegistry.aggregate(snapshots);
}
