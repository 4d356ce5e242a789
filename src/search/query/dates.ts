import type { Atom } from "./lexer.ts";
import type { CreatedFilter } from "./query.ts";
import { QueryError } from "./query-error.ts";

const FIELDS = ["after", "before", "on"] as const;
type DateField = (typeof FIELDS)[number];

export function isDateField(field: string): field is DateField {
  return (FIELDS as readonly string[]).includes(field);
}

/**
 * A condition on the creation time of a record. `after:2025-03` includes March 1; `before:` excludes its day.
 *
 * @param beginOfDay when a day begins, by its beginning in UTC; without it, years, months and days are those of UTC
 * @throws QueryError `bad_date`
 */
export function createdQuery(
  { text, position }: Pick<Atom, "text" | "position">,
  field: DateField,
  beginOfDay?: (utc: Date) => Date,
): CreatedFilter {
  const [from, to] = rangeOf(text) ?? [];
  if (from === undefined || to === undefined) {
    const detail = "A date must be a year, a month or a day, such as 2025, 2025-03 or 2025-03-14.";
    throw new QueryError("bad_date", detail, position + field.length + 1);
  }
  const range = (begin: (utc: Date) => Date) => {
    if (field === "after") return { from: Number(begin(from)) };
    return field === "before"
      ? { to: Number(begin(from)) }
      : { from: Number(begin(from)), to: Number(begin(to)) };
  };
  const days = range((utc) => utc);
  return { type: "created", ...(beginOfDay === undefined ? days : { ...range(beginOfDay), days }) };
}

/** The start of a year, month or day, and of the next one, in UTC; undefined for any other text. */
function rangeOf(text: string): [from: Date, to: Date] | undefined {
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
  if (month === undefined) return [from, midnight(year + 1, 1, 1)];
  if (day === undefined) return [from, midnight(year, month + 1, 1)];
  return [from, midnight(year, month, day + 1)];
}

function midnight(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date;
}
