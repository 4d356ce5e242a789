import {
  Counter,
  Gauge,
  type MetricObjectWithValues,
  type MetricValueWithName,
  type Histogram as PrometheusHistogram,
  type Registry,
} from "prom-client";
import type { Histogram } from "./histogram.ts";

/** Registers a counter whose value is read at each scrape. */
export function registerCounter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** Registers a gauge whose value is read at each scrape. */
export function registerGauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/** A histogram and its labels. */
export interface Labelled {
  readonly labels: Readonly<Record<string, string>>;
  readonly histogram: Histogram;
}

/** Registers histograms. */
export function registerHistogram(
  registry: Registry,
  name: string,
  help: string,
  collect: () => Iterable<Labelled>,
): void {
  const head = { name, help, type: "histogram" };
  const get = async () => ({
    ...head,
    values: Array.from(collect()).flatMap((each) => valuesOf(name, each)),
  });
  // The library's own histogram cannot be set from outside. This is all that a registry uses.
  registry.registerMetric({ ...head, get } as unknown as PrometheusHistogram);
}

type Values = MetricObjectWithValues<MetricValueWithName<string>>["values"];

/** The buckets of Prometheus are cumulative. */
function valuesOf(name: string, { labels, histogram }: Labelled): Values {
  const { bounds, counts, sum } = histogram;
  let count = 0;
  const buckets = Array.from(counts, (inRange, index) => {
    count += inRange;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[index] ?? "+Inf" }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
