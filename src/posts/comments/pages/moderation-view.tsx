/** @jsxImportSource #jsx */
import type { Markup } from "../../../web/jsx/preact.js";
import type { PageContext } from "../../../web/page.tsx";
import { Title } from "../../../web/sections.tsx";
import { local, type SafeUrl } from "../../../web/urls.ts";
import type { View } from "../../../web/view.ts";
import type { Words } from "../../../web/words/en.ts";
import { CommentText } from "../../pages/comment-list.tsx";
import { postUrl } from "../../pages/site-links.ts";
import { Paging } from "../../pages/stream.tsx";
import type { CommentWithPost } from "../comments-with-posts.ts";

/** The lists of comments. */
export const LISTED_STATUSES = ["waiting", "shown", "rejected"] as const;
export type ListedStatus = (typeof LISTED_STATUSES)[number];

/** What can be decided about the comments of a list, besides removing them. */
const DECISIONS = {
  waiting: ["show", "reject"],
  shown: ["reject"],
  rejected: ["show"],
} as const satisfies Record<ListedStatus, readonly ("show" | "reject")[]>;

export interface CommentList {
  readonly status: ListedStatus;
  readonly rows: readonly CommentWithPost[];
  /** How many comments each list has; those without one are absent. */
  readonly counts: Partial<Record<ListedStatus, number>>;
  readonly newest: SafeUrl | undefined;
  readonly older: SafeUrl | undefined;
}

/** The comments of a status by day, with the decisions about one or several. */
export function commentListView(
  context: PageContext,
  { status, rows, counts, newest, older }: CommentList,
): View {
  const { words, dates } = context;
  const say = words.blog.moderation;
  const days = Map.groupBy(rows, (row) => dates.isoDay(row.createdAt));
  return {
    title: status === "waiting" ? say.title : `${say.title} · ${say.lists[status]}`,
    noIndex: true,
    body: (
      <>
        <div class="row">
          <div>
            <h1>{say.title}</h1>
            <nav class="state" aria-label={say.listsLabel}>
              {LISTED_STATUSES.map((one) => (
                <a
                  href={local("/moderation", { status: one === "waiting" ? undefined : one })}
                  aria-current={one === status ? "page" : undefined}
                >
                  {say.lists[one]} <span class="count">{counts[one]?.toLocaleString(words.language)}</span>
                </a>
              ))}
            </nav>
            {rows.length === 0 && <p class="intro">{say.nothing[status]}</p>}
            {rows.length > 0 && <p class="state">{words.blog.times(dates.timeZone)}</p>}
          </div>
        </div>
        {rows.length > 0 && (
          <form method="post" action={local("/moderation")}>
            <input type="hidden" name="status" value={status} />
            {[...days].map(([day, ofDay]) => (
              <section class="row part" aria-labelledby={`d${day}`}>
                <h2 class="margin" id={`d${day}`}>
                  {dates.day(ofDay[0]?.createdAt ?? new Date(0))}
                </h2>
                <div>
                  <ol class="lines">
                    {ofDay.map((row) => (
                      <Item row={row} status={status} context={{ words, dates }} />
                    ))}
                  </ol>
                </div>
              </section>
            ))}
            <div class="row part">
              <p class="bar">
                <span class="quiet">{say.selected}</span>
                {DECISIONS[status].map((decision) => (
                  <button class="button plain" name="all" value={decision} type="submit">
                    {say[decision]}
                  </button>
                ))}
                <button class="button plain alarm far" name="all" value="ask" type="submit">
                  {say.remove}
                </button>
              </p>
            </div>
          </form>
        )}
        <Paging
          words={words}
          newer={newest}
          older={older}
          names={{ newer: say.newest, older: words.blog.older }}
        />
        {status === "waiting" && (
          <div class="row part">
            <p>
              <a href={local("/moderation/feeds")}>{say.follow}</a>
            </p>
          </div>
        )}
      </>
    ),
  };
}

/** Asks once before comments are removed, since that cannot be undone. */
export function commentRemovalView(
  context: PageContext,
  rows: readonly CommentWithPost[],
  status: ListedStatus,
): View {
  const say = context.words.blog.moderation;
  return {
    title: say.removal.title(rows.length),
    noIndex: true,
    body: (
      <>
        <Title text={say.removal.title(rows.length)}>
          {status === "rejected" ? say.removal.textRejected : say.removal.text}{" "}
          {context.words.blog.times(context.dates.timeZone)}
        </Title>
        <form class="row part" method="post" action={local("/moderation")}>
          <input type="hidden" name="status" value={status} />
          <div>
            <ol class="lines">
              {rows.map((row) => (
                <li>
                  <input type="hidden" name="id" value={row.id} />
                  <Comment row={row} when={context.dates.dayAndTime(row.createdAt)} words={context.words} />
                </li>
              ))}
            </ol>
            <p class="bar">
              <button class="button plain alarm" name="all" value="remove" type="submit">
                {say.remove}
              </button>
              <a
                class="button plain"
                href={local("/moderation", { status: status === "waiting" ? undefined : status })}
              >
                {say.removal.cancel}
              </a>
            </p>
          </div>
        </form>
      </>
    ),
  };
}

/** A comment with its author, its time and its post. */
function Comment({
  row,
  when,
  words,
}: {
  readonly row: CommentWithPost;
  readonly when: string;
  readonly words: Words;
}): Markup {
  const { createdAt, post } = row;
  return (
    <>
      <p class="who">
        <bdi>{row.author}</bdi> <time datetime={createdAt.toISOString()}>{when}</time>
      </p>
      <p class="quiet">
        {words.blog.moderation.on}{" "}
        <a href={postUrl(post)} dir="auto">
          {post.title}
        </a>
      </p>
      <CommentText text={row.text} />
    </>
  );
}

function Item({
  row,
  status,
  context: { words, dates },
}: {
  readonly row: CommentWithPost;
  readonly status: ListedStatus;
  readonly context: Pick<PageContext, "words" | "dates">;
}): Markup {
  const say = words.blog.moderation;
  const known: Readonly<Record<string, string>> = say.reasons;
  const reasons = row.reasons.flatMap((code) => known[code] ?? []);
  const { id } = row;
  return (
    <li id={`c${id}`}>
      <Comment row={row} when={dates.time(row.createdAt)} words={words} />
      {status !== "shown" && reasons.length > 0 && <p class="quiet">{say.because(reasons.join("; "))}</p>}
      <div class="picks">
        <label>
          <input type="checkbox" name="id" value={id} /> {say.select}
          <span class="unseen"> {say.selectOf(row.author)}</span>
        </label>
        {DECISIONS[status].map((decision) => (
          <button class="link-button" name={decision} value={String(id)} type="submit">
            {say[decision]}
            <span class="unseen"> {say.selectOf(row.author)}</span>
          </button>
        ))}
        <button class="link-button alarm far" name="ask" value={String(id)} type="submit">
          {say.remove}
          <span class="unseen"> {say.selectOf(row.author)}</span>
        </button>
      </div>
    </li>
  );
}
