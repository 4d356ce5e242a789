import type { FileTree } from "../files/file-tree.ts";
import { dateOf } from "../reading/foreign-values.ts";
import { type OnRemark, type XmlItems, xmlItems } from "../reading/xml-elements.ts";

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
export function wxrItems(tree: FileTree, path: string, onRemark: OnRemark): AsyncGenerator<WxrItem> {
  return xmlItems(tree, path, new WxrItems(), onRemark);
}

interface OpenItem {
  readonly line: number;
  readonly texts: Record<string, string>;
  readonly terms: { domain: string; name: string }[];
  readonly meta: Record<string, string>;
  readonly comments: Record<string, string>[];
}

class WxrItems implements XmlItems<WxrItem> {
  readonly escaped = ["title", "content:encoded", "excerpt:encoded", "wp:comment_content", "wp:meta_value"];
  #item: OpenItem | undefined;
  #comment: Record<string, string> | undefined;
  #domain = "";
  #metaKey = "";

  open(name: string, attributes: Readonly<Record<string, string>>, line: number): boolean {
    if (name === "item" && this.#item === undefined) {
      this.#item = { line, texts: {}, terms: [], meta: {}, comments: [] };
      return true;
    }
    if (name === "wp:comment" && this.#item !== undefined) this.#comment = {};
    else if (name === "category") this.#domain = attributes.domain ?? "";
    return false;
  }

  close(name: string, text: string, around: string | undefined): WxrItem | undefined {
    const item = this.#item;
    if (item === undefined) return undefined;
    if (name === "item") {
      this.#item = undefined;
      return item;
    }
    if (name === "wp:comment") {
      if (this.#comment !== undefined) item.comments.push(this.#comment);
      this.#comment = undefined;
    } else if (this.#comment !== undefined) {
      if (around === "wp:comment") this.#comment[name] = text;
    } else if (name === "category") item.terms.push({ domain: this.#domain, name: text.trim() });
    else if (name === "wp:meta_key") this.#metaKey = text.trim();
    else if (name === "wp:meta_value") item.meta[this.#metaKey] = text;
    else if (around === "item") item.texts[name] = text;
    return undefined;
  }
}

/** A date of WordPress's database, in UTC; undefined for all zeros. */
export function dateIn(text: string | undefined): Date | undefined {
  return text === undefined || text.startsWith("0000") ? undefined : dateOf(text);
}
