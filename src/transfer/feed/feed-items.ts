import type { XmlItems } from "../reading/xml-elements.ts";

/** An item of RSS, or an entry of Atom. */
export interface FeedItem {
  /** The line of the file on which it begins. */
  readonly line: number;
  /** The texts of its elements by name, such as `content:encoded`; the author's name is `author/name`. */
  readonly texts: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
  readonly link: string;
  /** The address of its recording or film. */
  readonly media: string;
  /** Whether its content is text, not HTML. */
  readonly isText: boolean;
}

/** Keeps the address of a recording or film; other enclosures are mostly pictures that the text has, too. */
function enclose(item: OpenItem, address: string, type = ""): void {
  if (/^(?:audio|video)\//i.test(type)) item.media = address;
}

type OpenItem = { -readonly [Key in keyof FeedItem]: FeedItem[Key] } & {
  readonly texts: Record<string, string>;
  readonly tags: string[];
};

/** Makes the items of a feed in RSS or Atom. */
export class FeedItems implements XmlItems<FeedItem> {
  readonly escaped = ["title", "description", "content:encoded", "content", "summary"];
  #item: OpenItem | undefined;

  open(name: string, attributes: Readonly<Record<string, string>>, line: number): boolean {
    const item = this.#item;
    if (item === undefined) {
      if (name !== "item" && name !== "entry") return false;
      this.#item = { line, texts: {}, tags: [], link: "", media: "", isText: false };
      return true;
    }
    const { href, rel = "alternate", term, type, url } = attributes;
    if (name === "link" && href !== undefined && rel === "alternate") item.link = href;
    else if (name === "link" && href !== undefined && rel === "enclosure") enclose(item, href, type);
    else if (name === "enclosure" && url !== undefined) enclose(item, url, type);
    else if (name === "category" && term !== undefined) item.tags.push(term);
    else if (name === "content") item.isText = type === undefined || type === "text";
    return false;
  }

  close(name: string, text: string, around: string | undefined): FeedItem | undefined {
    const item = this.#item;
    if (item === undefined) return undefined;
    if (name === "item" || name === "entry") {
      this.#item = undefined;
      return item;
    }
    if (around === "author") item.texts[`author/${name}`] = text;
    else if (around !== "item" && around !== "entry") return undefined;
    else if (name === "category") item.tags.push(text.trim());
    else if (name === "link") item.link = item.link || text.trim();
    else item.texts[name] = text;
    return undefined;
  }
}
