import { hashOfSecret } from "../../../accounts/tokens/token.ts";
import type { Database } from "../../../database/database.ts";
import { isNotModified } from "../../../http/caching/etags.ts";
import { notModified, type ResponseData } from "../../../http/response-data.ts";
import type { PageContext } from "../../../web/page.tsx";
import { FEED_TYPES, type Feed } from "../../feeds/feed.ts";
import { tagUri } from "../../feeds/tag-uri.ts";
import { writeFeed } from "../../feeds/write-feed.ts";
import { commentHtml } from "../comment-text.ts";
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
