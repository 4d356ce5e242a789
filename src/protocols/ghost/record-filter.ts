import type { Order } from "./ghost-query.ts";
import type { Comparison, Nql } from "./nql.ts";
import { badParameter } from "./operation.ts";

/** The members of a tag or an author by which it is filtered and ordered. */
export type Comparable = Readonly<Record<string, string | number | boolean | null>>;

/** Whether a record is what a filter asks for. @throws Refusal `malformed` for a member that there is not */
export function isMatch(filter: Nql, record: Comparable): boolean {
  if (filter.kind === "comparison") return isEqual(filter, record) !== filter.not;
  const matches = (part: Nql) => isMatch(part, record);
  return filter.kind === "and" ? filter.parts.every(matches) : filter.parts.some(matches);
}

function isEqual({ field, operator, values, position }: Comparison, record: Comparable): boolean {
  if (!Object.hasOwn(record, field))
    throw badParameter("filter", `There is no field ${field} to filter by.`, position);
  const own = record[field] ?? null;
  if (operator === "in") return values.some((value) => String(value) === String(own));
  const other = Number(values[0]);
  if (typeof own !== "number" || Number.isNaN(other))
    throw badParameter("filter", `${field} is not more or less.`, position);
  if (operator === ">") return own > other;
  if (operator === ">=") return own >= other;
  return operator === "<" ? own < other : own <= other;
}

/** Checks a filter also where there is no record that it could be tried on. */
export function checkFilter(filter: Nql, example: Comparable): void {
  if (filter.kind === "comparison") isEqual(filter, example);
  else for (const part of filter.parts) checkFilter(part, example);
}

/** Compares two records. @throws Refusal `malformed` for a member that there is not */
export function comparison(order: readonly Order[], example: Comparable) {
  for (const { field } of order)
    if (!Object.hasOwn(example, field)) throw badParameter("order", `Nothing is ordered by ${field} here.`);
  return (one: Comparable, other: Comparable): number => {
    for (const { field, descending } of order) {
      const [a, b] = [one[field] ?? "", other[field] ?? ""];
      if (a !== b) return a < b === descending ? 1 : -1;
    }
    return 0;
  };
}
