import type { Goal, Row, Sample } from "./row.ts";

/** What a row came to; the elements of `rows` in the output of `--json`. */
export interface Result {
  readonly name: string;
  readonly figure: string;
  readonly unit: Row["unit"];
  readonly against?: string;
  /** Medians. */
  readonly limit?: number;
  readonly ours?: number;
  /** The median of the rounds' ratios of ours to the limit, which is not the ratio of the medians. */
  readonly ratio?: number;
  readonly goal?: Goal;
  /** Absent where there is no goal, and where the ratio meets it only because the limit was held up. */
  readonly met?: boolean;
  /** Least and greatest ratio, or figure where there is no limit. */
  readonly spread?: readonly [number, number];
  /** Why there is no figure. */
  readonly failure?: string;
  /** What makes the figure worth less than it looks. */
  readonly caveat?: string;
}

/** One round: ours, and the limit just before it. */
export interface Round {
  readonly limit: Sample | undefined;
  readonly ours: Sample;
}

/** A server that was to be at its limit, and used less of its core than this, was not. */
const BUSY = 0.9;

/**
 * The result of a row's rounds, of which there is at least one.
 * @param pinned whether the measured servers had a core of their own to use up
 */
export function summarise(row: Row, rounds: readonly Round[], pinned: boolean): Result {
  const ours = rounds.map((round) => round.ours.value);
  const limits = rounds.flatMap(({ limit }) => limit ?? []);
  const ratios = rounds.flatMap((round) => (round.limit ? round.ours.value / round.limit.value : []));
  const judged = ratios.length > 0 ? ratios : ours;
  const busy = pinned ? median(limits.flatMap((limit) => limit.busy ?? [])) : Number.NaN;
  const flattering = busy < BUSY;
  const met = row.goal && meets(median(judged), row.goal);
  return {
    ...labels(row),
    ours: median(ours),
    ...(limits.length > 0 && { limit: median(limits.map(({ value }) => value)), ratio: median(ratios) }),
    ...(met !== undefined && !(met && flattering) && { met }),
    spread: [Math.min(...judged), Math.max(...judged)],
    ...(flattering && { caveat: caveatOf(busy) }),
  };
}

/** The result of a row that could not be measured. */
export function failed(row: Row, error: unknown): Result {
  const failure = error instanceof Error ? error.message : String(error);
  return { ...labels(row), ...(row.goal && { met: false }), failure };
}

function labels({ name, figure, unit, limit, goal }: Row) {
  return { name, figure, unit, ...(limit && { against: limit }), ...(goal && { goal }) };
}

function caveatOf(busy: number): string {
  return `the limit used only ${Math.round(busy * 100)} % of its core; the load, or another program, held it up`;
}

function meets(value: number, goal: Goal): boolean {
  return "atLeast" in goal ? value >= goal.atLeast : value <= goal.atMost;
}

/** The middle value, or the mean of the two middle ones; NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = low] = sorted.slice(
    sorted.length % 2 === 0 ? middle - 1 : middle,
    middle + 1,
  );
  return (low + high) / 2;
}
