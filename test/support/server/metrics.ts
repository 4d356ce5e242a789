/**
 * The result of a scrape: the types of metrics by name, and the value of each sample by name and labels, as
 * written.
 */
export interface Scrape {
  readonly text: string;
  readonly contentType: string | null;
  readonly types: ReadonlyMap<string, string>;
  readonly samples: ReadonlyMap<string, number>;
  /** The value of a sample such as `commonplace_http_requests_total{route="/docs",method="GET",status="200"}`. */
  value(sample: string): number | undefined;
}

/** Reads metrics like Prometheus. Every line must have the form of its text format. */
export async function scrape(port: number): Promise<Scrape> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`The metrics answer ${response.status}.`);
  const types = new Map<string, string>();
  const samples = new Map<string, number>();
  for (const line of text.split("\n").filter((line) => line !== "")) {
    const [, name = "", type = ""] = /^# TYPE (\w+) (counter|gauge|histogram)$/.exec(line) ?? [];
    const [, sample, value] = /^(\w+(?:\{(?:\w+="[^"]*",?)+\})?) (\S+)$/.exec(line) ?? [];
    if (name !== "") types.set(name, type);
    else if (sample !== undefined) samples.set(sample, Number(value));
    else if (!line.startsWith("# HELP ")) throw new Error(`Not a line of metrics: ${line}`);
  }
  const contentType = response.headers.get("content-type");
  return { text, contentType, types, samples, value: (sample) => samples.get(sample) };
}
