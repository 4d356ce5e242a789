import { instantOfLocal, isTimeZone, localOf } from "../zoned-time.ts";

/** The time zone of a site, in which its programs read dates that say none. */
export interface SiteZone {
  /** An IANA name. */
  readonly name: string;
  /** Whether only days alone are in it: Jekyll reads times in UTC. */
  readonly isOfDays: boolean;
}

/** @returns undefined for a name that this runtime does not know */
export function makeSiteZone(name: unknown, isOfDays: boolean): SiteZone | undefined {
  return typeof name === "string" && isTimeZone(name) ? { name, isOfDays } : undefined;
}

/** When a day begins in the zone of a site. @param day its beginning in UTC */
export function beginOfDay(day: Date, zone: SiteZone | undefined): Date {
  return zone === undefined ? day : instantOfLocal(day, zone.name);
}

/** The day of a date in the zone of its site, as if it were one of UTC. */
export function localDate(date: Date, zone: SiteZone | undefined): Date {
  return zone === undefined ? date : localOf(date, zone.name);
}

/**
 * Reads a date as a program may have written it: `2019-05-01`, `2013/7/13 20:46:25`, `2019-05-01T10:00:00+02`,
 * `Mon, 21 Apr 2025 06:00:00 EDT`, `April 21st, 2025 at 6:00 pm`. Without a time zone it is in that of its site, or else in UTC;
 * a zone's name that is not known, or that several zones have, is never taken for UTC.
 *
 * @returns undefined unless it is a date of the years 1970 to 9999
 */
export function dateOf(value: unknown, zone?: SiteZone): Date | undefined {
  const read = dateIn(value);
  if (read === undefined) return undefined;
  const isLocal = zone !== undefined && read.lacks !== undefined && (!zone.isOfDays || read.lacks === "time");
  const date = isLocal && isStorable(read.date) ? instantOfLocal(read.date, zone.name) : read.date;
  return isStorable(date) ? new Date(date.getTime()) : undefined;
}

function isStorable(date: Date): boolean {
  return date.getUTCFullYear() >= 1970 && date.getUTCFullYear() <= 9999;
}

/** Whether a value is a date that cannot be stored, since it is before 1970. */
export function isTooEarly(value: unknown): boolean {
  const date = dateIn(value)?.date;
  return date !== undefined && date.getUTCFullYear() < 1970;
}

interface ReadDate {
  readonly date: Date;
  /** What it does not say: its zone alone, or the time, too. */
  readonly lacks?: "zone" | "time" | undefined;
}

function dateIn(value: unknown): ReadDate | undefined {
  if (typeof value === "string") return parsed(value.trim());
  if (!(value instanceof Date)) return undefined;
  // Those of TOML know what they say.
  const toml = value as { isDate?(): boolean; isLocal?(): boolean };
  return { date: value, lacks: toml.isDate?.() ? "time" : toml.isLocal?.() ? "zone" : undefined };
}

/** No date is longer, in characters. */
const DATE_MAX = 100;

function parsed(text: string): ReadDate | undefined {
  if (text.length > DATE_MAX) return undefined;
  const numeric = NUMERIC.exec(text);
  if (numeric === null) return inWords(text);
  const [, year = "", , month = "", day = "", rest = ""] = numeric;
  const time = timeOf(rest.replace(/^T(?=\d)/i, "").trim());
  return time && instantOf({ year: Number(year), month: Number(month), day: Number(day), ...time });
}

/** The day in numbers, with the same sign between them twice, and what follows. */
const NUMERIC = /^(\d{4})([-/.])(\d\d?)\2(\d\d?)(?:((?:T|[ ,])[\s\S]*))?$/i;

interface Time {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  /** Minutes east of Greenwich. */
  readonly offset: number;
  readonly lacks?: ReadDate["lacks"];
}

/** Hour, minute, second, fraction of it, half of the day, and zone. */
const TIME =
  /^(\d\d?)(?::(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s{0,9}([ap]\.?m\.?(?![a-z]))?\s{0,9}(\S[\s\S]*)?$/i;

/** A time of day and its zone; midnight in UTC if there is none. */
function timeOf(text: string): Time | undefined {
  if (text === "") return { hour: 0, minute: 0, second: 0, millisecond: 0, offset: 0, lacks: "time" };
  const [, hour, minute, second = "0", fraction = "", half = "", zone = ""] = TIME.exec(text) ?? [];
  // An hour alone is none, unless it says of which half of the day.
  if (hour === undefined || (minute === undefined && half === "")) return undefined;
  const offset = offsetOf(zone.trim());
  if (offset === undefined) return undefined;
  const given = Number(hour);
  if (half !== "" && (given < 1 || given > 12)) return undefined;
  return {
    hour: half === "" ? given : (given % 12) + (/^p/i.test(half) ? 12 : 0),
    minute: Number(minute ?? 0),
    second: Number(second),
    millisecond: Number(fraction.padEnd(3, "0").slice(0, 3)),
    offset,
    lacks: zone.trim() === "" ? "zone" : undefined,
  };
}

/**
 * Zones by their names, in hours east of Greenwich: the ten of RFC 822, and others whose name no second zone has. Not
 * among them are such as IST, which is India's, Ireland's and Israel's.
 */
const ZONES: Readonly<Record<string, number>> = {
  ...{ z: 0, ut: 0, utc: 0, gmt: 0, est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 },
  ...{ wet: 0, west: 1, bst: 1, cet: 1, cest: 2, mez: 1, mesz: 2, met: 1, mest: 2, eet: 2, eest: 3, msk: 3 },
  ...{ akst: -9, akdt: -8, hst: -10, nst: -3.5, ndt: -2.5, brt: -3, sast: 2, pkt: 5, wib: 7, hkt: 8, sgt: 8 },
  ...{ jst: 9, kst: 9, awst: 8, acst: 9.5, acdt: 10.5, aest: 10, aedt: 11, nzst: 12, nzdt: 13 },
};

/** `+02`, `-0500` or `+05:30`, perhaps behind GMT or UTC, and perhaps with the zone's name in parentheses. */
const OFFSET = /^(?:(?:GMT|UTC)\s?)?([+-])(\d\d?)(?::?(\d\d)(?::?00)?)?(?:\s\([^()]{1,80}\))?$/i;

/** Minutes east of Greenwich; undefined for a zone that is not known. */
function offsetOf(zone: string): number | undefined {
  if (zone === "") return 0;
  const named = ZONES[zone.toLowerCase()];
  if (named !== undefined && Object.hasOwn(ZONES, zone.toLowerCase())) return named * 60;
  const [, sign, hours, minutes = "0"] = OFFSET.exec(zone) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

const MONTHS = [
  ...["january", "february", "march", "april", "may", "june"],
  ...["july", "august", "september", "october", "november", "december"],
];
const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/** A date in English words, with the day before or after the month: RFC 822, RFC 850, and as people and programs write it. */
function inWords(text: string): ReadDate | undefined {
  const words = text.split(/[\s,]+|(?<=\d)-(?=[a-z])|(?<=[a-z])-(?=\d)/i).filter((word) => word !== "");
  if (isOneOf(WEEKDAYS, words[0] ?? "") !== undefined) words.shift();
  const at = words.slice(0, 2).findIndex((word) => isOneOf(MONTHS, word) !== undefined);
  const month = at === -1 ? undefined : isOneOf(MONTHS, words[at] ?? "");
  if (month === undefined) return undefined;
  const day = /^(\d\d?)(?:st|nd|rd|th)?$/i.exec(words[at === 0 ? 1 : 0] ?? "")?.[1];
  const rest = words.slice(2);
  // RFC 850 and 822 have two digits, but only behind the month; the C library has the year at the end, or before the zone.
  const year = rest.findIndex(
    (word, index) => /^\d{4}$/.test(word) || (at === 1 && index === 0 && /^\d\d$/.test(word)),
  );
  if (day === undefined || year === -1) return undefined;
  const [digits = ""] = rest.splice(year, 1);
  if (/^at$/i.test(rest[0] ?? "")) rest.shift();
  const time = timeOf(rest.join(" "));
  const full = digits.length === 2 ? Number(digits) + (Number(digits) < 50 ? 2000 : 1900) : Number(digits);
  return time && instantOf({ year: full, month: month + 1, day: Number(day), ...time });
}

/** The index of the name that a word is, or begins with three letters or more. */
function isOneOf(names: readonly string[], word: string): number | undefined {
  const name = word.toLowerCase().replace(/\.$/, "");
  const index = name.length < 3 ? -1 : names.findIndex((each) => each.startsWith(name));
  return index === -1 ? undefined : index;
}

function instantOf({
  year,
  month,
  day,
  hour,
  minute,
  second,
  millisecond,
  offset,
  lacks,
}: Time & { readonly year: number; readonly month: number; readonly day: number }): ReadDate | undefined {
  const isMidnight = hour === 24 && minute === 0 && second === 0 && millisecond === 0;
  if (month < 1 || month > 12 || day < 1 || (hour > 23 && !isMidnight) || minute > 59 || second > 60)
    return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // Otherwise, the 31st of a short month would become a day of the next one.
  if (date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute - offset, second, millisecond);
  return { date, lacks };
}
