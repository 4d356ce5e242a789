import type { CreatedFilter } from "./query.ts";
import { QueryError } from "./query-error.ts";

const FIELDS = ["after", "before", "on"] as const;
type DateField = (typeof FIELDS)[number];

export function isDateField(field: string): field is DateField {
  return (FIELDS as readonly string[]).includes(field);
}

/**
 * A condition on the creation time of a record. Years, months and days are in UTC. `after:2025-03` includes
 * March 1; `before:` excludes its day.
 *
 * @throws QueryError `bad_date`
 */
export function createdQuery(field: DateField, text: string, position: number): CreatedFilter {
  const [from, to] = rangeOf(text) ?? [];
  if (from === undefined || to === undefined) {
    const detail = "A date must be a year, a month or a day, such as 2025, 2025-03 or 2025-03-14.";
    throw new QueryError("bad_date", detail, position);
  }
  if (field === "after") return { type: "created", from };
  return field === "before" ? { type: "created", to: from } : { type: "created", from, to };
}

/** The start of a year, month or day, and of the next one; undefined for any other text. */
function rangeOf(text: string): [from: number, to: number] | undefined {
  const match = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(text);
  if (match === null) return undefined;
  const [year = 0, month, day] = match
    .slice(1)
    .map((digits) => (digits === undefined ? undefined : Number(digits)));
  const from = midnight(year, month ?? 1, day ?? 1);
  if (
    from.getUTCFullYear() !== year ||
    from.getUTCMonth() + 1 !== (month ?? 1) ||
    from.getUTCDate() !== (day ?? 1)
  )
    return undefined;
  if (month === undefined) return [Number(from), Number(midnight(year + 1, 1, 1))];
  if (day === undefined) return [Number(from), Number(midnight(year, month + 1, 1))];
  return [Number(from), Number(midnight(year, month, day + 1))];
}

function midnight(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date;
}
