import {
  Counter,
  Gauge,
  type MetricObjectWithValues,
  type MetricValueWithName,
  type Histogram as PrometheusHistogram,
  type Registry,
} from "prom-client";
import type { Histogram } from "./histogram.ts";

/** Adds a counter to the registry that is kept elsewhere, and read when it is asked for. */
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

/** The same for what goes up and down; of several processes the sum is told. */
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

/** A distribution, and the labels that tell it from others of the same name. */
export interface Labelled {
  readonly labels: Readonly<Record<string, string>>;
  readonly distribution: Histogram;
}

/** The same for distributions. */
export function registerHistogram(
  registry: Registry,
  name: string,
  help: string,
  collect: () => Iterable<Labelled>,
): void {
  const head = { name, help, type: "histogram", aggregator: "sum" };
  const get = async () => ({
    ...head,
    values: Array.from(collect()).flatMap((each) => valuesOf(name, each)),
  });
  // The library's own histogram cannot be set. A registry asks no more of a metric than this, and its
  // aggregate of several processes is made of nothing else.
  registry.registerMetric({ ...head, get } as unknown as PrometheusHistogram);
}

type Values = MetricObjectWithValues<MetricValueWithName<string>>["values"];

/** Prometheus counts up: each range holds what the ones below it hold. */
function valuesOf(name: string, { labels, distribution }: Labelled): Values {
  const { bounds, counts, sum } = distribution;
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
