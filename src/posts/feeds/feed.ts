/** A feed, before it is written in one of the formats. All URLs are absolute. */
export interface Feed {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly language: string;
  /** The page that the feed is about. */
  readonly page: string;
  /** The URL of the feed. */
  readonly self: string;
  /** The logo of the site, a square. */
  readonly icon?: string | undefined;
  readonly entries: readonly FeedEntry[];
}

export interface FeedEntry {
  /** A `tag:` URI (RFC 4151), which does not change with the slug. */
  readonly id: string;
  readonly title: string;
  readonly url: string;
  /** The target URL of a link post. */
  readonly about: string | undefined;
  readonly author: { readonly name: string; readonly url?: string } | undefined;
  readonly published: Date;
  readonly updated: Date;
  readonly summary: string | undefined;
  /** The beginning of the text without markup, for RSS. */
  readonly excerpt?: string | undefined;
  /** Safe HTML with absolute URLs. */
  readonly html: string;
  readonly tags: readonly string[];
}

export type FeedFormat = "atom" | "rss" | "json";

export const FEED_TYPES: Readonly<Record<FeedFormat, string>> = {
  atom: "application/atom+xml; charset=utf-8",
  rss: "application/rss+xml; charset=utf-8",
  json: "application/feed+json; charset=utf-8",
};

/** Text without the characters that XML forbids (XML 1.0, section 2.2); titles may contain them. */
export function xmlSafeText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");
}

/**
 * A web URL as a URI (RFC 3986), which feeds require: the URL standard leaves characters such as `|` and `[` as they are.
 * @param url as serialized by the URL standard
 */
export function asUri(url: string): string {
  return url.replace(
    /(^https?:\/\/[^/]*)|["<>[\\\]^`{|}]/g,
    (found, site: string | undefined) => site ?? encodeURIComponent(found),
  );
}

/** A `tag:` URI (RFC 4151, section 2.1): an id that does not change with the URL. @param name without white space */
export function tagUri(origin: string, date: Date, name: string): string {
  return `tag:${authorityOf(origin)},${date.toISOString().slice(0, 10)}:${name}`;
}

/** The name of a host in a `tag:` URI, which takes no brackets and colons. */
export function authorityOf(origin: string): string {
  return new URL(origin).hostname.replace(/[[\]]/g, "").replaceAll(":", ".");
}
