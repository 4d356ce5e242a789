import { messageOf } from "../src/errors.ts";
import type { Sample } from "./measure.ts";
import { type Figure, type Goal, NotMeasurable, type Row } from "./row.ts";

/** The result of one line of the table; the elements of `rows` in the output of `--json`. */
export interface Result {
  readonly name: string;
  readonly figure: string;
  readonly unit: Figure["unit"];
  readonly against?: string;
  /** Medians of the rounds. */
  readonly limit?: number;
  readonly ours?: number;
  /** The median of the rounds' ratios of ours to the limit. This is not the ratio of the medians. */
  readonly ratio?: number;
  readonly goal?: Goal;
  /** Whether the goal is met; absent if there is no goal, or if the measurement cannot decide. */
  readonly met?: boolean;
  /** The smallest and the largest ratio, or figure if there is no limit. */
  readonly spread?: Spread;
  /** Why there is no figure. */
  readonly failure?: string;
  /** What this machine lacks to measure the figure. */
  readonly missing?: string;
  /**
   * The share of its core that the limit left idle. The ratio is then too good: the load or another program
   * held the limit up.
   */
  readonly idle?: number;
  /** The largest share of refused requests in a round. */
  readonly refused?: number;
  /** The share of the measured cores that other programs used, if it is too much to judge the result. */
  readonly others?: number;
}

export type Spread = readonly [number, number];

/** One round: our measurement, and that of the limit just before it. */
export interface Round {
  readonly limit: Sample | undefined;
  readonly ours: Sample;
  /** The share of the measured cores that other programs used, 0 to 1, if the system reports it. */
  readonly others?: number | undefined;
}

/** The properties of the machine that affect the results. */
export interface Circumstances {
  /** Whether the measured servers had their own core. */
  readonly pinned: boolean;
}

/** A server that uses less of its core than this was not at its limit. */
const BUSY = 0.9;

/** If other programs use more of the cores than this, nothing is judged: the ratios would be too good. */
const QUIET = 0.05;

/** The results of a row from its rounds, of which there is at least one: its own line, and those measured with it. */
export function summarise(row: Row, rounds: readonly Round[], circumstances: Circumstances): Result[] {
  const asides = row.aside ?? [];
  const results = [
    ownResult(row, rounds, circumstances),
    ...asides.map((figure, index) => asideResult(figure, rounds, index)),
  ];
  const others = median(rounds.flatMap((round) => round.others ?? []));
  return others > QUIET ? results.map((result) => unjudged(result, others)) : results;
}

/** A result from a busy machine, without a verdict. */
function unjudged({ met: _, ...result }: Result, others: number): Result {
  return { ...result, others };
}

function ownResult(row: Row, rounds: readonly Round[], { pinned }: Circumstances): Result {
  const ours = rounds.map((round) => round.ours.value);
  const limits = rounds.flatMap(({ limit }) => limit ?? []);
  const ratios = rounds.flatMap((round) => (round.limit ? round.ours.value / round.limit.value : []));
  const judged = ratios.length > 0 ? ratios : ours;
  const busy = pinned ? median(limits.flatMap((limit) => limit.busy ?? [])) : Number.NaN;
  const flattering = busy < BUSY;
  const refused = Math.max(...rounds.map((round) => round.ours.refused ?? 0));
  const met = row.goal && meets(median(judged), row.goal);
  return {
    ...labels(row),
    ours: median(ours),
    ...(limits.length > 0 && { limit: median(limits.map(({ value }) => value)), ratio: median(ratios) }),
    ...(met !== undefined && !(met && flattering) && { met }),
    spread: spreadOf(judged),
    ...(flattering && { idle: 1 - busy }),
    ...(refused > 0 && { refused }),
  };
}

function asideResult(figure: Figure, rounds: readonly Round[], index: number): Result {
  const values = rounds.map(({ ours }) => ours.aside?.[index] ?? Number.NaN);
  const ours = median(values);
  const met = figure.goal && meets(ours, figure.goal);
  return {
    ...labels(figure),
    ours,
    ...(met !== undefined && { met }),
    spread: spreadOf(values),
  };
}

/** The results of a row that could not be measured. */
export function failed(row: Row, error: unknown): Result[] {
  const message = messageOf(error);
  const missing = error instanceof NotMeasurable;
  return [row, ...(row.aside ?? [])].map((figure) => ({
    ...labels(figure),
    ...(missing ? { missing: message } : { failure: message, ...(figure.goal && { met: false }) }),
  }));
}

function labels(figure: Figure & { readonly limit?: string }) {
  const { name, figure: text, unit, limit, goal } = figure;
  return { name, figure: text, unit, ...(limit && { against: limit }), ...(goal && { goal }) };
}

function meets(value: number, goal: Goal): boolean {
  return "atLeast" in goal ? value >= goal.atLeast : value <= goal.atMost;
}

function spreadOf(values: readonly number[]): Spread {
  return [Math.min(...values), Math.max(...values)];
}

/** The middle value, or the mean of the two middle ones; NaN if there are none. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/**
 * The value below which this share of the values lies, interpolated between the two nearest; NaN if there are
 * none.
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const low = sorted[Math.floor(position)] ?? Number.NaN;
  const high = sorted[Math.ceil(position)] ?? Number.NaN;
  return low + (high - low) * (position - Math.floor(position));
}
