import { decodeIfValid } from "../../text.ts";
import type { FileTree } from "../files/file-tree.ts";
import { escapedHtml, textOfHtml, textOfTitle } from "../html/html-content.ts";
import { addForeignPost } from "../import/foreign-records.ts";
import type { RecordLocation } from "../import/record.ts";
import type { StagedRecords } from "../import/staged-records.ts";
import { dateOf, lineOf, webUrlOf } from "../reading/foreign-values.ts";
import { isUndated, type Mark, type Words } from "../reading/foreign-visibility.ts";
import { Tally } from "../reading/tally.ts";
import { textsOf, type XmlItem, xmlItems } from "../reading/xml-elements.ts";

/** Whether a text begins like a feed in RSS or Atom. */
export function isFeed(beginning: string): boolean {
  return /<rss\b|<rdf:RDF\b|<feed\b[^<>]{0,2000}http:\/\/www\.w3\.org\/2005\/Atom/i.test(beginning);
}

/**
 * Reads the posts of a feed that was saved as a file.
 * @throws StartError when it is not valid
 */
export async function readFeed(
  tree: FileTree,
  path: string,
  records: StagedRecords,
  now: Date,
): Promise<void> {
  const summaries = new Tally();
  const undated = new Tally();
  const elsewhere = new Tally();
  const own = await siteOf(tree, path);
  for await (const element of xmlItems(tree, path, ITEMS, records)) {
    const item = feedItem(element);
    const location = { file: path, line: item.line };
    const { texts } = item;
    const dates = datesOf(texts);
    if (isUndated(dates)) undated.add("", location);
    if ((texts["content:encoded"] ?? texts.content ?? "").trim() === "") summaries.add("", location);
    const host = hostOf(item);
    const isOwn = host === undefined || host === own;
    if (!isOwn) elsewhere.add("", location);
    addItem(records, item, location, { dates, now, isOwn });
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
  readonly link: string;
  /** The address of its recording or film. */
  readonly media: string;
  /** Whether its content is text, not HTML. */
  readonly isText: boolean;
}

function feedItem(item: XmlItem): FeedItem {
  const named = (name: string) => item.children.filter((child) => child.name === name);
  const links = named("link").map(({ attributes: { rel = "alternate", ...link }, text }) => ({
    rel,
    link,
    text,
  }));
  const pages = links.flatMap(({ rel, link }) => (rel === "alternate" && link.href) || []);
  const files = [
    ...links.flatMap(({ rel, link }) => (rel === "enclosure" ? { url: link.href, type: link.type } : [])),
    ...named("enclosure").map(({ attributes: { url, type } }) => ({ url, type })),
  ];
  const content = named("content").at(-1);
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
    tags: named("category").flatMap(({ attributes, text }) => [attributes.term ?? "", text.trim()]),
    link: pages.at(-1) ?? links.map(({ text }) => text.trim()).find((text) => text !== "") ?? "",
    // Other files are mostly pictures that the text has, too.
    media: files.findLast(({ type }) => /^(?:audio|video)\//i.test(type ?? ""))?.url ?? "",
    isText: content !== undefined && ["text", undefined].includes(content.attributes.type),
  };
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
    .map(([name, value]) => ({ name: name.replace(/^.*:/, ""), value }));
}

/** Files that are no pages, so that nobody is redirected from there. */
const FILE = /\.(?:mp3|m4a|mp4|ogg|wav|jpe?g|png|gif|pdf)$/i;

/** The site to which at least half of the items lead; undefined if they lead to many, as those of a list of links do. */
async function siteOf(tree: FileTree, path: string): Promise<string | undefined> {
  const counts = new Map<string, number>();
  let total = 0;
  for await (const item of xmlItems(tree, path, ITEMS)) {
    const host = hostOf(feedItem(item));
    if (host === undefined) continue;
    total++;
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  return [...counts].find(([, count]) => 2 * count >= total)?.[0];
}

/** The site of the page to which an item leads; undefined without a page. */
function hostOf({ link }: FeedItem): string | undefined {
  const url = URL.parse(link);
  return url === null || FILE.test(url.pathname) ? undefined : url.hostname.replace(/^www\./, "");
}

function addItem(
  records: StagedRecords,
  { texts, author, tags, link, media, isText }: FeedItem,
  location: RecordLocation,
  { dates, now, isOwn }: { readonly dates: readonly Mark[]; readonly now: Date; readonly isOwn: boolean },
): void {
  const given = texts.content ?? "";
  const whole = texts["content:encoded"] ?? (isText ? escapedHtml(given) : given);
  const description = texts.description ?? texts.summary ?? "";
  const html = whole.trim() === "" ? description : whole;
  const text = textOfHtml(html);
  const title = lineOf(textOfTitle(texts.title ?? ""), 500) || lineOf(text, 60);
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
      source: [texts.title ?? "", html, isSummary ? description : ""],
      updated: dateOf(texts.updated),
      seen: { marks: marksOf(texts), words: WORDS, dates },
      hidden: isOwn ? undefined : "",
      summary: isSummary ? plain : "",
      author: texts["dc:creator"] ?? author,
    },
    now,
  );
}
