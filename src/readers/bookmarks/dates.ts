import { dateOf } from "../reading/foreign-values.ts";

/**
 * How a date is read: `guess` believes only dates at which the web existed, `exact` any ISO 8601 date, since it comes
 * from our own export.
 */
export type DateRule = "guess" | "exact";

/** Why a file's date cannot be used; the time of the import takes its place. */
export type DateNote = "date_missing" | "date_unreadable" | "date_absurd";

/** The web has no older pages. */
const EARLIEST = Date.UTC(1990, 0);
/** The tolerance for wrong clocks and confused time zones. */
const FUTURE_MAX = 24 * 60 * 60 * 1000;

/** The time from 1601, the epoch of Windows and Chromium, to 1970, in milliseconds. */
const SINCE_1601 = 11_644_473_600_000;

/**
 * The units in which programs count time, by the least count that is taken for each. In the years 1990 to 2100, no two of
 * them have a count in common, so that the magnitude shows the unit.
 */
const UNITS: readonly { readonly from: number; readonly perMillisecond: number; readonly epoch: number }[] = [
  // Nanoseconds since 1970; tenths of microseconds since 1601, as Windows counts.
  { from: 5e17, perMillisecond: 1e6, epoch: 0 },
  { from: 1e17, perMillisecond: 1e4, epoch: SINCE_1601 },
  // Microseconds since 1601, as Chromium counts, and since 1970.
  { from: 1e16, perMillisecond: 1e3, epoch: SINCE_1601 },
  { from: 1e14, perMillisecond: 1e3, epoch: 0 },
  // Milliseconds and seconds since 1970.
  { from: 1e11, perMillisecond: 1, epoch: 0 },
];

/**
 * Parses a date of any file of bookmarks to whole milliseconds: a count in the unit of {@link UNITS} that its magnitude
 * shows, or ISO 8601 and other forms that programs write, without a zone in UTC.
 */
export function readDate(raw: string | null, now: Date, rule: DateRule = "guess"): Date | DateNote {
  const text = raw?.trim() ?? "";
  if (text === "" || text === "0") return "date_missing";
  const isCount = /^-?\d{1,30}(\.\d{1,30})?$/.test(text);
  const time = isCount ? timeOfCount(Number(text)) : written(text);
  if (Number.isNaN(time)) return "date_unreadable";
  // Drops fractions of a millisecond.
  if (rule === "exact" && !isCount) return new Date(time);
  return time < EARLIEST || time > now.getTime() + FUTURE_MAX ? "date_absurd" : new Date(time);
}

/** In milliseconds since 1970. */
function timeOfCount(count: number): number {
  const unit = UNITS.find(({ from }) => count >= from);
  return unit === undefined ? count * 1000 : Math.floor(count / unit.perMillisecond) - unit.epoch;
}

/** As other programs write ISO 8601: the zone without a colon, or none, which is read as UTC. */
const LOOSE_ISO_8601 =
  /^(\d{4})([-/])(\d\d)\2(\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(?:([+-]\d\d):?(\d\d)|Z|UTC)?$/i;
/** The format of web server logs: `10/Oct/2000:13:55:36 +0300`. */
const COMMON_LOG = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})$/;
/** A day alone, as spreadsheets leave it: its beginning in UTC. */
const DAY = /^(\d{4})([-/])(\d\d)\2(\d\d)$/;

/** In milliseconds since 1970; NaN for what is no date. */
function written(text: string): number {
  const [day, ...ofDay] = DAY.exec(text) ?? [];
  if (day !== undefined) return timeAt(ofDay);
  const [loose, year, mark, month, date, clock, hours = "+00", minutes = "00"] =
    LOOSE_ISO_8601.exec(text) ?? [];
  if (loose !== undefined) return timeAt([year, mark, month, date], `T${clock}${hours}:${minutes}`);
  const [log, logDay, logMonth, logYear, time, zone] = COMMON_LOG.exec(text) ?? [];
  if (log !== undefined) return Date.parse(`${logDay} ${logMonth} ${logYear} ${time} ${zone}`);
  return dateOf(text)?.getTime() ?? Number.NaN;
}

function timeAt([year, , month, day]: readonly (string | undefined)[], clock = ""): number {
  const date = `${year}-${month}-${day}`;
  // The runtime takes February 30 for March 1.
  return new Date(date).getUTCDate() === Number(day) ? Date.parse(`${date}${clock}`) : Number.NaN;
}
