import { POST_TAGS_MAX } from "../../posts/post.ts";
import { addressOf } from "../../posts/rendering/embedded.ts";
import { makeTagName, tagKey } from "../../tags/tag-name.ts";

/** Converts values from other programs' files to valid members of records. */

/** Text without characters that the engines cannot store. */
export function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

/** Text as one line of at most `max` characters, shortened with an ellipsis. */
export function lineOf(text: string, max: number): string {
  const line = storable(text).replace(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length <= max
    ? line
    : `${characters
        .slice(0, max - 1)
        .join("")
        .trimEnd()}…`;
}

/** Names as tags of a post, without duplicates, at most {@link POST_TAGS_MAX}. */
export function tagsFrom(names: readonly string[]): string[] {
  const tags = new Map<string, string>();
  for (const name of names) {
    const tag = makeTagName(storable(name));
    if (tag !== null && !tags.has(tagKey(tag))) tags.set(tagKey(tag), tag);
  }
  return [...tags.values()].slice(0, POST_TAGS_MAX);
}

/** A value as the http or https URL of a publication, `//host/path` over https; null if it is not one. */
export function webUrlOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const url = URL.parse(addressOf(value));
  const isWeb = url !== null && (url.protocol === "http:" || url.protocol === "https:");
  return isWeb && url.href.length <= 2_000 ? storable(url.href) : null;
}

/** A value as the language tag of a publication; null if it is not one. */
export function languageOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  try {
    return Intl.getCanonicalLocales(value.trim().replace("_", "-"))[0] ?? null;
  } catch {
    return null;
  }
}

const DATE =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:[T ]+(\d\d?):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?)?$/i;

/**
 * A date of front matter or an export, such as `2019-05-01`, `2019-05-01 10:00:00 +0200` or `Jul 08 2022`. Without
 * a time zone it is in UTC.
 * @returns undefined unless it is a date of the years 1970 to 9999
 */
export function dateOf(value: unknown): Date | undefined {
  const date = value instanceof Date ? value : parsed(value);
  const year = date?.getUTCFullYear() ?? Number.NaN;
  return date !== undefined && year >= 1970 && year <= 9999 ? new Date(date.getTime()) : undefined;
}

function parsed(value: unknown): Date | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  const found = DATE.exec(text);
  if (found === null) return /[a-z]{3}/i.test(text) ? written(text) : undefined;
  const [, year, month = "", day = "", hour = "0", minute = "0", second = "0", fraction = "", zone = "Z"] =
    found;
  const pad = (digits: string) => digits.padStart(2, "0");
  const offset = /^(?:Z|UTC)$/i.test(zone) ? "Z" : zone.replace(/^([+-]\d\d):?(\d\d)$/, "$1:$2");
  const time = `${pad(hour)}:${pad(minute)}:${pad(second)}.${fraction.padEnd(3, "0").slice(0, 3)}`;
  const date = new Date(`${year}-${pad(month)}-${pad(day)}T${time}${offset}`);
  // Otherwise, the 31st of a short month would become a day of the next one.
  const isDay = new Date(`${year}-${pad(month)}-${pad(day)}T00:00:00Z`).getUTCDate() === Number(day);
  return Number.isNaN(date.getTime()) || !isDay ? undefined : date;
}

/** No date in words is longer. */
const DATE_MAX = 100;

/** A date in English words, in UTC unless it has a zone. */
function written(text: string): Date | undefined {
  if (text.length > DATE_MAX) return undefined;
  const hasZone = /(?:GMT|UTC|Z|[+-]\d\d:?\d\d)(?:\s*\(.*\))?$/i.test(text);
  const date = new Date(hasZone ? text : `${text} UTC`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
