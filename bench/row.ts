import type { Stage } from "./stage.ts";

/** One line of the table: a figure of ours, on its own or against a limit measured in the same run. */
export interface Row {
  /** For `--only`. */
  readonly name: string;
  /** What is measured, as the table says it. */
  readonly figure: string;
  readonly unit: "requests/s" | "ms" | "s" | "MiB";
  /** What the limit is, for rows that have one. */
  readonly limit?: string;
  /** Of the ratio where there is a limit, else of the figure itself; absent when it is only reported. */
  readonly goal?: Goal;
  /** How often it is measured; `--quick` takes a third. */
  readonly rounds: number;
  /** Starts and warms up what is measured. The stage stops it again. */
  prepare(stage: Stage): Promise<Contestants>;
}

export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** What is measured in turns. */
export interface Contestants {
  readonly limit?: Measure;
  readonly ours: Measure;
}

/** Measures once. @throws when anything was answered wrongly: errors must not pass for speed */
export type Measure = () => Promise<Sample>;

export interface Sample {
  /** In the unit of the row. */
  readonly value: number;
  /** The share of its core that the measured server used, 0 to 1, where the system tells. */
  readonly busy?: number | undefined;
}
