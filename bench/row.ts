import type { Stage } from "./stage.ts";

/** What one line of the table shows. */
export interface Figure {
  /** For `--only` and `--compare`. */
  readonly name: string;
  /** What is measured, as the table says it. */
  readonly figure: string;
  readonly unit: "requests/s" | "ms" | "s" | "MiB" | "MiB/s" | "times";
  /** Of the ratio where there is a limit, else of the figure itself; absent when it is only reported. */
  readonly goal?: Goal;
}

/** One line of the table: a figure of ours, on its own or against a limit measured in the same run. */
export interface Row extends Figure {
  /** Rows that are about one thing; `--only` takes it for all of them. */
  readonly group:
    | "bookmarks"
    | "posts"
    | "growth"
    | "accounts"
    | "process"
    | "workers"
    | "peers"
    | "postgres"
    | "search"
    | "search-million";
  /** What the limit is, for rows that have one. */
  readonly limit?: string;
  /** Further lines of the table, measured along with this one, in the order of {@link Sample.aside}. */
  readonly aside?: readonly Figure[];
  /** With fewer cores than this the goal says nothing, and is not judged. */
  readonly cores?: number;
  /** How often it is measured; once with `--quick`. */
  readonly rounds: number;
  /**
   * Starts and warms up what is measured. The stage stops it again.
   * @throws NotMeasurable where this machine lacks what it takes
   */
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
  /** The share of its core that the measured server used, 0 to 1, if the system reports it and it matters. */
  readonly busy?: number | undefined;
  /** The share of requests that were refused, and are not counted in the value. */
  readonly refused?: number;
  /** The figures of {@link Row.aside}. */
  readonly aside?: readonly number[];
  /** The 99th percentile of the answers of an idle server meanwhile, in milliseconds. */
  readonly noise?: number;
}

/** This machine lacks what a row takes; the message completes "not measured: ". */
export class NotMeasurable extends Error {}
