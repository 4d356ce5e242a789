/** Formats dates and times in the site's language and time zone. */
export class Dates {
  readonly timeZone: string;
  readonly #language: string;

  /** @param timeZone an IANA name */
  constructor(language: string, timeZone: string) {
    this.#language = language;
    this.timeZone = timeZone;
  }

  /** Such as "November 21, 2026". */
  day(date: Date): string {
    return this.#format(date, { dateStyle: "long" });
  }

  /** Such as "Nov 21, 2026", for lists. */
  shortDay(date: Date): string {
    return this.#format(date, { dateStyle: "medium" });
  }

  /** Such as "November 21", for days of this year. */
  dayOfYear(date: Date): string {
    return this.#format(date, { month: "long", day: "numeric" });
  }

  /** Such as "November". */
  month(date: Date): string {
    return this.#format(date, { month: "long" });
  }

  /** Such as "09:41". */
  time(date: Date): string {
    return this.#format(date, { timeStyle: "short", hourCycle: "h23" });
  }

  /** Such as "Nov 21, 2026, 09:41". Say the zone beside it, once in each block of text. */
  dayAndTime(date: Date): string {
    return this.#format(date, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
  }

  /** The calendar day as `YYYY-MM-DD`, for grouping and for `datetime`. */
  isoDay(date: Date): string {
    // The Swedish way of writing a day is that of ISO 8601.
    return formatter("sv", { dateStyle: "short", timeZone: this.timeZone }).format(date);
  }

  /** The whole days from a date to now, by the calendar of the zone: 0 for today, 1 for yesterday. */
  daysAgo(date: Date, now: Date): number {
    return (Date.parse(this.isoDay(now)) - Date.parse(this.isoDay(date))) / 86_400_000;
  }

  #format(date: Date, options: Intl.DateTimeFormatOptions): string {
    return formatter(this.#language, { ...options, timeZone: this.timeZone }).format(date);
  }
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Creating a formatter costs far more than using it. */
function formatter(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${Object.entries(options).join(" ")}`;
  let known = formatters.get(key);
  if (known === undefined) {
    known = new Intl.DateTimeFormat(language, options);
    formatters.set(key, known);
  }
  return known;
}

/** Whether a text is the name of a known time zone. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
