import type { QueryPart } from "./query-parts.ts";

/** A date in a search as people say it: "last spring", "March 2024", "2024-05-14". */
export interface SpokenDate extends DateSearch {
  /** The same for the month of a shorter time. */
  readonly month: DateSearch | undefined;
}

/** A search within a time. */
export interface DateSearch {
  /** The search with a filter by the date instead of its words. */
  readonly q: string;
  /** The first and the last day, as `YYYY-MM-DD`. */
  readonly first: string;
  readonly last: string;
}

const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
/** The first months of the seasons, from 0, as in the north of the world: the offer says which months it means. */
const SEASONS: Readonly<Record<string, number>> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };
const PREPOSITIONS = new Set(["in", "on", "from", "of"]);
const EARLIEST_YEAR = 1990;

/** A range of days, and how many words name it. */
interface Range {
  readonly first: Date;
  /** Exclusive. */
  readonly end: Date;
  readonly words: number;
}

/**
 * The first date that a search says in words, unless it has a date already.
 * @param parts of the search
 * @param today as `YYYY-MM-DD`, by the calendar of the site
 */
export function findSpokenDate(parts: readonly QueryPart[], today: string): SpokenDate | undefined {
  if (parts.some(({ field }) => field === "after" || field === "before" || field === "on")) return undefined;
  const words = parts.map(({ isWord, value }) => (isWord ? value.toLowerCase().replace(/[.,]$/, "") : ""));
  const now = new Date(`${today}T00:00:00Z`);
  for (let start = 0; start < words.length; start++) {
    const range = rangeAt(words, start, now);
    if (range === undefined || range.first > now) continue;
    const first = isoDay(range.first);
    const last = isoDay(dayOf(range.end, { days: -1 }));
    const others = parts.filter((_, index) => index < start || index >= start + range.words);
    // The last word of a search counts as the beginning of one: it stays the last.
    const within = (from: string, end: string) => ({
      q: [...filtersOf(from, end), ...others.map(({ text }) => text)].join(" "),
      first: from,
      last: isoDay(dayOf(new Date(end), { days: -1 })),
    });
    const month = first.slice(0, 7);
    const whole = within(`${month}-01`, endOf(month));
    const found = within(first, isoDay(range.end));
    return { ...found, month: last.startsWith(month) && found.q !== whole.q ? whole : undefined };
  }
  return undefined;
}

/** `on:` for a day, a month or a year, else `after:` and `before:`. */
function filtersOf(first: string, end: string): string[] {
  for (const length of [4, 7, 10]) {
    const prefix = first.slice(0, length);
    if (endOf(prefix) === end && first === prefix + "-01-01".slice(length - 4)) return [`on:${prefix}`];
  }
  return [`after:${first}`, `before:${end}`];
}

/** The first and the last day of a year, a month or a day as a filter has it; undefined for anything else. */
export function daysOf(prefix: string): Pick<DateSearch, "first" | "last"> | undefined {
  const [, year, month = "1", day = "1"] = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(prefix) ?? [];
  if (year === undefined) return undefined;
  const parts = prefix.split("-").map((part) => part.padStart(2, "0"));
  const first = [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-");
  if (Number.isNaN(Date.parse(first))) return undefined;
  return { first, last: isoDay(dayOf(new Date(endOf(parts.join("-"))), { days: -1 })) };
}

/** The day after a year, a month or a day. */
function endOf(prefix: string): string {
  const first = new Date(`${prefix + "-01-01".slice(prefix.length - 4)}T00:00:00Z`);
  const unit = prefix.length === 4 ? { years: 1 } : prefix.length === 7 ? { months: 1 } : { days: 1 };
  return isoDay(dayOf(first, unit));
}

function rangeAt(words: readonly string[], start: number, now: Date): Range | undefined {
  let at = start;
  if (words[at] === "saved") at++;
  const preposition = PREPOSITIONS.has(words[at] ?? "") ? words[at++] : undefined;
  const found =
    namedDay(words[at], now) ??
    relative(words[at], words[at + 1], now) ??
    dayOfMonth(words[at], words[at + 1], words[at + 2], now) ??
    ofYear(words, at) ??
    calendar(words[at], now) ??
    (preposition === "in" ? lastMonth(words[at], now) : undefined);
  return found && { ...found, words: at - start + found.words };
}

function namedDay(word: string | undefined, now: Date): Range | undefined {
  if (word !== "today" && word !== "yesterday") return undefined;
  const first = dayOf(now, { days: word === "today" ? 0 : -1 });
  return { first, end: dayOf(first, { days: 1 }), words: 1 };
}

/** "last week", "this year", "last spring", "last March". */
function relative(which = "", unit = "", now: Date): Range | undefined {
  if (which !== "last" && which !== "this") return undefined;
  const back = which === "last" ? 1 : 0;
  const year = now.getUTCFullYear();
  const month = now.getUTCMonth();
  if (unit === "week") {
    const monday = dayOf(now, { days: -((now.getUTCDay() + 6) % 7) - 7 * back });
    return { first: monday, end: dayOf(monday, { days: 7 }), words: 2 };
  }
  if (unit === "month") return { ...months(year, month - back, 1), words: 2 };
  if (unit === "year") return { ...months(year - back, 0, 12), words: 2 };
  const season = SEASONS[unit];
  if (season !== undefined) {
    const current = months(year, season, 3);
    // The last one is the last that is over.
    const isOver = current.end <= now;
    return { ...(back === 1 && !isOver ? months(year - 1, season, 3) : current), words: 2 };
  }
  const found = back === 1 ? lastMonth(unit, now) : undefined;
  return found && { ...found, words: 2 };
}

/** "April 17", "17 April", "April 17th 2024"; without a year, the last one that has begun. */
function dayOfMonth(first = "", second = "", third: string | undefined, now: Date): Range | undefined {
  const month = monthOf(first) ?? monthOf(second);
  const [, digits] = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(monthOf(first) === undefined ? first : second) ?? [];
  if (month === undefined || digits === undefined) return undefined;
  const named = yearOf(third);
  const latest = named ?? now.getUTCFullYear();
  // February 29 is in one year of four, or of eight.
  for (let year = latest; year >= (named ?? latest - 8); year--) {
    const day: Date = new Date(Date.UTC(year, month, Number(digits)));
    if (day.getUTCMonth() !== month || (named === undefined && day > now)) continue;
    return { first: day, end: dayOf(day, { days: 1 }), words: named === undefined ? 2 : 3 };
  }
  return undefined;
}

/** "March 2024", "March of 2024", "spring 2024". */
function ofYear(words: readonly string[], at: number): Range | undefined {
  const name = words[at] ?? "";
  const next = words[at + 1] === "of" ? at + 2 : at + 1;
  const year = yearOf(words[next]);
  if (year === undefined) return undefined;
  const month = monthOf(name);
  const season = SEASONS[name];
  const count = next - at + 1;
  if (month !== undefined) return { ...months(year, month, 1), words: count };
  return season === undefined ? undefined : { ...months(year, season, 3), words: count };
}

/** "2024", "2024-05", "2024-05-14". */
function calendar(word = "", now: Date): Range | undefined {
  const [, digits, month, day] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(word) ?? [];
  const year = yearOf(digits);
  if (year === undefined || year > now.getUTCFullYear()) return undefined;
  if (month === undefined) return { ...months(year, 0, 12), words: 1 };
  if (Number(month) < 1 || Number(month) > 12) return undefined;
  if (day === undefined) return { ...months(year, Number(month) - 1, 1), words: 1 };
  const first = new Date(Date.UTC(year, Number(month) - 1, Number(day)));
  return isoDay(first) === word ? { first, end: dayOf(first, { days: 1 }), words: 1 } : undefined;
}

/** The last month of a name that has begun. */
function lastMonth(name: string | undefined, now: Date): Range | undefined {
  const month = monthOf(name);
  if (month === undefined) return undefined;
  const year = now.getUTCFullYear() - (month > now.getUTCMonth() ? 1 : 0);
  return { ...months(year, month, 1), words: 1 };
}

function monthOf(name = ""): number | undefined {
  const index =
    name.length < 3 ? -1 : MONTHS.findIndex((month) => month === name || month.slice(0, 3) === name);
  return index === -1 ? undefined : index;
}

function yearOf(word = ""): number | undefined {
  const year = /^\d{4}$/.test(word) ? Number(word) : 0;
  return year >= EARLIEST_YEAR && year < 2100 ? year : undefined;
}

function months(year: number, month: number, count: number): { readonly first: Date; readonly end: Date } {
  return { first: new Date(Date.UTC(year, month, 1)), end: new Date(Date.UTC(year, month + count, 1)) };
}

function dayOf(
  date: Date,
  { years = 0, months = 0, days = 0 }: { years?: number; months?: number; days?: number },
): Date {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  return new Date(Date.UTC(year + years, month + months, day + days));
}

function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}
