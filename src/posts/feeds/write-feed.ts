import { escapeText } from "entities";
import { asUri, type Feed, type FeedEntry, type FeedFormat, xmlSafeText } from "./feed.ts";

/** A feed as a document: Atom (RFC 4287), RSS 2.0 or JSON Feed 1.1, with the whole text of each entry. */
export async function writeFeed(feed: Feed, format: FeedFormat): Promise<string> {
  // Imported on demand, since its many files would slow down the start.
  const { generateAtomFeed, generateJsonFeed, generateRssFeed } = await import("feedsmith");
  const clean = withValidTexts(feed);
  if (format === "atom") return withoutSpaceAroundTexts(generateAtomFeed(atomOf(clean)));
  if (format === "rss") return withoutSpaceAroundTexts(generateRssFeed(rssOf(clean)));
  // The generator leaves an empty list out, which the format requires.
  return JSON.stringify(Object.assign({ items: [] }, generateJsonFeed(jsonOf(clean))));
}

/**
 * The generator breaks the line around CDATA sections: without this, feed readers that do not trim would read a
 * wrong link.
 */
function withoutSpaceAroundTexts(xml: string): string {
  return xml
    .replace(/(<[a-z:]+(?: [^<>]*)?>)\n *(?=<!\[CDATA\[)/gi, "$1")
    .replace(/\]\]>\n *(?=<\/[a-z:]+>\n)/gi, "]]>");
}

function atomOf(feed: Feed) {
  return {
    id: feed.id,
    title: plain(feed.title),
    ...(feed.description !== "" && { subtitle: plain(feed.description) }),
    updated: lastUpdate(feed),
    generator: { text: "Commonplace" },
    ...(feed.icon && { icon: feed.icon }),
    links: [
      { href: feed.self, rel: "self", type: "application/atom+xml" },
      { href: feed.page, rel: "alternate", type: "text/html" },
    ],
    authors: [{ name: feed.title }],
    entries: feed.entries.map((entry) => ({
      id: entry.id,
      title: plain(entry.title),
      published: entry.published,
      updated: entry.updated,
      links: [
        { href: entry.url, rel: "alternate", type: "text/html" },
        ...(entry.about === undefined ? [] : [{ href: entry.about, rel: "related" }]),
      ],
      ...(entry.author && {
        authors: [{ name: entry.author.name, ...(entry.author.url && { uri: entry.author.url }) }],
      }),
      categories: entry.tags.map((term) => ({ term })),
      ...(entry.summary !== undefined && { summary: plain(entry.summary) }),
      content: { value: entry.html, type: "html" as const },
    })),
  };
}

function plain(value: string) {
  return { value, type: "text" as const };
}

function rssOf(feed: Feed) {
  return {
    title: feed.title,
    link: feed.page,
    description: feed.description || feed.title,
    language: feed.language,
    lastBuildDate: lastUpdate(feed),
    generator: "Commonplace",
    ...(feed.icon && { image: { url: feed.icon, title: feed.title, link: feed.page } }),
    atom: { links: [{ href: feed.self, rel: "self", type: "application/rss+xml" }] },
    items: feed.entries.map((entry) => ({
      title: entry.title,
      link: entry.about ?? entry.url,
      guid: { value: entry.id, isPermaLink: false },
      pubDate: entry.published,
      // HTML as well, by custom; the whole text is in `content`.
      description: escapeText(entry.summary ?? entry.excerpt ?? ""),
      categories: entry.tags.map((name) => ({ name })),
      content: { encoded: entry.html },
      // The author of RSS itself is an email address.
      ...(entry.author && { dc: { creators: [entry.author.name] } }),
    })),
  };
}

function jsonOf(feed: Feed) {
  return {
    title: feed.title,
    ...(feed.description !== "" && { description: feed.description }),
    home_page_url: feed.page,
    feed_url: feed.self,
    language: feed.language,
    ...(feed.icon && { icon: feed.icon }),
    items: feed.entries.map((entry) => ({
      id: entry.id,
      url: entry.url,
      title: entry.title,
      content_html: entry.html,
      date_published: entry.published,
      date_modified: entry.updated,
      tags: [...entry.tags],
      ...(entry.about !== undefined && { external_url: entry.about }),
      ...(entry.summary !== undefined && { summary: entry.summary }),
      ...(entry.author && { authors: [entry.author] }),
    })),
  };
}

/** The date of an empty feed is the epoch. */
function lastUpdate({ entries }: Feed): Date {
  return new Date(Math.max(0, ...entries.map(({ updated }) => updated.getTime())));
}

/** Without characters that XML forbids, and with URLs that are URIs. */
function withValidTexts(feed: Feed): Feed {
  return {
    ...feed,
    title: xmlSafeText(feed.title),
    description: xmlSafeText(feed.description),
    entries: feed.entries.map(
      (entry): FeedEntry => ({
        ...entry,
        title: xmlSafeText(entry.title),
        url: asUri(entry.url),
        about: entry.about && asUri(entry.about),
        author: entry.author && { ...entry.author, name: xmlSafeText(entry.author.name) },
        summary: entry.summary === undefined ? undefined : xmlSafeText(entry.summary),
        excerpt: xmlSafeText(entry.excerpt ?? ""),
        html: xmlSafeText(entry.html),
        tags: entry.tags.map(xmlSafeText),
      }),
    ),
  };
}
