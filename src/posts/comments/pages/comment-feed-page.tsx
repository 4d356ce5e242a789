/** @jsxImportSource #jsx */
import { z } from "zod";
import { createKey, deleteKey, findKey, listKeys } from "../../../accounts/keys.ts";
import { hashOfSecret, newSecret } from "../../../accounts/tokens/token.ts";
import { idOf } from "../../../accounts/tokens/token-api.ts";
import type { Database } from "../../../database/database.ts";
import { Refusal } from "../../../errors.ts";
import { isNotModified } from "../../../http/caching/etags.ts";
import type { Routes } from "../../../http/endpoint.ts";
import { notModified, type ResponseData } from "../../../http/response-data.ts";
import { FormNumber } from "../../../web/forms/form-number.ts";
import type { PageCall, PageContext } from "../../../web/page.tsx";
import { NewFeedAddress, SecretFeeds } from "../../../web/secret-feeds.tsx";
import { Title } from "../../../web/sections.tsx";
import { local } from "../../../web/urls.ts";
import { seeOther, type View } from "../../../web/view.ts";
import type { BlogParts } from "../../blog-parts.ts";
import { FEED_TYPES, type Feed, tagUri } from "../../feeds/feed.ts";
import { writeFeed } from "../../feeds/write-feed.ts";
import { commentHtml } from "../comment-text.ts";
import { listCommentsWithPosts } from "../comments-with-posts.ts";
import { MODERATORS } from "./moderation-pages.ts";

const FeedForm = z.object({ end: FormNumber.optional() });

/** `/moderation/feeds`: feeds of waiting comments with secret URLs, for feed readers, which cannot sign in. */
export function commentFeedPages({ pages, database }: BlogParts): Routes {
  const access = MODERATORS;

  const show = pages.page({ access }, (call) => view(call));

  const change = pages.page({ access, body: FeedForm }, async (call) => {
    const accountId = idOf(call.caller);
    const now = database.clock.now();
    const { end } = call.body;
    if (end !== undefined) {
      await database.write((sql) => deleteKey(sql, "comment-feed", end, now, accountId));
      return seeOther(local("/moderation/feeds"), {
        scheme: call.client.scheme,
        notice: { code: "feed-ended" },
      });
    }
    const secret = newSecret();
    await database.write((sql) => createKey(sql, "comment-feed", accountId, { secret }, now));
    const address = `${call.client.origin}/moderation/feeds/${secret}/comments.atom`;
    return { ...(await view(call, address)), caching: "private" } satisfies View;
  });

  const feed = pages.page({ params: z.object({ secret: z.string() }) }, async (call) => {
    const key = await findKey(database.read, "comment-feed", call.params.secret, database.clock.now());
    if (key === undefined) throw new Refusal("not_found", "This feed does not exist, or was deleted.");
    return waitingCommentsFeed(database, call);
  });

  async function view(
    { messages, dates, caller }: Pick<PageCall, "messages" | "dates" | "caller">,
    address?: string,
  ): Promise<View> {
    const labels = messages.blog.moderation.feeds;
    const keys = await listKeys(database.read, "comment-feed", idOf(caller), database.clock.now());
    return {
      title: labels.title,
      noIndex: true,
      ...(address !== undefined && { scripts: ["copy.js"] }),
      body: (
        <>
          <Title text={labels.title}>{labels.intro}</Title>
          {address !== undefined && <NewFeedAddress messages={messages} labels={labels} address={address} />}
          <form class="row part" method="post" action={local("/moderation/feeds")}>
            <p class="bar">
              <button class="button" type="submit">
                {labels.make}
              </button>
              <a class="button plain" href={local("/moderation")}>
                {labels.back}
              </a>
            </p>
          </form>
          <SecretFeeds
            labels={labels}
            action={local("/moderation/feeds")}
            feeds={keys.map(({ id, createdAt }) => ({
              value: String(id),
              description: labels.madeOn(dates.shortDay(createdAt)),
              name: labels.madeOn(dates.dayAndTime(createdAt)),
            }))}
          />
        </>
      ),
    };
  }

  return {
    "/moderation/feeds": { GET: show, POST: change },
    "/moderation/feeds/{secret}/comments.atom": { GET: feed },
  };
}

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
