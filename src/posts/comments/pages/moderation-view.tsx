/** @jsxImportSource #jsx */

import { BackField } from "../../../web/forms/back.tsx";
import { SearchField } from "../../../web/forms/search-field.tsx";
import type { Markup } from "../../../web/jsx/preact.js";
import type { Messages } from "../../../web/messages/en.ts";
import type { PageContext } from "../../../web/page.tsx";
import { Title } from "../../../web/sections.tsx";
import { local, type SafeUrl } from "../../../web/urls.ts";
import type { View } from "../../../web/view.ts";
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
  /** What the listed comments have in common; absent if they are all of this status. */
  readonly matching?: Matching | undefined;
  /** The same list with all of it selected; undefined when it is. */
  readonly all: SafeUrl | undefined;
  readonly newest: SafeUrl | undefined;
  readonly older: SafeUrl | undefined;
}

/** Waiting comments that are filtered. */
export interface Matching {
  /** Part of their text or author; may be empty. */
  readonly contains: string;
  /** The network from which they came; may be empty. */
  readonly sender: string;
  readonly count: number;
}

/** The comments of a status by day, with the decisions about one or several. */
export function commentListView(
  context: PageContext,
  { status, rows, counts, all, matching, newest, older }: CommentList,
): View {
  const { messages, dates } = context;
  const labels = messages.blog.moderation;
  const days = Map.groupBy(rows, (row) => dates.isoDay(row.createdAt));
  return {
    title: status === "waiting" ? labels.title : `${labels.title} · ${labels.lists[status]}`,
    noIndex: true,
    body: (
      <>
        <div class="row">
          <div>
            <h1>{labels.title}</h1>
            <nav class="state" aria-label={labels.listsLabel}>
              {LISTED_STATUSES.map((one) => (
                <a
                  href={local("/moderation", { status: one === "waiting" ? undefined : one })}
                  aria-current={one === status ? "page" : undefined}
                >
                  {labels.lists[one]}{" "}
                  <span class="count">{counts[one]?.toLocaleString(messages.language)}</span>
                </a>
              ))}
            </nav>
            {status === "waiting" && ((counts.waiting ?? 0) > 1 || matching !== undefined) && (
              <Filter labels={labels} matching={matching} language={messages.language} />
            )}
            {rows.length === 0 && (
              <p class="intro">{matching === undefined ? labels.nothing[status] : labels.nothing.matching}</p>
            )}
          </div>
        </div>
        {rows.length > 0 && (
          <form method="post" action={local("/moderation")}>
            <input type="hidden" name="status" value={status} />
            {matching !== undefined && <MatchFields matching={matching} />}
            {[...days].map(([day, ofDay]) => (
              <section class="row part" aria-labelledby={`d${day}`}>
                <h2 class="margin" id={`d${day}`}>
                  {dates.day(ofDay[0]?.createdAt ?? new Date(0))}
                </h2>
                <div>
                  <ol class="lines">
                    {ofDay.map((row) => (
                      <Item
                        row={row}
                        status={status}
                        isSelected={all === undefined}
                        context={{ messages, dates }}
                      />
                    ))}
                  </ol>
                </div>
              </section>
            ))}
            <div class="row part">
              <p class="bar">
                {all !== undefined && (
                  <a class="button plain" href={all}>
                    {labels.selectThese(rows.length)}
                  </a>
                )}
                <span class="quiet">{labels.selected}</span>
                {DECISIONS[status].map((decision) => (
                  <button class="button plain" name="all" value={decision} type="submit">
                    {labels[decision]}
                  </button>
                ))}
                <button class="button plain alarm far" name="all" value="ask" type="submit">
                  {labels.remove}
                </button>
              </p>
            </div>
          </form>
        )}
        {status === "waiting" && rows.length > 0 && <ReplyForms rows={rows} matching={matching} />}
        {status === "waiting" && rows.length > 1 && (
          <form class="row part" method="post" action={local("/moderation")}>
            <MatchFields matching={matching} />
            <p class="bar">
              <button class="button plain" name="matching" value="ask" type="submit">
                {labels.rejectAll((matching?.count ?? counts.waiting ?? 0).toLocaleString(messages.language))}
              </button>
            </p>
          </form>
        )}
        <Paging
          messages={messages}
          newer={newest}
          older={older}
          names={{ newer: labels.newest, older: messages.blog.older }}
        />
        <div class="row part">
          <div>
            {status === "waiting" && (
              <p>
                <a href={local("/moderation/feeds")}>{labels.follow}</a>
              </p>
            )}
            <p>
              <a href={local("/library/removed")}>{messages.library.otherPages.removed}</a>
            </p>
          </div>
        </div>
      </>
    ),
  };
}

/** Finds waiting comments by what they contain. */
function Filter({
  labels,
  matching,
  language,
}: {
  readonly labels: Messages["blog"]["moderation"];
  readonly matching: Matching | undefined;
  readonly language: string;
}): Markup {
  return (
    <search>
      <form class="find" method="get" action={local("/moderation")}>
        <SearchField q={matching?.contains ?? ""} label={labels.find} submit={labels.submit}>
          {matching !== undefined && matching.sender !== "" && (
            <input type="hidden" name="from" value={matching.sender} />
          )}
        </SearchField>
      </form>
      {matching !== undefined && (
        <p role="status">
          {labels.matching(matching.count.toLocaleString(language), matching.contains, matching.sender)}
        </p>
      )}
    </search>
  );
}

/** What is searched for, in a form. */
export function MatchFields({
  matching,
}: {
  readonly matching: Omit<Matching, "count"> | undefined;
}): Markup {
  return (
    <>
      <input type="hidden" name="q" value={matching?.contains ?? ""} />
      <input type="hidden" name="from" value={matching?.sender ?? ""} />
    </>
  );
}

/** Asks once before all waiting comments that match are rejected. @param rows some of them */
export function commentRejectionView(
  context: PageContext,
  rows: readonly CommentWithPost[],
  matching: Matching,
): View {
  const { messages, dates } = context;
  const labels = messages.blog.moderation;
  const { contains, sender } = matching;
  const count = matching.count.toLocaleString(messages.language);
  return {
    title: labels.rejection.title(count),
    noIndex: true,
    body: (
      <>
        <Title text={labels.rejection.title(count)}>{labels.rejection.text(contains, sender)}</Title>
        <form class="row part" method="post" action={local("/moderation")}>
          <MatchFields matching={matching} />
          <div>
            <ol class="lines">
              {rows.map((row) => (
                <li>
                  <CommentItem row={row} when={dates.dayAndTime(row.createdAt)} messages={messages} />
                </li>
              ))}
            </ol>
            {matching.count > rows.length && <p class="quiet">{labels.rejection.more}</p>}
            <p class="bar">
              <button class="button plain alarm" name="matching" value="reject" type="submit">
                {labels.rejectAll(count)}
              </button>
              <a
                class="button plain"
                href={local("/moderation", { q: contains || undefined, from: sender || undefined })}
              >
                {labels.removal.cancel}
              </a>
            </p>
          </div>
        </form>
      </>
    ),
  };
}

/** Asks once before comments are removed. */
export function commentRemovalView(
  context: PageContext,
  rows: readonly CommentWithPost[],
  status: ListedStatus,
): View {
  const labels = context.messages.blog.moderation;
  return {
    title: labels.removal.title(rows.length),
    noIndex: true,
    body: (
      <>
        <Title text={labels.removal.title(rows.length)}>
          {status === "rejected" ? labels.removal.textRejected : labels.removal.text}
        </Title>
        <form class="row part" method="post" action={local("/moderation")}>
          <input type="hidden" name="status" value={status} />
          <div>
            <ol class="lines">
              {rows.map((row) => (
                <li>
                  <input type="hidden" name="id" value={row.id} />
                  <CommentItem
                    row={row}
                    when={context.dates.dayAndTime(row.createdAt)}
                    messages={context.messages}
                  />
                </li>
              ))}
            </ol>
            <p class="bar">
              <button class="button plain alarm" name="all" value="remove" type="submit">
                {labels.remove}
              </button>
              <a
                class="button plain"
                href={local("/moderation", { status: status === "waiting" ? undefined : status })}
              >
                {labels.removal.cancel}
              </a>
            </p>
          </div>
        </form>
      </>
    ),
  };
}

/** A comment with its author, its time and its post. */
export function CommentItem({
  row,
  when,
  messages,
}: {
  readonly row: CommentWithPost;
  readonly when: string;
  readonly messages: Messages;
}): Markup {
  const { createdAt, post } = row;
  return (
    <>
      <p class="who">
        <bdi>{row.author}</bdi> <time datetime={createdAt.toISOString()}>{when}</time>
      </p>
      <p class="quiet">
        {messages.blog.moderation.on}{" "}
        <a href={postUrl(post)} dir="auto">
          {post.title}
        </a>
        {row.answered !== undefined && (
          <>
            {messages.blog.moderation.answered} <bdi>{row.answered}</bdi>
          </>
        )}
      </p>
      <CommentText text={row.text} />
    </>
  );
}

function Item({
  row,
  status,
  isSelected,
  context: { messages, dates },
}: {
  readonly row: CommentWithPost;
  readonly status: ListedStatus;
  readonly isSelected: boolean;
  readonly context: Pick<PageContext, "messages" | "dates">;
}): Markup {
  const labels = messages.blog.moderation;
  const known: Readonly<Record<string, string>> = labels.reasons;
  const reasons = row.reasons.flatMap((code) => known[code] ?? []);
  const { id } = row;
  return (
    <li id={`c${id}`}>
      <CommentItem row={row} when={dates.time(row.createdAt)} messages={messages} />
      {status !== "shown" && reasons.length > 0 && <p class="quiet">{labels.because(reasons.join("; "))}</p>}
      {status === "waiting" && row.sender !== undefined && (
        <p class="quiet">
          {labels.from} <a href={local("/moderation", { from: row.sender })}>{row.sender}</a>
        </p>
      )}
      <div class="picks">
        <label>
          <input type="checkbox" name="id" value={id} checked={isSelected} /> {labels.select}
          <span class="unseen"> {labels.selectOf(row.author)}</span>
        </label>
        <CommentActions row={row} status={status} messages={messages} />
        <button class="button plain small alarm far" name="ask" value={String(id)} type="submit">
          {labels.remove}
          <span class="unseen"> {labels.selectOf(row.author)}</span>
        </button>
      </div>
      {status === "waiting" && <ReplyField row={row} messages={messages} />}
    </li>
  );
}

/** The decisions about one comment, in the same order on every page; a waiting one has a field to reply as well. */
export function CommentActions({
  row: { id, author },
  status,
  messages,
}: {
  readonly row: Pick<CommentWithPost, "id" | "author">;
  readonly status: ListedStatus;
  readonly messages: Messages;
}): Markup {
  const labels = messages.blog.moderation;
  const action = (name: "show" | "reply" | "reject", text: string) => (
    <button class="button plain small" name={name} value={String(id)} type="submit">
      {text}
      <span class="unseen"> {name === "reply" ? labels.answer.of(author) : labels.selectOf(author)}</span>
    </button>
  );
  return (
    <>
      {status !== "shown" && action("show", labels.show)}
      {status !== "waiting" &&
        action("reply", status === "shown" ? labels.answer.submitShown : labels.answer.submit)}
      {status !== "rejected" && action("reject", labels.reject)}
    </>
  );
}

/** Approves a waiting comment with a reply, by the form of `ReplyForms`: the page has one for each comment. */
export function ReplyField({
  row: { id, author },
  messages,
}: {
  readonly row: Pick<CommentWithPost, "id" | "author">;
  readonly messages: Messages;
}): Markup {
  const labels = messages.blog.moderation.answer;
  const form = replyForm(id);
  return (
    <div class="reply">
      <textarea
        name="text"
        form={form}
        rows={1}
        aria-label={labels.title(author)}
        placeholder={labels.title(author)}
        required
      />
      <button class="button plain small" form={form} name="answer" value={String(id)} type="submit">
        {labels.submit}
        <span class="unseen"> {labels.of(author)}</span>
      </button>
    </div>
  );
}

/** The forms of the fields to reply. They stand outside the form of the list, since a form has none in it. */
export function ReplyForms({
  rows,
  back,
  matching,
}: {
  readonly rows: readonly Pick<CommentWithPost, "id">[];
  readonly matching?: Matching | undefined;
  /** The page to return to; the list by default. */
  readonly back?: string;
}): Markup {
  return (
    <div hidden>
      {rows.map(({ id }) => (
        <form id={replyForm(id)} method="post" action={local("/moderation")}>
          <BackField back={back} />
          {matching !== undefined && <MatchFields matching={matching} />}
        </form>
      ))}
    </div>
  );
}

function replyForm(id: number): string {
  return `reply-${id}`;
}
