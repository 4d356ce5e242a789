/** @jsxImportSource #jsx */
import { ACCOUNT } from "../accounts/tokens/token-api.ts";
import type { BookmarkParts } from "../bookmarks/bookmark-parts.ts";
import type { PagePicture } from "../copies/page-pictures/page-picture-store.ts";
import type { Database } from "../database/database.ts";
import type { Routes } from "../http/endpoint.ts";
import { copiesOfEntries } from "../library/copies/copies-of-entries.ts";
import { picturesOfEntries } from "../library/copies/pictures-of-entries.ts";
import { showsRowPictures } from "../library/density.ts";
import { FirstLinks } from "../library/empty-states.tsx";
import { DatedRows } from "../library/entries/dated-rows.tsx";
import { findEntries, type LibraryBookmark, listEntries } from "../library/library-store.ts";
import { nextThree } from "../library/next-to-read/next-store.ts";
import { countCommentsByStatus } from "../posts/comments/comment-store.ts";
import { type CommentWithPost, listCommentsWithPosts } from "../posts/comments/comments-with-posts.ts";
import { CommentActions, ReplyField, ReplyForms } from "../posts/comments/pages/moderation-view.tsx";
import { postUrl } from "../posts/pages/site-links.ts";
import { shownTitle } from "../posts/shown-title.ts";
import { listTitles, listTitlesWithin } from "../posts/site-posts.ts";
import { type DraftRow, listDrafts } from "../posts/writing/draft-lists.ts";
import { BackField } from "../web/forms/back.tsx";
import type { Markup } from "../web/jsx/preact.js";
import type { PageCall, PageContext, Pages } from "../web/page.tsx";
import { Section } from "../web/sections.tsx";
import { truncateAtWord } from "../web/truncate.ts";
import { local } from "../web/urls.ts";
import type { View } from "../web/view.ts";
import { hasFewBookmarks, sameDays, savedOn } from "./today-store.ts";

/** What each part shows at most: all of them together take one screen. */
const COMMENTS = 2;
const SCHEDULED = 2;
const LINKS = 3;
const POSTS = 2;
/** The maximum number of characters of a comment. */
const COMMENT_MAX = 200;

export interface TodayDependencies {
  readonly pages: Pages;
  readonly database: Database;
  /** Undefined where there are no bookmarks. */
  readonly bookmarks: Pick<BookmarkParts, "search" | "copies"> | undefined;
  readonly hasPosts: boolean;
}

/** `GET /today`: what waits for the owner, what to go on with, and what was saved. */
export function todayPage(dependencies: TodayDependencies): Routes {
  const today = dependencies.pages.page({ access: ACCOUNT }, (call) => showToday(dependencies, call));
  return { "/today": { GET: today } };
}

async function showToday(
  { database, bookmarks, hasPosts }: TodayDependencies,
  call: PageCall,
): Promise<View> {
  const { read, messages, dates, caller, client } = call;
  const labels = messages.today;
  const now = database.clock.now();
  const days = sameDays(dates.isoDay(now), dates.timeZone);
  const desk = (list: "scheduled" | "drafts", limit: number) =>
    listDrafts(read, list, { words: [], limit, offset: 0 });
  const [waiting, scheduled, drafts, posts] = hasPosts
    ? await Promise.all([
        caller.scopes.has("comments:moderate")
          ? listCommentsWithPosts(read, "waiting", "oldest", COMMENTS)
          : [],
        desk("scheduled", SCHEDULED),
        desk("drafts", 1),
        listTitlesWithin(read, days, POSTS),
      ])
    : [[], [], [], []];
  const [next, ofDays, saved] = bookmarks
    ? await Promise.all([
        bookmarks.search.apart((sql) => nextThree(sql, now)).then((ids) => findEntries(read, ids)),
        savedOn(read, days, LINKS).then((ids) => findEntries(read, ids)),
        listEntries(read, undefined, LINKS, undefined),
      ])
    : [[], [], []];
  const { waiting: inAll = 0 } = waiting.length < COMMENTS ? {} : await countCommentsByStatus(read);
  const isEmpty = [waiting, scheduled, drafts, posts, next, ofDays, saved].every(
    ({ length }) => length === 0,
  );
  const shown = [...next, ...ofDays, ...saved];
  const links = {
    pictures: await picturesBeside(bookmarks, call, shown),
    copies: bookmarks ? await copiesOfEntries(bookmarks, call, shown) : new Map(),
    context: call,
  };
  const hasFewLinks = bookmarks !== undefined && saved.length === 0 && (await hasFewBookmarks(read));
  const isNew = hasPosts && (await listTitles(read, {}, { limit: 1, offset: 0 })).length === 0;
  /** Whether the last part does, with words for somebody who has none. */
  const offersPost = isNew || (hasPosts && isEmpty);
  const hour = Number(dates.time(now).slice(0, 2));
  return {
    title: labels.title,
    noIndex: true,
    layout: "wide",
    body: (
      <>
        <div class="row">
          <p class="margin">{labels.title}</p>
          <div class="bar greeting">
            <div>
              <h1 dir="auto">{labels.greeting(caller.account?.displayName ?? "", hour)}</h1>
              <p class="state">
                <span>{dates.day(now)}</span>
              </p>
            </div>
            {hasPosts && !offersPost && (
              <p>
                <a class="button plain small" href={local("/write/new")}>
                  {labels.newPost}
                </a>
              </p>
            )}
          </div>
        </div>
        {isEmpty && (
          <div class="row part">
            <p>{labels.nothing}</p>
          </div>
        )}
        {waiting.length > 0 && (
          <Section title={labels.waiting}>
            <Waiting comments={waiting} more={inAll - waiting.length} context={call} />
          </Section>
        )}
        {scheduled.length > 0 && (
          <Section title={labels.scheduled}>
            <ul>
              {scheduled.map((row) => (
                <Text row={row} said={dates.dayAndTime(row.at)} />
              ))}
            </ul>
          </Section>
        )}
        {drafts.length > 0 && (
          <Section title={labels.goOn}>
            <ul>
              {drafts.map((row) => (
                <Text row={row} said={labels.draft(dates.dayAndTime(row.at))} />
              ))}
            </ul>
          </Section>
        )}
        {next.length > 0 && (
          <Section title={labels.next}>
            <DatedRows entries={next} {...links} />
            <p>
              <a href={local("/library/later")}>{labels.allNext}</a>
            </p>
          </Section>
        )}
        {ofDays.length + posts.length > 0 && (
          <Section title={labels.yearsAgo}>
            {posts.length > 0 && (
              <ul>
                {posts.map((post) => (
                  <li>
                    <a class="entry" href={postUrl(post)} dir="auto">
                      {post.title}
                    </a>{" "}
                    <span class="quiet">{labels.post(dates.shortDay(post.publishedAt))}</span>
                  </li>
                ))}
              </ul>
            )}
            {ofDays.length > 0 && <DatedRows entries={ofDays} {...links} />}
          </Section>
        )}
        {saved.length > 0 && (
          <Section title={labels.saved}>
            <DatedRows entries={saved} {...links} />
          </Section>
        )}
        {hasFewLinks && <FirstLinks messages={messages} origin={client.origin} />}
        {offersPost && (
          <Section title={labels.write}>
            <p>{labels.writeText}</p>
            <p class="bar">
              <a class="button plain" href={local("/write/new")}>
                {labels.newPost}
              </a>
              <a href={local("/write/import")}>{labels.bringBlog}</a>
            </p>
            {isNew && (
              <p>
                {labels.setUp[0]}
                <a href={local("/settings")}>{labels.setUp[1]}</a>
                {labels.setUp[2]}
                <a href={local("/settings/look")}>{labels.setUp[3]}</a>.
              </p>
            )}
          </Section>
        )}
      </>
    ),
  };
}

/** Comments to decide about, in a form. */
function Waiting({
  comments,
  more,
  context: { messages },
}: {
  readonly comments: readonly CommentWithPost[];
  /** How many more are waiting. */
  readonly more: number;
  readonly context: Pick<PageContext, "messages">;
}): Markup {
  return (
    <>
      <form class="stack" method="post" action={local("/moderation")}>
        <BackField back="/today" />
        <ul class="stack">
          {comments.map((row) => (
            <li>
              <p>
                <b>
                  <bdi>{row.author}</bdi>
                </b>
                {messages.today.on}
                <a href={postUrl(row.post)} dir="auto">
                  {row.post.title}
                </a>
              </p>
              <p class="says">{truncateAtWord(row.text, COMMENT_MAX)}</p>
              <div class="bar">
                <CommentActions row={row} status="waiting" messages={messages} />
                <ReplyField row={row} messages={messages} />
              </div>
            </li>
          ))}
        </ul>
        {more > 0 && (
          <p>
            <a href={local("/moderation")}>{messages.today.moreWaiting(more)}</a>
          </p>
        )}
      </form>
      <ReplyForms rows={comments} back="/today" />
    </>
  );
}

/** A text at the desk. */
function Text({
  row: { key, post, title },
  said,
}: {
  readonly row: DraftRow;
  readonly said: string;
}): Markup {
  return (
    <li>
      <a
        class="entry"
        href={key === undefined ? local("/write", { post: post ?? 0 }) : local(`/write/${key}`)}
        dir="auto"
      >
        {shownTitle(title)}
      </a>{" "}
      <span class="quiet">{said}</span>
    </li>
  );
}

/** The pictures of pages beside links, unless this browser hides them. */
async function picturesBeside(
  bookmarks: TodayDependencies["bookmarks"],
  call: PageCall,
  entries: readonly LibraryBookmark[],
): Promise<ReadonlyMap<number, PagePicture>> {
  return bookmarks && showsRowPictures(call.request)
    ? picturesOfEntries(bookmarks, call, entries)
    : new Map();
}
