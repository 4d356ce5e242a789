import type { FileTree } from "../files/file-tree.ts";
import { dateOf } from "../reading/foreign-values.ts";
import { textsOf, type XmlElement, xmlItems } from "../reading/xml-elements.ts";
import type { Staging } from "../staging.ts";
import { limitingFields } from "./hidden-parts.ts";

/** An item of a WordPress export: the texts of its elements by name, and its repeated elements. */
export interface WxrItem {
  /** The line of the file on which it begins. */
  readonly line: number;
  /** Such as `title`, `content:encoded`, `wp:post_type`. */
  readonly texts: Readonly<Record<string, string>>;
  readonly terms: readonly { readonly domain: string; readonly slug: string; readonly name: string }[];
  /** The fields of plugins and themes. A name may be there several times. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly comments: readonly Readonly<Record<string, string>>[];
}

/** A category or tag of the site, or another term, that has fields. */
export interface WxrTerm {
  readonly domain: string;
  readonly slug: string;
  readonly fields: WxrItem["fields"];
}

/** The elements of terms, and where they have their domain and slug. */
const TERMS: Readonly<
  Record<string, (texts: Readonly<Record<string, string>>) => readonly [string, string]>
> = {
  "wp:category": (texts) => ["category", texts["wp:category_nicename"] ?? ""],
  "wp:tag": (texts) => ["post_tag", texts["wp:tag_slug"] ?? ""],
  "wp:term": (texts) => [texts["wp:term_taxonomy"] ?? "", texts["wp:term_slug"] ?? ""],
};

/** Whether a text begins like an export of WordPress (WXR). */
export function isWxr(beginning: string): boolean {
  return /<rss\b/i.test(beginning) && beginning.includes("wordpress.org/export/");
}

/**
 * Reads the items of a WordPress export, one after the other.
 * @param onTerm is told of the terms with fields, which stand before the items
 * @throws StartError as `xmlItems` does
 */
export async function* wxrItems(
  tree: FileTree,
  path: string,
  records: Staging,
  onTerm: (term: WxrTerm) => void,
): AsyncGenerator<WxrItem> {
  for await (const item of xmlItems(tree, path, ["item", ...Object.keys(TERMS)], records)) {
    const named = (name: string) => item.children.filter((child) => child.name === name);
    const texts = textsOf(item);
    const placeOf = Object.hasOwn(TERMS, item.name) ? TERMS[item.name] : undefined;
    if (placeOf !== undefined) {
      const [domain, slug] = placeOf(texts);
      const fields = fieldsOf(named("wp:termmeta"));
      if (fields.length > 0) onTerm({ domain: domain.trim(), slug: slug.trim(), fields });
      continue;
    }
    yield {
      line: item.line,
      texts,
      terms: named("category").map(({ attributes, text }) => ({
        domain: attributes.domain ?? "",
        slug: attributes.nicename ?? "",
        name: text.trim(),
      })),
      fields: fieldsOf(named("wp:postmeta")),
      comments: named("wp:comment").map(commentOf),
    };
  }
}

/** The member of a comment that a plugin shows to some people alone. */
export const LIMITED = "limited";

function commentOf(element: XmlElement): Readonly<Record<string, string>> {
  const fields = fieldsOf(element.children.filter(({ name }) => name === "wp:commentmeta"));
  const isLimited = limitingFields(fields).length > 0;
  return { ...textsOf(element), ...(isLimited && { [LIMITED]: "true" }) };
}

function fieldsOf(elements: readonly XmlElement[]): WxrItem["fields"] {
  return elements
    .map(textsOf)
    .map((field) => [(field["wp:meta_key"] ?? "").trim(), field["wp:meta_value"] ?? ""]);
}

/** A date of WordPress's database, in UTC; undefined for all zeros. */
export function dateIn(text: string | undefined): Date | undefined {
  return text === undefined || text.startsWith("0000") ? undefined : dateOf(text);
}
