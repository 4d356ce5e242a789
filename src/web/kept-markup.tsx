/** @jsxImportSource #jsx */
import { h, type Markup, renderToString } from "./jsx/preact.js";

/** Most kept items, and the longest with all that it is made of, in characters: 4 MB at the very most. */
const KEPT_MAX = 500;
const LONGEST = 4_000;

declare const kept: unique symbol;

/** Text that {@link KeptMarkup} has rendered, and nothing else: only this file makes one. */
export type KeptHtml = string & { readonly [kept]: true };

interface Entry {
  readonly madeOf: readonly unknown[];
  readonly html: KeptHtml;
}

/**
 * Rendered items of lists, kept from one page to the next. One is used again only when all that it is made of equals,
 * value by value, what it was made of: so it is always what rendering would give.
 */
export class KeptMarkup {
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();

  /**
   * @param name under which the text is kept; the last one with it
   * @param madeOf everything that decides the text
   */
  render(name: string, madeOf: readonly unknown[], make: () => Markup): KeptHtml {
    const last = this.#entries.get(name);
    const isSame =
      last?.madeOf.length === madeOf.length && last.madeOf.every((value, index) => value === madeOf[index]);
    const entry = last && isSame ? last : { madeOf, html: renderOnce(make) };
    this.#entries.delete(name);
    if (lengthOf(entry) > LONGEST) return entry.html;
    this.#entries.set(name, entry);
    if (this.#entries.size > KEPT_MAX) this.#entries.delete(this.#entries.keys().next().value ?? "");
    return entry.html;
  }
}

/** In characters. What an item is made of can be much longer than the part of it that the item shows. */
function lengthOf({ madeOf, html }: Entry): number {
  return madeOf.reduce<number>(
    (sum, value) => sum + (typeof value === "string" ? value.length : 0),
    html.length,
  );
}

/** Renders an item that is not kept. */
export function renderOnce(make: () => Markup): KeptHtml {
  return renderToString(make()) as KeptHtml;
}

/** An ordered list of kept items. */
export function KeptList({
  items,
  ...attributes
}: {
  readonly items: readonly KeptHtml[];
  readonly class: string;
}): Markup {
  return h("ol", { ...attributes, dangerouslySetInnerHTML: { __html: items.join("") } });
}
