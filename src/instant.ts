const RFC_3339 = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/**
 * An instant as a client sends it: RFC 3339 with an offset, in whole milliseconds.
 * @returns undefined for any other text, such as the 30th of February, and outside of the years 1970 to 9999
 */
export function parseInstant(text: string): Date | undefined {
  const [, day] = RFC_3339.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  const date = new Date(text.toUpperCase());
  const year = date.getUTCFullYear();
  return year >= 1970 && year <= 9999 ? date : undefined;
}

/** Whether a day such as `2028-02-29` exists: the runtime takes the one after the end of a month for the next month's. */
function isDay(day: string): boolean {
  const start = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(day);
}
