import { dayMark } from "../text/document.ts";
import { conditionOf, conditionsOf, type EntryCondition, required } from "./conditions.ts";
import { allOf, type CreatedFilter, type Query, type TimeRange } from "./query.ts";

/** A query without its dates and conditions, and the range of creation times that all its matches share. */
export interface RangedQuery {
  readonly query: Query | undefined;
  /** Milliseconds since 1970, inclusive. */
  readonly from: number | undefined;
  /** Milliseconds since 1970, exclusive. */
  readonly to: number | undefined;
  /** Ranges that no match is in, both bounds within the years 1970 to 9999. */
  readonly outside: readonly Required<TimeRange>[];
  readonly conditions: readonly EntryCondition[];
}

/** Extracts the dates that all matches must have, by which engines can seek, and the conditions on entries. */
export function extractDateRange(query: Query): RangedQuery {
  const conditions = conditionsOf(query);
  const nodes = required(query).filter((node) => conditionOf(node) === undefined);
  const dates = nodes.filter((node) => node.type === "created");
  // The index has words for the days of UTC only.
  const outside = nodes.flatMap((node) =>
    node.type === "not" && node.node.type === "created" && node.node.days !== undefined ? [node.node] : [],
  );
  const others = nodes.filter(
    (node) => node.type !== "created" && !(node.type === "not" && outside.some((one) => one === node.node)),
  );
  const froms = dates.flatMap(({ from }) => (from === undefined ? [] : [from]));
  const tos = dates.flatMap(({ to }) => (to === undefined ? [] : [to]));
  return {
    conditions,
    query: allOf(others),
    from: froms.length === 0 ? undefined : Math.max(0, ...froms),
    // No record is older than 1970, and not every engine can store earlier dates.
    to: tos.length === 0 ? undefined : Math.max(0, Math.min(MAX_TIME, ...tos)),
    outside: outside.map(({ from = 0, to = MAX_TIME }) => ({
      from: Math.max(0, from),
      to: Math.max(0, Math.min(MAX_TIME, to)),
    })),
  };
}

/** The end of the year 9999. */
const MAX_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * The date tokens of a range, for dates inside `OR` and `NOT`: a few dozen, since a decade, year or month
 * needs only one prefix.
 */
export function dayPrefixes(filter: CreatedFilter): string[] {
  const { from, to } = filter.days ?? filter;
  return prefixesIn("", from === undefined ? "" : isoDay(from), to === undefined ? "~" : isoDay(to));
}

/** The prefixes that begin with `prefix` and cover the dates from `first` on and before `end`. */
function prefixesIn(prefix: string, first: string, end: string): string[] {
  if (prefix + LATEST.slice(prefix.length) < first || prefix >= end) return [];
  const isWhole = prefix + EARLIEST.slice(prefix.length) >= first && !end.startsWith(prefix);
  if (isWhole || prefix.length === EARLIEST.length) return [dayMark(prefix)];
  const next = EARLIEST[prefix.length] === "-" ? "-" : "0123456789";
  return [...next].flatMap((character) => prefixesIn(prefix + character, first, end));
}

const EARLIEST = "0000-00-00";
const LATEST = "9999-99-99";

/**
 * The day of an instant. The first day of a month or year becomes `00`, so that prefixes cover the whole
 * month or year.
 */
function isoDay(time: number): string {
  if (time > MAX_TIME) return "~";
  return new Date(time)
    .toISOString()
    .slice(0, 10)
    .replace(/-01-01$/, "-00-00")
    .replace(/-01$/, "-00");
}
