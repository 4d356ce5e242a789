import { createHash } from "node:crypto";
import { escapeAttribute, escapeText } from "entities";
import { z } from "zod";
import type { Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import type { Routes } from "../../http/endpoint.ts";
import type { ResponseData, StreamedResponseData } from "../../http/response-data.ts";
import { isSlug } from "../../records/slug.ts";
import { isTagName, tagKey } from "../../tags/tag-name.ts";
import type { PageContext } from "../../web/page.tsx";
import { ownIconUrl } from "../../web/site/site-pictures.ts";
import { type Author, Bylines, listAuthors } from "../authors.ts";
import type { BlogParts } from "../blog-parts.ts";
import { countShownComments, listNewestComments } from "../comments/comment-store.ts";
import { commentHtml } from "../comments/comment-text.ts";
import { commentUrl } from "../comments/thread.ts";
import { authorUrl, postUrl, tagUrl } from "../pages/site-links.ts";
import {
  findBySlug,
  findSitePost,
  listStream,
  type SitePost,
  type StreamFilter,
  tagsOfPosts,
} from "../site-posts.ts";
import { withAbsoluteUrls } from "./absolute-urls.ts";
import { authorityOf, FEED_TYPES, type Feed, type FeedEntry, type FeedFormat, tagUri } from "./feed.ts";
import { modifiedSince } from "./modified-since.ts";
import { writeFeed } from "./write-feed.ts";

/** Entries of a feed. */
const ENTRIES = 20;
/** How much HTML the entries of a feed have in all, in characters: the newest one is whole, and others while there is room. */
const WHOLE_MAX = 4_000_000;

/** Feeds of the site, of its links, of an author, of a tag, and of a post's comments. */
export function feedPages({ pages, database, cache, publicBasis, readAccess, rendered }: BlogParts): Routes {
  // Browsers send no cookies to a response for all origins.
  const anyOrigin = readAccess.anonymous;

  const site = (format: FeedFormat) =>
    pages.page({ access: readAccess, takesTokens: true, anyOrigin }, (call) =>
      send(call, format, (read) => streamFeed({ ...call, read }, {}, "/", `/feed.${format}`, call.site.name)),
    );

  const links = pages.page({ access: readAccess, takesTokens: true, anyOrigin }, (call) =>
    send(call, "atom", (read) =>
      streamFeed(
        { ...call, read },
        { kind: "link" },
        "/links",
        "/links.atom",
        `${call.site.name} · ${call.messages.blog.links.title}`,
      ),
    ),
  );

  const tag = (format: FeedFormat) =>
    pages.page(
      { access: readAccess, takesTokens: true, anyOrigin, params: z.object({ tag: z.string() }) },
      (call) => {
        const name = call.params.tag;
        if (!isTagName(name)) throw nothing();
        const path = tagUrl(name);
        const title = `${call.site.name} · ${call.messages.blog.tag.title(name)}`;
        return send(call, format, (read) =>
          streamFeed({ ...call, read }, { tag: tagKey(name) }, path, `${path}/feed.${format}`, title),
        );
      },
    );

  const author = (format: FeedFormat) =>
    pages.page(
      { access: readAccess, takesTokens: true, anyOrigin, params: z.object({ slug: z.string() }) },
      (call) =>
        send(call, format, async (read) => {
          const { slug } = call.params;
          const found = (await listAuthors(read)).find((one) => one.slug === slug);
          if (found === undefined) throw nothing();
          const path = authorUrl(found);
          const title = `${call.site.name} · ${call.messages.blog.author.title(found.name)}`;
          return streamFeed({ ...call, read }, { author: found.id }, path, `${path}/feed.${format}`, title);
        }),
    );

  const comments = pages.page(
    { access: readAccess, takesTokens: true, anyOrigin, params: z.object({ slug: z.string() }) },
    (call) =>
      send(call, "atom", async (read) => {
        const { slug } = call.params;
        const post = isSlug(slug)
          ? await findBySlug(read, slug)
          : await findSitePost(read, Number(slug) || 0);
        if (post === undefined) throw nothing();
        return commentFeed({ ...call, read }, post);
      }),
  );

  /** Answers with a feed from the cache. Its entity tag is a hash of its bytes. */
  async function send(
    call: PageContext,
    format: FeedFormat,
    make: (read: Sql) => Promise<Feed>,
  ): Promise<ResponseData | StreamedResponseData> {
    const caching = readAccess.anonymous ? "public" : "private";
    const response = await cache.answer(call, `feed ${call.client.origin} ${call.path}`, {
      caching,
      basis: publicBasis,
      version: async (read) => {
        const text = await writeFeed(await make(read), format);
        const hash = createHash("sha256").update(text).digest("base64url").slice(0, 22);
        return { etag: `"${hash}"`, text };
      },
      body: ({ text }) => {
        const made = { "last-modified": database.clock.now().toUTCString() };
        return { text: whole(text), headers: made };
      },
    });
    const contentType = FEED_TYPES[format];
    return { ...modifiedSince(call.request, response, database.clock.now()), contentType };
  }

  async function streamFeed(
    context: PageContext,
    filter: StreamFilter,
    page: string,
    self: string,
    title: string,
  ): Promise<Feed> {
    const { client, site, messages, read } = context;
    const posts = await listStream(read, filter, { limit: ENTRIES, offset: 0 });
    const tags = await tagsOfPosts(
      read,
      posts.map(({ id }) => id),
    );
    const bylines = await Bylines.read(read);
    const shown = await Promise.all(
      posts.map(async (post) => ({ post, text: await rendered.whole(post, read) })),
    );
    let room = WHOLE_MAX;
    const entries = shown.map(({ post, text: { html, excerpt } }, index) => {
      room -= html.length;
      const isWhole = index === 0 || room >= 0;
      return entryOf(context, post, {
        tags: tags.get(post.id) ?? [],
        author: bylines.shown(post),
        excerpt,
        html: isWhole ? html : beginning(post.summary ?? excerpt, messages.blog.readOn, postUrl(post)),
      });
    });
    const icon = ownIconUrl(site, "icon-512.png");
    return {
      id: `tag:${authorityOf(client.origin)},2026:${page}`,
      title,
      description: site.description,
      language: site.language,
      page: client.origin + page,
      self: client.origin + self,
      icon: icon && client.origin + icon,
      entries,
    };
  }

  function entryOf(
    { client }: PageContext,
    post: SitePost,
    {
      tags,
      author,
      excerpt,
      html,
    }: Pick<FeedEntry, "tags" | "excerpt" | "html"> & { readonly author: Author | undefined },
  ): FeedEntry {
    const url = client.origin + postUrl(post);
    return {
      id: tagUri(client.origin, post.publishedAt, `post-${post.id}`),
      title: post.title,
      url,
      about: post.link ?? undefined,
      author: author && { name: author.name, url: client.origin + authorUrl(author) },
      published: post.publishedAt,
      updated: post.updatedAt > post.publishedAt ? post.updatedAt : post.publishedAt,
      summary: post.summary ?? undefined,
      excerpt,
      html: withAbsoluteUrls(html, url),
      tags,
    };
  }

  async function commentFeed({ client, site, messages, read }: PageContext, post: SitePost): Promise<Feed> {
    const newest = await listNewestComments(read, post.id, ENTRIES);
    const count = newest.length < ENTRIES ? newest.length : await countShownComments(read, post.id);
    return {
      id: tagUri(client.origin, post.publishedAt, `comments-${post.id}`),
      title: `${post.title} · ${messages.blog.talk.heading(0)}`,
      description: "",
      language: site.language,
      page: client.origin + postUrl(post),
      self: `${client.origin}/posts/${encodeURIComponent(post.slug ?? post.id)}/comments.atom`,
      entries: newest.map((comment, index) => ({
        id: tagUri(client.origin, comment.createdAt, `comment-${comment.id}`),
        title: comment.author,
        url: client.origin + commentUrl(post, comment, count - 1 - index),
        about: undefined,
        author: { name: comment.author },
        published: comment.createdAt,
        updated: comment.createdAt,
        summary: undefined,
        html: commentHtml(comment.text),
        tags: [],
      })),
    };
  }

  return {
    "/feed.atom": { GET: site("atom") },
    "/feed.rss": { GET: site("rss") },
    "/feed.json": { GET: site("json") },
    "/links.atom": { GET: links },
    "/tags/{tag...}/feed.atom": { GET: tag("atom") },
    "/tags/{tag...}/feed.rss": { GET: tag("rss") },
    "/tags/{tag...}/feed.json": { GET: tag("json") },
    "/authors/{slug}/feed.atom": { GET: author("atom") },
    "/authors/{slug}/feed.rss": { GET: author("rss") },
    "/authors/{slug}/feed.json": { GET: author("json") },
    "/posts/{slug}/comments.atom": { GET: comments },
  };
}

/** Instead of a text: how it begins, and a link to it. */
function beginning(text: string, readOn: string, url: string): string {
  return `<p>${escapeText(text)}</p><p><a href="${escapeAttribute(url)}">${escapeText(readOn)}</a></p>`;
}

async function* whole(text: string): AsyncGenerator<string> {
  yield text;
}

function nothing(): Refusal {
  return new Refusal("not_found", "Nothing exists at this path.");
}
