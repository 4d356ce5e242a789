import type { OrderTerm } from "./ghost-query.ts";
import type { Comparison, NqlFilter } from "./nql.ts";
import { badParameter } from "./operation.ts";

/** The fields by which a tag or an author can be filtered and ordered. */
export type FilterableRecord = Readonly<Record<string, string | number | boolean | null>>;

/** Whether a record matches a filter. @throws Refusal `malformed` for an unknown field */
export function matchesFilter(filter: NqlFilter, record: FilterableRecord): boolean {
  if (filter.kind === "comparison") return isEqual(filter, record) !== filter.not;
  const matches = (part: NqlFilter) => matchesFilter(part, record);
  return filter.kind === "and" ? filter.parts.every(matches) : filter.parts.some(matches);
}

function isEqual({ field, operator, values, position }: Comparison, record: FilterableRecord): boolean {
  if (!Object.hasOwn(record, field))
    throw badParameter("filter", `There is no filter for the field ${field}.`, position);
  const own = record[field] ?? null;
  if (operator === "in") return values.some((value) => String(value) === String(own));
  const other = Number(values[0]);
  if (typeof own !== "number" || Number.isNaN(other))
    throw badParameter("filter", `${field} cannot be compared with < or >.`, position);
  if (operator === ">") return own > other;
  if (operator === ">=") return own >= other;
  return operator === "<" ? own < other : own <= other;
}

/** Checks the fields of a filter even if there is no record to match. */
export function checkFilter(filter: NqlFilter, example: FilterableRecord): void {
  if (filter.kind === "comparison") isEqual(filter, example);
  else for (const part of filter.parts) checkFilter(part, example);
}

/** Makes a function that compares two records. @throws Refusal `malformed` for an unknown field */
export function recordComparator(order: readonly OrderTerm[], example: FilterableRecord) {
  for (const { field } of order)
    if (!Object.hasOwn(example, field))
      throw badParameter("order", `These records cannot be ordered by ${field}.`);
  return (one: FilterableRecord, other: FilterableRecord): number => {
    for (const { field, descending } of order) {
      const [a, b] = [one[field] ?? "", other[field] ?? ""];
      if (a !== b) return a < b === descending ? 1 : -1;
    }
    return 0;
  };
}
