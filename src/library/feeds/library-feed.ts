import { createHash } from "node:crypto";
import { escapeText } from "entities";
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import { checkedQuery, refuseSharedCopies } from "../../bookmarks/search/inside-copies.ts";
import { Refusal } from "../../errors.ts";
import { isNotModified } from "../../http/caching/etags.ts";
import { notModified, type ResponseData } from "../../http/response-data.ts";
import {
  authorityOf,
  FEED_TYPES,
  type Feed,
  type FeedEntry,
  type FeedFormat,
} from "../../posts/feeds/feed.ts";
import { writeFeed } from "../../posts/feeds/write-feed.ts";
import { withSiteDays } from "../../posts/publication/site-days.ts";
import { parseQuery } from "../../search/query/parser.ts";
import { QueryError } from "../../search/query/query-error.ts";
import { tagsOf, textOf } from "../../tags/description-tags.ts";
import type { PageContext } from "../../web/page.tsx";
import { truncateAtWord } from "../../web/truncate.ts";
import { local } from "../../web/urls.ts";
import { displayTitle } from "../entries/shown-text.ts";
import type { LibraryParts } from "../library-parts.ts";
import { findEntries, type LibraryBookmark, listEntries } from "../library-store.ts";
import { asTyped } from "../search/query-parts.ts";

/** Entries of a feed. */
const ENTRIES = 50;
/** The maximum number of characters of a note: a hundred of the longest ones would be 100 MB for anyone who asks. */
const NOTE_MAX = 20_000;

type Context = Pick<PageContext, "request" | "site" | "messages"> & {
  readonly client: { readonly origin: string };
};

/**
 * The newest bookmarks that a search finds, as an Atom feed.
 * @param self the path of the feed
 * @param caching `public` where anyone may read the bookmarks
 */
export async function feedResponse(
  dependencies: LibraryParts,
  { request, client, site, messages }: Context,
  { q, self, caching }: { readonly q: string; readonly self: string; readonly caching: "public" | "private" },
): Promise<ResponseData> {
  const entries = await newest(dependencies, q, site.timeZone);
  const title = `${site.name} · ${messages.library.feed.title(asTyped(q))}`;
  const page = local("/library", { q: q === "" ? undefined : q });
  const feed: Feed = {
    id: `tag:${authorityOf(client.origin)},2026:${page}`,
    title,
    description: "",
    language: messages.language,
    page: client.origin + page,
    self: client.origin + self,
    entries: entries.map((entry) => toFeedEntry(entry, client.origin)),
  };
  return writtenFeed(request, feed, "atom", caching);
}

/** The response with a feed, under a tag made of its bytes; 304 when the reader has it. */
export async function writtenFeed(
  request: Request,
  feed: Feed,
  format: FeedFormat,
  caching: "public" | "private",
): Promise<ResponseData> {
  const body = await writeFeed(feed, format);
  const contentType = FEED_TYPES[format];
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  return isNotModified(request, etag)
    ? notModified(etag, caching, contentType)
    : { status: 200, body, contentType, etag, caching };
}

async function newest(
  { database, search }: LibraryParts,
  q: string,
  timeZone: string,
): Promise<LibraryBookmark[]> {
  if (q === "") return listEntries(database.readMany, undefined, ENTRIES, undefined);
  const query = readQuery(q, timeZone);
  checkedQuery(() => refuseSharedCopies(query));
  if (query.root === undefined && query.pageHash === undefined) return [];
  const { ids } = await search.page({ query, sort: "newest", limit: ENTRIES });
  return findEntries(database.readMany, ids);
}

function readQuery(q: string, timeZone: string) {
  try {
    return parseQuery(q, withSiteDays(indexedBookmarks.vocabulary, timeZone));
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw new Refusal("not_found", "The search of this feed is not valid.");
  }
}

/** A bookmark as the entry of a feed. @param withNotes whether its content is the note; otherwise it is empty */
export function toFeedEntry(entry: LibraryBookmark, origin: string, withNotes = true): FeedEntry {
  const note = withNotes ? truncateAtWord(textOf(entry.description), NOTE_MAX) : "";
  return {
    id: `tag:${authorityOf(origin)},2026:/bookmarks/${entry.id}`,
    title: displayTitle(entry),
    url: entry.url,
    about: undefined,
    author: undefined,
    published: entry.createdAt,
    updated: entry.createdAt,
    summary: undefined,
    html: note
      .split(/\n{2,}/)
      .filter((text) => text.trim() !== "")
      .map((text) => `<p>${escapeText(text).replaceAll("\n", "<br>")}</p>`)
      .join(""),
    tags: tagsOf(entry.description),
  };
}
