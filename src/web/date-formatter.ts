const STYLES = {
  day: { dateStyle: "long" },
  shortDay: { dateStyle: "medium" },
  dayAndMonth: { month: "long", day: "numeric" },
  dayOfYear: { month: "short", day: "numeric" },
  month: { month: "long" },
  time: { timeStyle: "short", hourCycle: "h23" },
  dayAndTime: { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" },
  isoDay: { dateStyle: "short" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** How people choose to have dates written: as in the language, or the day, the month or the year first. */
export const DATE_STYLES = ["language", "dmy", "mdy", "ymd"] as const;
export type DateStyle = (typeof DATE_STYLES)[number];

/** The English in which each style is usual; the one of the language is given. */
const LOCALES: Readonly<Record<DateStyle, string | undefined>> = {
  language: undefined,
  dmy: "en-GB",
  mdy: "en-US",
  ymd: undefined,
};

/**
 * The English in which the dates of a site are written: the pages are in English, but outside of the United States
 * nearly everyone puts the day before the month.
 */
export function localeOf({ language }: { readonly language: string }): string {
  if (language === "en") return language;
  return language.startsWith("en-") ? language : "en-GB";
}

/** What comes first in a short date. */
const FIRST: Readonly<Record<string, DateStyle>> = { day: "dmy", month: "mdy", year: "ymd" };

/** How dates are usual in the first language that a browser asks for; as in the site's language when it names none. */
export function dateStyleFor(acceptLanguage: string | null): DateStyle {
  const [, language] =
    /^\s{0,9}([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3})\s{0,9}(?:[,;]|$)/.exec(acceptLanguage ?? "") ?? [];
  if (language === undefined) return "language";
  try {
    const options = { dateStyle: "short", calendar: "gregory" } as const;
    const parts = new Intl.DateTimeFormat(language, options).formatToParts();
    const style = FIRST[parts.find(({ type }) => FIRST[type] !== undefined)?.type ?? ""] ?? "language";
    // English dates have the month first until another order is chosen.
    return style === "mdy" ? "language" : style;
  } catch {
    return "language";
  }
}

/** The formats of one language and one time zone, made when they are first used: that costs far more than their use. */
class Formats {
  readonly #language: string;
  readonly #timeZone: string;
  readonly #made: Partial<Record<keyof typeof STYLES, Intl.DateTimeFormat>> = {};

  constructor(language: string, timeZone: string) {
    this.#language = language;
    this.#timeZone = timeZone;
  }

  /** @param dates at midnight, UTC */
  range(style: "dayAndMonth" | "day", [first, last]: readonly [Date, Date]): string {
    return new Intl.DateTimeFormat(this.#language, { ...STYLES[style], timeZone: "UTC" }).formatRange(
      first,
      last,
    );
  }

  format(style: keyof typeof STYLES, date: Date): string {
    // The Swedish way of writing a day is that of ISO 8601.
    const language = style === "isoDay" ? "sv" : this.#language;
    this.#made[style] ??= new Intl.DateTimeFormat(language, { ...STYLES[style], timeZone: this.#timeZone });
    return unbroken(this.#made[style].format(date));
  }
}

/** A day is never broken between two lines; its time may stand on the next one. */
function unbroken(text: string): string {
  return text.replace(/ (?!\d\d:\d\d$)/g, "\u00a0");
}

const formats = new Map<string, Formats>();

function formatsOf(language: string, timeZone: string): Formats {
  const key = `${language} ${timeZone}`;
  const known = formats.get(key) ?? new Formats(language, timeZone);
  formats.set(key, known);
  return known;
}

/** Formats dates and times in the site's language and time zone. */
export class DateFormatter {
  readonly timeZone: string;
  readonly #formats: Formats;
  readonly #isIso: boolean;

  /** @param timeZone an IANA name */
  constructor(language: string, timeZone: string, style: DateStyle = "language") {
    const locale = LOCALES[style] ?? language;
    this.#formats = formatsOf(locale, timeZone);
    this.#isIso = style === "ymd";
    this.timeZone = timeZone;
  }

  /** Such as "November 21, 2026". */
  day(date: Date): string {
    return this.#isIso ? this.isoDay(date) : this.#formats.format("day", date);
  }

  /** Such as "Nov 21, 2026", for lists. */
  shortDay(date: Date): string {
    return this.#isIso ? this.isoDay(date) : this.#formats.format("shortDay", date);
  }

  /** Such as "November 21", for days of this year. */
  dayAndMonth(date: Date): string {
    return this.#isIso ? this.isoDay(date) : this.#formats.format("dayAndMonth", date);
  }

  /**
   * Such as "November 16 – 22", and with the year where that is not the year of today.
   * @param first as `YYYY-MM-DD`, as all of them
   */
  span(first: string, last: string, today: string): string {
    if (this.#isIso) return `${first} – ${last}`;
    const isThisYear = [first, last].every((day) => day.slice(0, 4) === today.slice(0, 4));
    return this.#formats.range(isThisYear ? "dayAndMonth" : "day", [new Date(first), new Date(last)]);
  }

  /** Such as "Nov 21", below its year. */
  dayOfYear(date: Date): string {
    return this.#isIso ? this.isoDay(date).slice(-5) : this.#formats.format("dayOfYear", date);
  }

  /** Such as "November". */
  month(date: Date): string {
    return this.#formats.format("month", date);
  }

  /** Such as "09:41". */
  time(date: Date): string {
    return this.#formats.format("time", date);
  }

  /** Such as "Nov 21, 2026, 09:41", in the zone that the settings name. */
  dayAndTime(date: Date): string {
    return this.#isIso
      ? `${this.isoDay(date)}, ${this.time(date)}`
      : this.#formats.format("dayAndTime", date);
  }

  /** The calendar day as `YYYY-MM-DD`, for grouping and for `datetime`. */
  isoDay(date: Date): string {
    return this.#formats.format("isoDay", date);
  }

  /** The whole days from a date to now, by the calendar of the zone: 0 for today, 1 for yesterday. */
  daysAgo(date: Date, now: Date): number {
    return (Date.parse(this.isoDay(now)) - Date.parse(this.isoDay(date))) / 86_400_000;
  }
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
