import { dateOf, storable } from "../import/foreign-values.ts";

/** Front matter by its names without regard to case, from which what is known is taken, name by name. */
export class Members {
  readonly #members = new Map<string, { readonly name: string; readonly value: unknown }>();

  constructor(given: Readonly<Record<string, unknown>>) {
    for (const [name, value] of Object.entries(given)) this.#members.set(keyOf(name), { name, value });
  }

  /** Takes the first of some members that is there, and the others too: they mean the same. */
  take(...names: readonly string[]): unknown {
    let taken: unknown;
    for (const name of names) {
      const found = this.#members.get(keyOf(name));
      this.#members.delete(keyOf(name));
      taken ??= found?.value;
    }
    return taken;
  }

  /** {@link take} as a text; numbers and dates are texts too. */
  takeText(...names: readonly string[]): string | undefined {
    return textOf(this.take(...names));
  }

  takeDate(...names: readonly string[]): Date | undefined {
    return dateOf(this.take(...names));
  }

  /** {@link take} as a list of texts. */
  takeList(...names: readonly string[]): string[] {
    return names.flatMap((name) => listOf(this.take(name)));
  }

  /** What nobody has taken. */
  get rest(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#members.values()].map(({ name, value }) => [name, value]));
  }
}

/** Members as the properties of a post: lists of values by their names. */
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

/** A list of texts; a single text is one with commas, or else white space, between its items. */
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
