/** @jsxImportSource #jsx */
import { h, type Markup, renderToString } from "./jsx/preact.js";

/** The maximum number of entries, and of characters of one with its inputs: 4 MB in total. */
const ENTRIES_MAX = 500;
const ENTRY_MAX = 4_000;

declare const cached: unique symbol;

/** HTML that {@link MarkupCache} has rendered. Only this file makes it. */
export type CachedHtml = string & { readonly [cached]: true };

interface Entry {
  readonly inputs: readonly unknown[];
  readonly html: CachedHtml;
}

/**
 * A cache of rendered list items, across requests. A cached item is reused only if each of its inputs is unchanged, so
 * it equals what rendering would give.
 */
export class MarkupCache {
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();

  /**
   * @param name the key of the entry, which has the last markup of this name
   * @param inputs every value that the markup depends on
   */
  render(name: string, inputs: readonly unknown[], make: () => Markup): CachedHtml {
    const last = this.#entries.get(name);
    const isSame =
      last?.inputs.length === inputs.length && last.inputs.every((value, index) => value === inputs[index]);
    const entry = last && isSame ? last : { inputs, html: renderOnce(make) };
    this.#entries.delete(name);
    if (lengthOf(entry) > ENTRY_MAX) return entry.html;
    this.#entries.set(name, entry);
    if (this.#entries.size > ENTRIES_MAX) this.#entries.delete(this.#entries.keys().next().value ?? "");
    return entry.html;
  }
}

/** In characters, with the inputs, which can be much longer than what the item shows of them. */
function lengthOf({ inputs, html }: Entry): number {
  return inputs.reduce<number>(
    (sum, value) => sum + (typeof value === "string" ? value.length : 0),
    html.length,
  );
}

/** Renders an item without the cache. */
export function renderOnce(make: () => Markup): CachedHtml {
  return renderToString(make()) as CachedHtml;
}

/** An ordered list of rendered items. */
export function CachedList({
  items,
  ...attributes
}: {
  readonly items: readonly CachedHtml[];
  readonly class: string;
}): Markup {
  return h("ol", { ...attributes, dangerouslySetInnerHTML: { __html: items.join("") } });
}
