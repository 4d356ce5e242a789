import { createHash, randomBytes } from "node:crypto";
import { escapeText } from "entities";
import { hasLiveMaker } from "../../accounts/keys.ts";
import { hashOfSecret } from "../../accounts/tokens/token.ts";
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import type { Database, Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { isNotModified } from "../../http/caching/etags.ts";
import { notModified, type ResponseData } from "../../http/response-data.ts";
import { FEED_TYPES, type Feed, type FeedEntry, type FeedFormat } from "../../posts/feeds/feed.ts";
import { authorityOf } from "../../posts/feeds/tag-uri.ts";
import { writeFeed } from "../../posts/feeds/write-feed.ts";
import { parseQuery } from "../../search/query/parser.ts";
import { QueryError } from "../../search/query/query-error.ts";
import { tagsOf, textOf } from "../../tags/description-tags.ts";
import type { PageContext } from "../../web/page.tsx";
import { local } from "../../web/urls.ts";
import { displayTitle } from "../entries/shown-text.ts";
import type { LibraryDependencies } from "../library-dependencies.ts";
import { findEntries, type LibraryBookmark, listEntries } from "../library-store.ts";

/** Entries of a feed. */
const ENTRIES = 50;

type Context = Pick<PageContext, "request" | "site" | "messages"> & {
  readonly client: { readonly origin: string };
};

/**
 * The newest bookmarks that a search finds, as an Atom feed.
 * @param self the path of the feed
 * @param caching `public` where anyone may read the bookmarks
 */
export async function feedResponse(
  dependencies: LibraryDependencies,
  { request, client, site, messages }: Context,
  { q, self, caching }: { readonly q: string; readonly self: string; readonly caching: "public" | "private" },
): Promise<ResponseData> {
  const entries = await newest(dependencies, q);
  const title = `${site.name} · ${messages.library.feed.title(q)}`;
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

async function newest({ database, search }: LibraryDependencies, q: string): Promise<LibraryBookmark[]> {
  if (q === "") return listEntries(database.readMany, undefined, ENTRIES, undefined);
  const query = readQuery(q);
  if (query.root === undefined && query.page === undefined) return [];
  const { ids } = await search.page({ query, sort: "newest", limit: ENTRIES });
  return findEntries(database.readMany, ids);
}

function readQuery(q: string) {
  try {
    return parseQuery(q, indexedBookmarks.vocabulary);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw new Refusal("not_found", "The search of this feed is not valid.");
  }
}

/** A bookmark as the entry of a feed. @param withNotes whether its content is the note; otherwise it is empty */
export function toFeedEntry(entry: LibraryBookmark, origin: string, withNotes = true): FeedEntry {
  const paragraphs = withNotes ? textOf(entry.description).split(/\n{2,}/) : [];
  return {
    id: `tag:${authorityOf(origin)},2026:/bookmarks/${entry.id}`,
    title: displayTitle(entry),
    url: entry.url,
    about: undefined,
    author: undefined,
    published: entry.createdAt,
    updated: entry.createdAt,
    summary: undefined,
    html: paragraphs
      .filter((text) => text.trim() !== "")
      .map((text) => `<p>${escapeText(text).replaceAll("\n", "<br>")}</p>`)
      .join(""),
    tags: tagsOf(entry.description),
  };
}

/** A feed for anyone with its key. */
export interface PrivateFeed {
  readonly id: number;
  readonly query: string;
  readonly createdAt: Date;
}

/** Creates the key of a feed; only the feed's address contains it. @returns the key, which is stored as a hash */
export async function createFeedKey(
  database: Database,
  query: string,
  accountId: number,
  now: Date,
): Promise<string> {
  const key = randomBytes(20).toString("hex");
  await database.write(
    (sql) => sql`
      insert into feed_keys (key_sha256, query, created_at, created_by)
      values (${hashOfSecret(key)}, ${query}, ${now}, ${accountId})`,
  );
  return key;
}

/** The search of the feed with a key; undefined when there is no such feed, or its maker may not read any more. */
export async function findPrivateFeed(sql: Sql, key: string): Promise<string | undefined> {
  const [row] = await sql<{ query: string; created_by: number }>`
    select query, created_by from feed_keys where key_sha256 = ${hashOfSecret(key)}`;
  return row && (await hasLiveMaker(sql, row.created_by)) ? row.query : undefined;
}

/** The private feeds of an account, the newest first. */
export async function listPrivateFeeds(sql: Sql, accountId: number): Promise<PrivateFeed[]> {
  const rows = await sql<{ id: number; query: string; created_at: number | Date }>`
    select id, query, created_at from feed_keys where created_by = ${accountId} order by id desc limit 200`;
  return rows.map(({ id, query, created_at }) => ({
    id: Number(id),
    query,
    createdAt: new Date(created_at),
  }));
}

/** Deletes a feed of an account. */
export async function deletePrivateFeed(sql: Sql, id: number, accountId: number): Promise<void> {
  await sql`delete from feed_keys where id = ${id} and created_by = ${accountId}`;
}
