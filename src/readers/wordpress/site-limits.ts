import { lineOf } from "../reading/foreign-values.ts";
import type { Mark } from "../reading/foreign-visibility.ts";
import { isRuleType, limitingFields } from "./hidden-parts.ts";
import type { WxrItem, WxrTerm } from "./wxr-items.ts";

/** What hides posts of a site without a mark in them: rules of plugins, which are items, and fields of categories. */
export class SiteLimits {
  /** A rule may be for any post: what it says is its plugin's. One is enough for the note. */
  #rule: Mark | undefined;
  readonly #terms = new Map<string, Mark>();

  look({ texts }: WxrItem): void {
    const type = (texts["wp:post_type"] ?? "").trim();
    if (texts["wp:status"]?.trim() !== "publish" || !isRuleType(type)) return;
    this.#rule ??= { name: lineOf(type, 100), value: lineOf(texts.title ?? "", 100), hides: true };
  }

  addTerm({ domain, slug, fields }: WxrTerm): void {
    const [mark] = limitingFields(fields);
    if (mark !== undefined) this.#terms.set(keyOf(domain, slug), { ...mark, from: `${domain} ${slug}` });
  }

  marksOf({ terms }: WxrItem): readonly Mark[] {
    const ofTerms = terms.flatMap(({ domain, slug }) => this.#terms.get(keyOf(domain, slug)) ?? []);
    return [...(this.#rule === undefined ? [] : [this.#rule]), ...ofTerms];
  }
}

function keyOf(domain: string, slug: string): string {
  return `${domain} ${slug}`;
}
