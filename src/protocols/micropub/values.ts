import { parseInstant } from "../../instant.ts";
import { existingInstantOf } from "../../zoned-time.ts";
import type { Properties } from "./command.ts";
import { invalidRequest } from "./operation.ts";

/** The single text of a property, if any; also inside an object, as `text` or `value`. @throws Refusal `malformed` */
export function textProperty(properties: Properties, name: string): string | undefined {
  const [value, ...others] = properties[name] ?? [];
  if (value === undefined) return undefined;
  if (others.length > 0) throw invalidRequest(`${name}: only one value is allowed.`);
  const { value: inner, text: plain = inner } = (value ?? {}) as { value?: unknown; text?: unknown };
  const text = typeof value === "object" ? plain : value;
  if (typeof text !== "string") throw invalidRequest(`${name}: a text.`);
  return text;
}

/** The first URL of a property, possibly inside a cited entry (`h-cite`). @throws Refusal `malformed` */
export function urlProperty(properties: Properties, name: string): string {
  const [value] = properties[name] ?? [];
  const cited = (value as { properties?: { url?: unknown[] } } | null)?.properties?.url?.[0];
  const text = cited ?? (value as { value?: unknown } | null)?.value ?? value;
  const url = typeof text === "string" ? URL.parse(text) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:") || url.href.length > 2_000)
    throw invalidRequest(`${name} must be an http or https URL.`);
  return url.href;
}

const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?: ?(Z|[+-]\d\d:?\d\d))?)?$/i;

/** A date, or a date and time; without an offset, in the time zone of the site. @throws Refusal `malformed` */
export function dateProperty(properties: Properties, name: string, timeZone: string): Date | undefined {
  const text = textProperty(properties, name);
  if (text === undefined) return undefined;
  const [, year, month, day, hour = "00", minute = "00", second = "00", offset] = INSTANT.exec(text) ?? [];
  const date =
    year === undefined
      ? undefined
      : offset === undefined
        ? localInstant([year, month, day, hour, minute].map(Number), timeZone)
        : parseInstant(`${year}-${month}-${day}T${hour}:${minute}:${second}${withColon(offset)}`);
  if (date === undefined)
    throw invalidRequest(
      `${name} must be a date and time of the years 1970 to 9999, such as 2026-11-22T08:30:00+01:00.`,
    );
  return date;
}

function localInstant([year = 0, month = 0, day = 0, hour = 0, minute = 0]: number[], timeZone: string) {
  return existingInstantOf({ year, month, day, hour, minute }, timeZone);
}

function withColon(offset: string): string {
  return offset.length === 5 ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset.toUpperCase();
}
