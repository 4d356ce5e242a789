import type { DateRule } from "./file-row.ts";

/** Why a file's date cannot be used; the time of the import takes its place. */
export type DateNote = "date_missing" | "date_unreadable" | "date_absurd";

/** From these thresholds on, numbers are milliseconds, microseconds, and invalid. */
const MILLISECONDS_FROM = 1e11;
const MICROSECONDS_FROM = 1e14;
const NO_TIME_FROM = 1e17;

/** The time from 1601, the epoch of Windows and Chromium, to 1970, in milliseconds. */
const WEBKIT_EPOCH = 11_644_473_600_000;

/** The web has no older pages. */
const EARLIEST = Date.UTC(1990, 0);
/** The tolerance for wrong clocks and confused time zones. */
const FUTURE_MAX = 24 * 60 * 60 * 1000;

/**
 * Parses a date of a file to whole milliseconds. Browsers count seconds since 1970, Takeout milliseconds, Google
 * Bookmarks microseconds: the magnitude shows which. Dates with a zone in the common log format or ISO 8601 occur,
 * too.
 */
export function readDate(raw: string | null, now: Date, rule: DateRule = "guess"): Date | DateNote {
  const text = raw?.trim() ?? "";
  if (text === "" || text === "0") return "date_missing";
  const time = timeOf(text, rule);
  if (Number.isNaN(time)) return "date_unreadable";
  if (rule === "exact") return new Date(time);
  if (time < EARLIEST || time > now.getTime() + FUTURE_MAX) return "date_absurd";
  // Drops fractions of a millisecond.
  return new Date(time);
}

/** In milliseconds since 1970; NaN for an invalid date. */
function timeOf(text: string, rule: DateRule): number {
  if (rule === "exact") return ISO_8601.test(text) ? Date.parse(text) : Number.NaN;
  if (!/^-?\d{1,30}(\.\d{1,30})?$/.test(text)) return written(text);
  return rule === "webkit" ? Math.floor(Number(text) / 1000) - WEBKIT_EPOCH : byMagnitude(Number(text));
}

function byMagnitude(count: number): number {
  if (count < MILLISECONDS_FROM) return count * 1000;
  if (count < MICROSECONDS_FROM) return count;
  return count < NO_TIME_FROM ? count / 1000 : Number.POSITIVE_INFINITY;
}

/** As other programs write ISO 8601: the zone without a colon, or none, which is read as UTC. */
const LOOSE_ISO_8601 = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,9})?) ?(?:([+-]\d\d):?(\d\d)|UTC)?$/i;
const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i;
/** The format of web server logs: `10/Oct/2000:13:55:36 +0300`. */
const COMMON_LOG = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})$/;

function written(text: string): number {
  if (ISO_8601.test(text)) return Date.parse(text);
  const [loose, date, clock, hours = "+00", minutes = "00"] = LOOSE_ISO_8601.exec(text) ?? [];
  if (loose !== undefined) return Date.parse(`${date}T${clock}${hours}:${minutes}`);
  const [, day, month, year, time, zone] = COMMON_LOG.exec(text) ?? [];
  return day === undefined ? Number.NaN : Date.parse(`${day} ${month} ${year} ${time} ${zone}`);
}
