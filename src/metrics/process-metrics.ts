import { readdirSync, readFileSync } from "node:fs";
import { Gauge, type Registry } from "prom-client";
import { VERSION } from "../version.ts";
import { Histogram, SECONDS } from "./histogram.ts";
import { registerCounter, registerGauge, registerHistogram } from "./register.ts";

/** Interval for measuring event-loop lag, in milliseconds; each measurement wakes an idle process. */
const ROUND = 100;

/**
 * The standard process metrics of Prometheus, and the event-loop lag. The library's own set needs counters that this
 * runtime does not have.
 */
export function registerProcess(registry: Registry, engine: string): void {
  new Gauge({
    name: "commonplace_build_info",
    help: "Always 1; the labels have the versions.",
    labelNames: ["version", "runtime", "engine"],
    registers: [registry],
  }).set({ version: VERSION, runtime: `bun ${Bun.version}`, engine }, 1);
  new Gauge({
    name: "process_start_time_seconds",
    help: "Start time of the process, in seconds since 1970.",
    registers: [registry],
  }).set(performance.timeOrigin / 1_000);
  registerCounter(registry, "process_cpu_seconds_total", "CPU time used.", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  registerGauge(registry, "process_resident_memory_bytes", "Memory in use.", () => process.memoryUsage.rss());
  registerGauge(
    registry,
    "commonplace_heap_used_bytes",
    "Size of the JavaScript heap in use.",
    () => process.memoryUsage().heapUsed,
  );
  if (process.platform === "linux") registerDescriptors(registry);
  registerLoopDelay(registry);
}

function registerDescriptors(registry: Registry): void {
  registerGauge(
    registry,
    "process_open_fds",
    "Open file descriptors.",
    () => readdirSync("/proc/self/fd").length,
  );
  const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  if (limit !== undefined)
    registerGauge(registry, "process_max_fds", "Maximum number of open file descriptors.", () =>
      Number(limit),
    );
}

/** Measures event-loop lag by the delay of a timer. */
function registerLoopDelay(registry: Registry): void {
  const delay = new Histogram(SECONDS);
  let due = performance.now() + ROUND;
  setInterval(() => {
    const now = performance.now();
    delay.add(Math.max(0, now - due) / 1_000);
    due = now + ROUND;
  }, ROUND).unref();
  registerHistogram(
    registry,
    "commonplace_event_loop_delay_seconds",
    `Delay of the event loop, sampled every ${ROUND} ms.`,
    () => [{ labels: {}, histogram: delay }],
  );
}
