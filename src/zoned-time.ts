/** A local date and time. */
export interface LocalTime {
  readonly year: number;
  /** 1 for January. */
  readonly month: number;
  readonly day?: number;
  readonly hour?: number;
  readonly minute?: number;
}

/**
 * The instant of a local time. A time skipped by a clock change is moved forward; of a repeated time, the first
 * instant is returned.
 * @param timeZone an IANA name
 */
export function instantOf({ year, month, day = 1, hour = 0, minute = 0 }: LocalTime, timeZone: string): Date {
  const wanted = Date.UTC(year, month - 1, day, hour, minute);
  // The offsets before and after a possible clock change.
  const offsets = [offsetAt(wanted - 86_400_000, timeZone), offsetAt(wanted + 86_400_000, timeZone)];
  const found = offsets
    .map((offset) => wanted - offset)
    .filter((at) => at + offsetAt(at, timeZone) === wanted);
  return new Date(found.length > 0 ? Math.min(...found) : wanted - (offsets[0] ?? 0));
}

/**
 * The same for a time that a person typed. @returns undefined if it does not exist, and outside of the years 1970 to
 * 9999
 */
export function existingInstantOf(local: Required<LocalTime>, timeZone: string): Date | undefined {
  const { year, month, day, hour, minute } = local;
  // `Date.UTC` takes the years 0 to 99 for those of the 20th century.
  if (year < 1970 || year > 9999 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59)
    return undefined;
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  const instant = instantOf(local, timeZone);
  return instant.getUTCFullYear() >= 1970 && instant.getUTCFullYear() <= 9999 ? instant : undefined;
}

/** The instant of a local time that is given as if it were one of UTC. */
export function instantOfLocal(local: Date, timeZone: string): Date {
  const minutes = instantOf(
    {
      ...{ year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() },
      ...{ hour: local.getUTCHours(), minute: local.getUTCMinutes() },
    },
    timeZone,
  );
  return new Date(minutes.getTime() + (local.getTime() % 60_000));
}

/** The local time of an instant, as if it were one of UTC. */
export function localOf(instant: Date, timeZone: string): Date {
  return new Date(instant.getTime() + offsetAt(instant.getTime(), timeZone));
}

/** Whether this runtime knows a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return formatter(name) !== undefined;
  } catch {
    return false;
  }
}

/** The year in a time zone. */
export function yearOf(date: Date, timeZone: string): number {
  return new Date(date.getTime() + offsetAt(date.getTime(), timeZone)).getUTCFullYear();
}

/** Whether two instants show the same date, hour and minute in a time zone, also before and after a clock is set back. */
export function isSameMinute(one: Date, other: Date, timeZone: string): boolean {
  const minute = (date: Date) => Math.floor((date.getTime() + offsetAt(date.getTime(), timeZone)) / 60_000);
  return minute(one) === minute(other);
}

/** The UTC offset of a time zone, in milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
  const seconds = Math.floor(instant / 1000) * 1000;
  const part: Record<string, number> = {};
  for (const { type, value } of formatter(timeZone).formatToParts(seconds)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - seconds;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const created = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formatters.set(timeZone, created);
  return created;
}
