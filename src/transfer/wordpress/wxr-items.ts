import type { FileTree } from "../files/file-tree.ts";
import type { StagedRecords } from "../import/staged-records.ts";
import { dateOf } from "../reading/foreign-values.ts";
import { textsOf, xmlItems } from "../reading/xml-elements.ts";

/** An item of a WordPress export: the texts of its elements by name, and its repeated elements. */
export interface WxrItem {
  /** The line of the file on which it begins. */
  readonly line: number;
  /** Such as `title`, `content:encoded`, `wp:post_type`. */
  readonly texts: Readonly<Record<string, string>>;
  readonly terms: readonly { readonly domain: string; readonly name: string }[];
  readonly meta: Readonly<Record<string, string>>;
  readonly comments: readonly Readonly<Record<string, string>>[];
}

/** Whether a text begins like an export of WordPress (WXR). */
export function isWxr(beginning: string): boolean {
  return /<rss\b/i.test(beginning) && beginning.includes("wordpress.org/export/");
}

/** Reads the items of a WordPress export, one after the other. @throws StartError as `xmlItems` does */
export async function* wxrItems(
  tree: FileTree,
  path: string,
  records: StagedRecords,
): AsyncGenerator<WxrItem> {
  for await (const item of xmlItems(tree, path, ["item"], records)) {
    const named = (name: string) => item.children.filter((child) => child.name === name);
    const meta = named("wp:postmeta").map(textsOf);
    yield {
      line: item.line,
      texts: textsOf(item),
      terms: named("category").map(({ attributes, text }) => ({
        domain: attributes.domain ?? "",
        name: text.trim(),
      })),
      meta: Object.fromEntries(
        meta.map((field) => [(field["wp:meta_key"] ?? "").trim(), field["wp:meta_value"] ?? ""]),
      ),
      comments: named("wp:comment").map(textsOf),
    };
  }
}

/** A date of WordPress's database, in UTC; undefined for all zeros. */
export function dateIn(text: string | undefined): Date | undefined {
  return text === undefined || text.startsWith("0000") ? undefined : dateOf(text);
}
