/** @jsxImportSource #jsx */
import { h, jsxTemplate, type Markup, renderToString } from "./jsx/preact.js";

declare const cached: unique symbol;

/** HTML that {@link MarkupCache} has rendered. Only this file makes it. */
export type CachedHtml = string & { readonly [cached]: true };

interface Entry {
  readonly inputs: readonly unknown[];
  readonly html: CachedHtml;
}

/** The limits of a cache. A character takes up to two bytes. */
export interface MarkupCacheSize {
  readonly entries: number;
  /** The maximum length of an entry with its inputs, in characters. */
  readonly entryLength: number;
}

/**
 * A cache of rendered parts of lists, across requests. A cached part is reused only if each of its inputs is unchanged,
 * so it equals what rendering would give.
 */
export class MarkupCache {
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();
  readonly #size: MarkupCacheSize;

  constructor(size: MarkupCacheSize) {
    this.#size = size;
  }

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
    if (lengthOf(entry) > this.#size.entryLength) return entry.html;
    this.#entries.set(name, entry);
    if (this.#entries.size > this.#size.entries)
      this.#entries.delete(this.#entries.keys().next().value ?? "");
    return entry.html;
  }
}

/** In characters, with the inputs, which can be much longer than what the entry shows of them. */
function lengthOf({ inputs, html }: Entry): number {
  return inputs.reduce<number>(
    (sum, value) => sum + (typeof value === "string" ? value.length : 0),
    html.length,
  );
}

/** Renders without the cache. */
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

/** Cached parts one after another, without an element around them. */
export function CachedParts({ parts }: { readonly parts: readonly CachedHtml[] }): Markup {
  return jsxTemplate([parts.join("")]);
}
