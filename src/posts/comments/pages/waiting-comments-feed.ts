import { randomBytes } from "node:crypto";
import { hasLiveMaker } from "../../../accounts/keys.ts";
import { hashOfSecret } from "../../../accounts/tokens/token.ts";
import type { Database, Sql } from "../../../database/database.ts";
import { isNotModified } from "../../../http/caching/etags.ts";
import { notModified, type ResponseData } from "../../../http/response-data.ts";
import type { PageContext } from "../../../web/page.tsx";
import { commentHtml } from "../../feeds/comment-html.ts";
import { FEED_TYPES, type Feed } from "../../feeds/feed.ts";
import { tagUri } from "../../feeds/tag-uri.ts";
import { writeFeed } from "../../feeds/write-feed.ts";
import { listCommentsWithPosts } from "../comments-with-posts.ts";

/** Entries of the feed. */
const ENTRIES = 50;

/** The waiting comments, newest first, as an Atom feed. Each links to the moderation page. */
export async function waitingCommentsFeed(
  { read }: Database,
  {
    client,
    site,
    messages,
    request,
    path,
  }: Pick<PageContext, "request" | "site" | "messages" | "path"> & {
    readonly client: { readonly origin: string };
  },
): Promise<ResponseData> {
  const labels = messages.blog.moderation;
  const known: Readonly<Record<string, string>> = labels.reasons;
  const waiting = await listCommentsWithPosts(read, "waiting", "newest", ENTRIES);
  const page = `${client.origin}/moderation`;
  const feed: Feed = {
    id: tagUri(client.origin, new Date("2026-01-01T00:00:00Z"), "waiting-comments"),
    title: `${site.name} · ${labels.waitingFeed}`,
    description: "",
    language: messages.language,
    page,
    self: client.origin + path,
    entries: waiting.map(({ id, author, text, createdAt, reasons, post }) => {
      const because = reasons.flatMap((code) => known[code] ?? []).join("; ");
      return {
        id: tagUri(client.origin, createdAt, `waiting-comment-${id}`),
        title: labels.onPost(author, post.title),
        url: `${page}#c${id}`,
        about: undefined,
        author: { name: author },
        published: createdAt,
        updated: createdAt,
        summary: because === "" ? undefined : labels.because(because),
        html: commentHtml(text),
        tags: [],
      };
    }),
  };
  const body = await writeFeed(feed, "atom");
  const etag = `"${hashOfSecret(body).slice(0, 22)}"`;
  const caching = "private";
  if (isNotModified(request, etag)) return notModified(etag, caching, FEED_TYPES.atom);
  return { status: 200, body, contentType: FEED_TYPES.atom, etag, caching };
}

/** The key of a feed, of which only the hash is stored. */
export interface CommentFeedKey {
  readonly hash: string;
  readonly createdAt: Date;
}

/** Makes a key for a moderator's feed. */
export async function createCommentFeedKey(sql: Sql, accountId: number, now: Date): Promise<string> {
  const key = randomBytes(20).toString("hex");
  await sql`
    insert into comment_feed_keys (key_sha256, created_at, created_by) values (${hashOfSecret(key)}, ${now}, ${accountId})`;
  return key;
}

/** Whether a key is valid, not revoked, and its maker may still moderate. */
export async function isCommentFeedKey(sql: Sql, key: string): Promise<boolean> {
  const [row] = await sql<{ created_by: number }>`
    select created_by from comment_feed_keys where key_sha256 = ${hashOfSecret(key)}`;
  return row !== undefined && (await hasLiveMaker(sql, row.created_by));
}

/** The keys of an account, the newest first. */
export async function listCommentFeedKeys(sql: Sql, accountId: number): Promise<CommentFeedKey[]> {
  const rows = await sql<{ key_sha256: string; created_at: number | Date }>`
    select key_sha256, created_at from comment_feed_keys where created_by = ${accountId}
    order by created_at desc, key_sha256 limit 200`;
  return rows.map(({ key_sha256, created_at }) => ({ hash: key_sha256, createdAt: new Date(created_at) }));
}

/** Revokes a feed of an account. */
export async function deleteCommentFeedKey(sql: Sql, hash: string, accountId: number): Promise<void> {
  await sql`delete from comment_feed_keys where key_sha256 = ${hash} and created_by = ${accountId}`;
}
