import type { Measure } from "./measure.ts";
import type { Stage } from "./stage.ts";

/** What one line of the table shows. */
export interface Figure {
  /** The name for `--only` and `--compare`. */
  readonly name: string;
  /** What is measured, as the table shows it. */
  readonly figure: string;
  readonly unit: "requests/s" | "ms" | "s" | "MiB" | "MiB/s" | "times";
  /**
   * The goal for the ratio if there is a limit, else for the figure itself; absent if the figure is only
   * reported.
   */
  readonly goal?: Goal;
}

/** One line of the table: a figure of ours, alone or compared with a limit measured in the same run. */
export interface Row extends Figure {
  /** Rows on the same subject; `--only` selects them all by this name. */
  readonly group:
    | "bookmarks"
    | "posts"
    | "growth"
    | "process"
    | "peers"
    | "copies"
    | "search"
    | "search-million";
  /** A description of the limit, for rows that have one. */
  readonly limit?: string;
  /** Further lines of the table, measured with this one, in the order of {@link Sample.aside}. */
  readonly aside?: readonly Figure[];
  /** The number of measurements; with `--quick` there is one. */
  readonly rounds: number;
  /**
   * Starts and warms up what is measured. The stage stops it afterwards.
   * @throws NotMeasurable if this machine lacks a requirement
   */
  prepare(stage: Stage): Promise<Contestants>;
}

export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** What is measured in turn. */
export interface Contestants {
  readonly limit?: Measure;
  readonly ours: Measure;
}

/** This machine lacks a requirement of a row. The message completes "not measured: ". */
export class NotMeasurable extends Error {}
