import type { FileTree } from "../files/file-tree.ts";
import { type OnRemark, type XmlItems, xmlItems } from "../reading/xml-elements.ts";

/** An entry of Blogger's export: the texts of its elements by name, and the attributes of repeated ones. */
export interface AtomEntry {
  /** The line of the file on which it begins. */
  readonly line: number;
  /** Such as `title`, `content`, `blogger:type`; the author's name is `author/name`. */
  readonly texts: Readonly<Record<string, string>>;
  readonly labels: readonly string[];
  /** What it is in older exports, such as `post`. */
  readonly kind: string;
  readonly links: readonly Readonly<Record<string, string>>[];
  /** The id of the post to which a comment belongs. */
  readonly post: string;
  readonly isHtml: boolean;
}

const KIND = "http://schemas.google.com/g/2005#kind";

/** Whether a text begins like an export of Blogger, of its settings or of Google Takeout. */
export function isBlogger(beginning: string): boolean {
  return /<feed\b/.test(beginning) && /blogger\.com,1999|schemas\.google\.com\/blogger\//.test(beginning);
}

/** Reads the entries of an export of Blogger, one after the other. @throws StartError as `xmlItems` does */
export function atomEntries(tree: FileTree, path: string, onRemark: OnRemark): AsyncGenerator<AtomEntry> {
  return xmlItems(tree, path, new AtomEntries(), onRemark);
}

type OpenEntry = { -readonly [Key in keyof AtomEntry]: AtomEntry[Key] } & {
  readonly texts: Record<string, string>;
  readonly labels: string[];
  readonly links: Record<string, string>[];
};

class AtomEntries implements XmlItems<AtomEntry> {
  readonly escaped = ["title", "content"];
  #entry: OpenEntry | undefined;

  open(name: string, attributes: Readonly<Record<string, string>>, line: number): boolean {
    const entry = this.#entry;
    if (name === "entry" && entry === undefined) {
      this.#entry = { line, texts: {}, labels: [], kind: "", links: [], post: "", isHtml: true };
      return true;
    }
    if (entry === undefined) return false;
    if (name === "category") {
      const { scheme, term = "" } = attributes;
      if (scheme === KIND) entry.kind = term.slice(term.lastIndexOf("#") + 1);
      else entry.labels.push(term);
    } else if (name === "link") entry.links.push({ ...attributes });
    else if (name === "thr:in-reply-to") entry.post = attributes.ref ?? "";
    else if (name === "content") entry.isHtml = attributes.type !== "text";
    return false;
  }

  close(name: string, text: string, around: string | undefined): AtomEntry | undefined {
    const entry = this.#entry;
    if (entry === undefined) return undefined;
    if (name === "entry") {
      this.#entry = undefined;
      return entry;
    }
    if (around === "entry") entry.texts[name] = text;
    else if (around === "author" && name === "name") entry.texts["author/name"] = text;
    else if (name === "app:draft") entry.texts[name] = text;
    return undefined;
  }
}
