import { messageOf } from "../src/errors.ts";
import { type Figure, type Goal, NotMeasurable, type Row, type Sample } from "./row.ts";

/** What a line of the table came to; the elements of `rows` in the output of `--json`. */
export interface Result {
  readonly name: string;
  readonly figure: string;
  readonly unit: Figure["unit"];
  readonly against?: string;
  /** Medians. */
  readonly limit?: number;
  readonly ours?: number;
  /** The median of the rounds' ratios of ours to the limit, which is not the ratio of the medians. */
  readonly ratio?: number;
  readonly goal?: Goal;
  /** Absent where there is no goal, and where nothing can be said. */
  readonly met?: boolean;
  /** Least and greatest ratio, or figure where there is no limit. */
  readonly spread?: Spread;
  /** Why there is no figure. */
  readonly failure?: string;
  /** What this machine lacks for there to be a figure. */
  readonly missing?: string;
  /** The share of its core that the limit left idle, so that the ratio flatters: the load, or another program, held it up. */
  readonly idle?: number;
  /** The greatest share of requests that was refused in a round. */
  readonly refused?: number;
  /** How long an idle server meanwhile took to answer, in milliseconds: a percentile like ours. */
  readonly noise?: number;
  /** How many cores it takes to judge it, where there are fewer. */
  readonly cores?: number | undefined;
  /** The share of the measured cores that other programs took, where it is too much to judge anything. */
  readonly others?: number;
}

export type Spread = readonly [number, number];

/** One round: ours, and the limit just before it. */
export interface Round {
  readonly limit: Sample | undefined;
  readonly ours: Sample;
  /** The share of the measured cores that other programs took, 0 to 1, if the system reports it. */
  readonly others?: number | undefined;
}

/** Where it was measured, as far as the results depend on it. */
export interface Circumstances {
  /** Whether the measured servers had a core of their own to use up. */
  readonly pinned: boolean;
  readonly cores: number;
}

/** A server that was to be at its limit, and used less of its core than this, was not. */
const BUSY = 0.9;

/** On a machine where other programs take more of the cores than this, nothing is judged: ratios flatter there. */
const QUIET = 0.05;

/** The results of a row's rounds, of which there is at least one: its own, and those measured along with it. */
export function summarise(row: Row, rounds: readonly Round[], circumstances: Circumstances): Result[] {
  const asides = row.aside ?? [];
  const results = [
    ownResult(row, rounds, circumstances),
    ...asides.map((figure, index) => asideResult(figure, rounds, index)),
  ];
  const others = median(rounds.flatMap((round) => round.others ?? []));
  return others > QUIET ? results.map((result) => unjudged(result, others)) : results;
}

/** A result that was measured on a busy machine. */
function unjudged({ met: _, ...result }: Result, others: number): Result {
  return { ...result, others };
}

function ownResult(row: Row, rounds: readonly Round[], { pinned, cores }: Circumstances): Result {
  const ours = rounds.map((round) => round.ours.value);
  const limits = rounds.flatMap(({ limit }) => limit ?? []);
  const ratios = rounds.flatMap((round) => (round.limit ? round.ours.value / round.limit.value : []));
  const judged = ratios.length > 0 ? ratios : ours;
  const busy = pinned ? median(limits.flatMap((limit) => limit.busy ?? [])) : Number.NaN;
  const flattering = busy < BUSY;
  const refused = Math.max(...rounds.map((round) => round.ours.refused ?? 0));
  const tooFew = row.cores !== undefined && cores < row.cores;
  const met = row.goal && meets(median(judged), row.goal);
  return {
    ...labels(row),
    ours: median(ours),
    ...(limits.length > 0 && { limit: median(limits.map(({ value }) => value)), ratio: median(ratios) }),
    ...(met !== undefined && !(met && flattering) && !tooFew && { met }),
    spread: spreadOf(judged),
    ...(flattering && { idle: 1 - busy }),
    ...(refused > 0 && { refused }),
    ...(tooFew && { cores: row.cores }),
  };
}

function asideResult(figure: Figure, rounds: readonly Round[], index: number): Result {
  const values = rounds.map(({ ours }) => ours.aside?.[index] ?? Number.NaN);
  const ours = median(values);
  const met = figure.goal && meets(ours, figure.goal);
  const noise = figure.unit === "ms" ? median(rounds.flatMap((round) => round.ours.noise ?? [])) : Number.NaN;
  // Where not even an idle server would have met it, it was not for us to do.
  const inNoise = met === false && figure.goal !== undefined && !meets(noise, figure.goal) && noise > 0;
  return {
    ...labels(figure),
    ours,
    ...(met !== undefined && !inNoise && { met }),
    spread: spreadOf(values),
    ...(noise > 0 && { noise }),
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

/** The middle value, or the mean of the two middle ones; NaN of nothing. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value below which so much of the values lies, between the two nearest in proportion; NaN of nothing. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}
