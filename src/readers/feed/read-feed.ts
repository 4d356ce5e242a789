import type { RecordLocation } from "../../records/record.ts";
import { decodeIfValid } from "../../text.ts";
import type { FileTree } from "../files/file-tree.ts";
import { addForeignPost } from "../foreign-records.ts";
import { escapedHtml, textOfHtml, textOfTitle, withBase } from "../html/html-content.ts";
import { dateOf, lineOf, webUrlOf } from "../reading/foreign-values.ts";
import { flagOf, isUndated, type Mark, type Words } from "../reading/foreign-visibility.ts";
import { Tally } from "../reading/tally.ts";
import { textsOf, type XmlElement, type XmlItem, xmlItems } from "../reading/xml-elements.ts";
import type { Staging } from "../staging.ts";

/** Whether a text begins like a feed in RSS or Atom, whatever the prefixes of its elements. */
export function isFeed(beginning: string): boolean {
  return /<(?:[\w.-]{1,40}:)?(?:rss\b|RDF\b|feed\b[^<>]{0,2000}http:\/\/(?:www\.w3\.org\/2005\/Atom|purl\.org\/atom\/ns#))/i.test(
    beginning,
  );
}

/**
 * Reads the posts of a feed that was saved as a file.
 * @throws StartError when it is not valid
 */
export async function readFeed(tree: FileTree, path: string, records: Staging, now: Date): Promise<void> {
  const summaries = new Tally();
  const undated = new Tally();
  const elsewhere = new Tally();
  const unread = new Tally();
  const { own, page, limits } = await siteOf(tree, path);
  for await (const element of xmlItems(tree, path, ITEMS, records, { isFeed: true })) {
    const item = feedItem(element, page);
    const location = { file: path, line: item.line };
    const { texts } = item;
    const dates = datesOf(texts);
    if (isUndated(dates)) undated.add("", location);
    if (item.unread !== undefined) unread.add(item.unread, location);
    if (item.whole.trim() === "") summaries.add("", location);
    const host = hostOf(item);
    const isOwn = host === undefined || host === own;
    if (!isOwn) elsewhere.add("", location);
    addItem(records, item, location, { dates, now, isOwn, limits });
  }
  records.note({
    ...{ file: path, line: 1, code: "not_taken" },
    detail: "A feed often has only the latest posts: look whether all of yours are here.",
  });
  elsewhere.report(
    records,
    "not_public",
    (_, posts) =>
      `Not published, but drafts: ${posts}, since their links lead to other sites, as those of a list of links do.`,
  );
  summaries.report(
    records,
    "summary_only",
    (_, posts) => `Of ${posts} the feed has only a description, which may be a summary.`,
  );
  unread.report(
    records,
    "not_taken",
    (type, posts) => `Contents of the type “${type}” are not imported (${posts}).`,
  );
  undated.report(
    records,
    "date_missing",
    (_, posts) => `Without a date: ${posts}. The import time is used instead.`,
  );
}

/** The elements of RSS and Atom with a post. */
const ITEMS = ["item", "entry"];

/** An item of RSS, or an entry of Atom. */
interface FeedItem {
  /** The line of the file on which it begins. */
  readonly line: number;
  /** The texts of its elements by name, such as `content:encoded`. */
  readonly texts: Readonly<Record<string, string>>;
  readonly author: string;
  readonly tags: readonly string[];
  /** The address of its page, absolute if the feed says enough; empty without one. */
  readonly link: string;
  /** The address of its recording or film. */
  readonly media: string;
  /** Its title, its text and its description as HTML, with absolute addresses. */
  readonly title: string;
  readonly whole: string;
  readonly description: string;
  /** The type of a text that is not read. */
  readonly unread: string | undefined;
}

/** Elements with the title, the text and a description of an item; of each kind, the first that is there counts. */
const TITLES = ["title", "dc:title", "media:title"];
const TEXTS = ["content:encoded", "xhtml:body", "xhtml:div", "fullitem", "body"];
const DESCRIPTIONS = ["description", "summary", "dc:description", "itunes:summary", "media:description"];

/** @param page the page of the feed; empty if it says none */
function feedItem(item: XmlItem, page: string): FeedItem {
  const named = (name: string) => item.children.filter((child) => child.name === name);
  const first = (names: readonly string[]) => names.flatMap((name) => named(name).at(-1) ?? [])[0];
  const links = named("link").map(({ attributes: { rel = "alternate", ...link }, text, base }) => ({
    rel,
    link,
    address: addressIn(link.href ?? text, base, page),
  }));
  const pages = links.flatMap(({ rel, address }) => (rel === "alternate" && address) || []);
  const files = [
    ...links.flatMap(({ rel, link, address }) =>
      rel === "enclosure" ? { url: address, type: link.type } : [],
    ),
    ...named("enclosure").map(({ attributes: { url, type } }) => ({ url, type })),
  ];
  const link = pages.at(-1) ?? links.map(({ address }) => address).find((address) => address !== "") ?? "";
  const isAtom = item.name === "entry";
  const html = (element: XmlElement | undefined) =>
    element && withBase(htmlOf(element, isAtom) ?? "", absolute("", element.base, link || page));
  const contents = named("content");
  const content = contents.findLast(isHtml) ?? contents.at(-1);
  const elsewhere = content && addressIn(content.attributes.src ?? "", content.base, link || page);
  const linked = elsewhere ? `<p>${linkTo(elsewhere)}</p>` : "";
  const isUnread = content !== undefined && htmlOf(content, isAtom) === undefined;
  return {
    line: item.line,
    texts: {
      ...textsOf(item),
      // `app:control`, by whatever prefix.
      ...textsOf({
        children: item.children.flatMap(({ name, children }) =>
          /(?:^|:)control$/.test(name) ? children : [],
        ),
      }),
    },
    author: textsOf({ children: named("author").flatMap(({ children }) => children) }).name ?? "",
    tags: [...named("category"), ...named("dc:subject")].flatMap(({ attributes, text }) => [
      attributes.term ?? "",
      text.trim(),
    ]),
    link,
    // Other files are mostly pictures that the text has, too.
    media: files.findLast(({ type }) => /^(?:audio|video)\//i.test(type ?? ""))?.url ?? "",
    title: html(first(TITLES)) ?? "",
    whole: html(first(TEXTS)) ?? (html(content)?.trim() || linked),
    description: html(first(DESCRIPTIONS)) ?? "",
    unread: isUnread ? content.attributes.type : undefined,
  };
}

/** An address in an element, as far as it can be resolved. @param base of XML Base @param page on which the base itself depends */
function absolute(address: string, base: string, page: string): string {
  const start = URL.parse(base, page || undefined)?.href ?? page;
  return URL.parse(address.trim(), start || undefined)?.href ?? address.trim();
}

/** The same; empty for none. */
function addressIn(given: string, base: string, page: string): string {
  return given.trim() === "" ? "" : absolute(given, base, page);
}

/** The media type of a text of Atom, or its short form. */
function typeOf({ attributes }: XmlElement): string {
  const [type = ""] = (attributes.type ?? "").split(";", 1);
  return type.trim().toLowerCase();
}

function isHtml(element: XmlElement): boolean {
  return element.isMarkup || /html/.test(typeOf(element));
}

/**
 * The text of an element as HTML. Atom says by its type what it is (RFC 4287, section 3.1 and 4.1.3); in RSS all is HTML.
 * @returns undefined for a file
 */
function htmlOf(element: XmlElement, isAtom: boolean): string | undefined {
  const { name, text, isMarkup, attributes } = element;
  if (isMarkup) return unwrapped(text);
  const type = typeOf(element);
  const isXml = /[/+]xml$/.test(type);
  const isFile = attributes.mode === "base64" || !(/^(?:|text|html|xhtml|text\/.*)$/.test(type) || isXml);
  const decoded = isFile ? textOfBase64(text) : text;
  if (decoded === undefined) return undefined;
  const isPlain = isAtom
    ? /^(?:text|text\/plain)$/.test(type) || (type === "" && name !== "title")
    : name === "content";
  return isPlain && !isHtml(element) ? escapedHtml(decoded) : decoded;
}

/** @returns undefined for what is no text */
function textOfBase64(encoded: string): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(encoded, "base64"));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no text has them
    return /[\0-\x08\x0e-\x1f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** XHTML without the `div` that Atom wants around it. */
function unwrapped(html: string): string {
  const [, inner] = /^\s*<div>([\s\S]*)<\/div>\s*$/.exec(html) ?? [];
  let depth = 0;
  for (const [, slash] of (inner ?? "").matchAll(/<(\/?)div\b/g)) {
    depth += slash === "" ? 1 : -1;
    if (depth < 0) return html;
  }
  return inner ?? html;
}

function linkTo(address: string): string {
  return `<a href="${escapedHtml(address)}">${escapedHtml(address)}</a>`;
}

/** Elements with the date of an item. */
const DATES = ["pubDate", "published", "dc:date", "issued"];

/** The dates of an item's publication; the one of its last change if it has no other. */
function datesOf(texts: FeedItem["texts"]): readonly Mark[] {
  const dates = DATES.map((name) => ({ name, value: texts[name] }));
  return isUndated(dates) ? [{ name: "updated", value: texts.updated }] : dates;
}

/** The words of elements of which few feeds have any, such as Atom's `app:draft`. */
const WORDS: Words = {
  status: { published: "public", publish: "public", public: "public", live: "public", draft: "draft" },
  visibility: { public: "public" },
};

/** The elements of an item by their names without prefixes. */
function marksOf(texts: FeedItem["texts"]): readonly Mark[] {
  return Object.entries(texts)
    .filter(([name]) => !DATES.includes(name))
    .flatMap(([name, value]) => [{ name: name.replace(/^.*:/, ""), value }, ...blockMark(name, value)]);
}

/**
 * Keeps an item, or a whole feed, out of all directories of podcasts: feeds for members alone have it. With an id,
 * `podcast:block` is about one directory.
 */
const BLOCKS = ["itunes:block", "googleplay:block", "podcast:block"];

function blockMark(name: string, value: string): readonly Mark[] {
  const isBlocked = BLOCKS.includes(name) && value.trim() !== "" && flagOf(value) !== false;
  return isBlocked ? [{ name, value: value.trim(), hides: true }] : [];
}

/** An address of a feed that has a secret of one reader, such as Patreon's and Substack's for members. */
const SECRET_ADDRESS = /[?&](?:auth|token|access_token|key|secret|password|sig|signature)=[^&]|\/private\//i;

/** Files that are no pages, so that nobody is redirected from there. */
const FILE = /\.(?:mp3|m4a|mp4|ogg|wav|jpe?g|png|gif|pdf)$/i;

/**
 * The page of a feed, and the site to which at least half of the items lead; undefined if they lead to many, as those of a list of
 * links do.
 */
async function siteOf(
  tree: FileTree,
  path: string,
): Promise<{
  readonly own: string | undefined;
  readonly page: string;
  /** What says that the feed is not for everybody. */
  readonly limits: readonly Mark[];
}> {
  const counts = new Map<string, number>();
  let total = 0;
  const pages: { readonly rel: string; readonly address: string }[] = [];
  const limits: Mark[] = [];
  for await (const item of xmlItems(tree, path, [...ITEMS, "link", ...BLOCKS], undefined, { isFeed: true })) {
    if (BLOCKS.includes(item.name)) {
      if (item.attributes.id !== undefined) continue;
      limits.push(...blockMark(item.name, item.text).map((mark) => ({ ...mark, from: "the feed" })));
      continue;
    }
    if (item.name === "link") {
      const { rel = "alternate", href } = item.attributes;
      const address = absolute(href ?? item.text, item.base, "");
      if (pages.length < LINKS_MAX && URL.canParse(address)) pages.push({ rel, address });
      continue;
    }
    const host = hostOf(feedItem(item, pageOf(pages)));
    if (host === undefined) continue;
    total++;
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  // The secret is not quoted.
  if (pages.some(({ rel, address }) => rel === "self" && SECRET_ADDRESS.test(address)))
    limits.push({ name: "the feed's address", value: "has a secret in it", hides: true });
  const own = [...counts].find(([, count]) => 2 * count >= total)?.[0];
  return { own, page: pageOf(pages), limits: limits.slice(0, 1) };
}

/** No feed has more links of its own that matter. */
const LINKS_MAX = 20;

function pageOf(links: readonly { readonly rel: string; readonly address: string }[]): string {
  return (
    (links.find(({ rel }) => rel === "alternate") ?? links.find(({ rel }) => rel === "self"))?.address ?? ""
  );
}

/** The site of the page to which an item leads; undefined without a page. */
function hostOf({ link }: FeedItem): string | undefined {
  const url = URL.parse(link);
  return url === null || FILE.test(url.pathname) ? undefined : url.hostname.replace(/^www\./, "");
}

function addItem(
  records: Staging,
  { texts, author, tags, link, media, title: named, whole, description }: FeedItem,
  location: RecordLocation,
  {
    dates,
    now,
    isOwn,
    limits,
  }: {
    readonly dates: readonly Mark[];
    readonly now: Date;
    readonly isOwn: boolean;
    readonly limits: readonly Mark[];
  },
): void {
  const html = whole.trim() === "" ? description : whole;
  const text = textOfHtml(html);
  const title = lineOf(textOfTitle(named), 500) || lineOf(text, 60);
  const plain = textOfHtml(description);
  // Many feeds shorten the text itself.
  const isSummary = html !== description && plain !== "" && !text.startsWith(plain.slice(0, 40));
  const address = URL.parse(link || (texts.guid ?? "").trim(), "https://blog.invalid");
  const old = address === null || FILE.test(address.pathname) ? "" : address.pathname + address.search;
  const name = decodeIfValid(old.split("?", 1)[0] ?? "")
    .replace(/\/$|\.html?$/g, "")
    .replace(/^.*\//, "");
  const file = webUrlOf(media);
  const recording =
    file === null || html.includes(media) ? "" : `<p><a href="${escapedHtml(file)}">Audio</a></p>\n`;
  addForeignPost(
    records,
    {
      ...{ location, title, name, tags, oldPath: old, html: recording + html },
      source: [named, html, isSummary ? description : ""],
      updated: dateOf(texts.updated),
      seen: { marks: [...marksOf(texts), ...limits], words: WORDS, dates },
      hidden: isOwn ? undefined : "",
      summary: isSummary ? plain : "",
      author: texts["dc:creator"] ?? author,
    },
    now,
  );
}
