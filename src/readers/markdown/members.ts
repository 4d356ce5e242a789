import type { SiteZone } from "../../decoding/foreign-dates.ts";
import { dateOf, storable } from "../reading/foreign-values.ts";

/** Front matter with case-insensitive names. Known members are taken out one by one. */
export class Members {
  readonly #members = new Map<string, { readonly name: string; readonly value: unknown }>();

  constructor(given: Readonly<Record<string, unknown>>) {
    for (const [name, value] of Object.entries(given)) this.#members.set(keyOf(name), { name, value });
  }

  /** Takes out members with the same meaning. @returns the first existing one */
  take(...names: readonly string[]): unknown {
    let taken: unknown;
    for (const name of names) {
      const found = this.#members.get(keyOf(name));
      this.#members.delete(keyOf(name));
      taken ??= found?.value;
    }
    return taken;
  }

  /** {@link take} as text; numbers and dates are converted. */
  takeText(...names: readonly string[]): string | undefined {
    return textOf(this.take(...names));
  }

  /** A member without taking it out. */
  peek(name: string): unknown {
    return this.#members.get(keyOf(name))?.value;
  }

  takeDate(names: readonly string[], zone: SiteZone | undefined): Date | undefined {
    return dateOf(this.take(...names), zone);
  }

  /** {@link take} as a list of strings. */
  takeList(...names: readonly string[]): string[] {
    return names.flatMap((name) => listOf(this.take(name)));
  }

  /** The members that were not taken. */
  get rest(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#members.values()].map(({ name, value }) => [name, value]));
  }
}

/** Front matter in which a date with parts, as Material for MkDocs has it, is two members. */
export function withPlainDate(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { date } = given;
  if (typeof date !== "object" || date === null || !("created" in date)) return given;
  const { created, updated } = date as { readonly created: unknown; readonly updated?: unknown };
  return { ...(updated !== undefined && { updated }), ...given, date: created };
}

/** Members as properties of a post: lists of values by name. */
export function asProperties(members: Readonly<Record<string, unknown>>): Record<string, JsonValue[]> {
  const plain = JSON.parse(storable(JSON.stringify(members))) as Record<string, JsonValue>;
  return Object.fromEntries(
    Object.entries(plain)
      .filter(([name, value]) => name !== "" && name.length <= 200 && value !== null)
      .map(([name, value]) => [name, Array.isArray(value) ? value : [value]]),
  );
}

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

export function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  return value instanceof Date ? value.toISOString() : undefined;
}

/** The day of a date as it is written, in its own time zone. */
export function dayOf(value: unknown): string | undefined {
  // A date of TOML has its own offset in its text.
  const text = value instanceof Date ? value.toISOString() : value;
  return typeof text === "string" ? /^\d{4}-\d\d-\d\d/.exec(text.trim())?.[0] : undefined;
}

/** A list of strings; a single string is split at commas, or else at white space. */
export function listOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textOf(item) ?? []);
  const text = textOf(value);
  if (text === undefined) return [];
  const items = text.split(text.includes(",") ? "," : /\s+/);
  return items.map((item) => item.trim()).filter((item) => item !== "");
}

function keyOf(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, "");
}
