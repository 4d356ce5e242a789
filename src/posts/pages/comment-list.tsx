/** @jsxImportSource #jsx */
import type { DateFormatter } from "../../web/date-formatter.ts";
import type { Children, Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import { fragment, local, type SafeUrl, web } from "../../web/urls.ts";
import type { Comment, ThreadComment } from "../comments/comment.ts";
import { commentParts } from "../comments/comment-text.ts";
import {
  branchesOf,
  commentElement,
  commentPath,
  commentUrl,
  THREAD_PAGE_SIZE,
  type ThreadPage,
  threadPageUrl,
} from "../comments/thread.ts";
import type { SitePost } from "../site-posts.ts";
import { Initial } from "./initial.tsx";
import { Paging } from "./stream.tsx";

/** A page of the comments on a post, and a link to the form. */
export function CommentList({
  post,
  thread,
  form,
  mayReply,
  messages,
  dates,
  language,
}: {
  readonly post: Pick<SitePost, "id" | "slug" | "kind">;
  readonly thread: ThreadPage;
  /** The URL of the form; undefined when nobody may comment. */
  readonly form: SafeUrl | undefined;
  /** Whether each comment leads to a form for an answer. */
  readonly mayReply: boolean;
  readonly messages: Messages;
  readonly dates: DateFormatter;
  /** That of the post, in which most answer. */
  readonly language: string | undefined;
}): Markup | null {
  const { comments, count, number } = thread;
  if (count === 0 && form === undefined) return null;
  const labels = messages.blog.talk;
  const start = (number - 1) * THREAD_PAGE_SIZE;
  const isWhole = comments.length === count;
  const indexes = new Map(comments.map(({ id }, index) => [id, start + index]));
  const urlOf = (comment: Pick<Comment, "id">) => {
    const index = indexes.get(comment.id);
    if (index === undefined) return commentPath(post, comment);
    return number === 1 ? fragment(commentElement(comment)) : commentUrl(post, comment, index);
  };
  const shared = { urlOf, mayReply, dates, messages, language };
  return (
    <>
      <section class="row talk" aria-labelledby="talk">
        <h2 class="margin" id="talk">
          {isWhole ? labels.heading(count) : labels.part(start + 1, start + comments.length, count)}
        </h2>
        <div>
          {comments.length > 0 && (
            <ol start={start > 0 ? start + 1 : undefined}>
              {branchesOf(comments).map(({ comment, replies }) => (
                <ShownComment {...shared} comment={comment} isBelow={undefined}>
                  {replies.length > 0 && (
                    <ol>
                      {replies.map((reply) => (
                        <ShownComment {...shared} comment={reply} isBelow={comment} />
                      ))}
                    </ol>
                  )}
                </ShownComment>
              ))}
            </ol>
          )}
          {form !== undefined && (
            <p class="bar">
              <a class="button plain" href={form}>
                {labels.write}
              </a>
            </p>
          )}
        </div>
      </section>
      <Paging
        messages={messages}
        label={labels.pages}
        names={labels}
        newer={number === 1 ? undefined : threadPageUrl(post, number - 1)}
        older={start + comments.length < count ? threadPageUrl(post, number + 1) : undefined}
      />
    </>
  );
}

function ShownComment({
  comment,
  isBelow,
  urlOf,
  mayReply,
  dates,
  messages,
  language,
  children,
}: {
  readonly comment: ThreadComment;
  /** The comment below which it stands. */
  readonly isBelow: Comment | undefined;
  readonly urlOf: (comment: Pick<Comment, "id">) => SafeUrl;
  readonly mayReply: boolean;
  readonly dates: DateFormatter;
  readonly messages: Messages;
  readonly language: string | undefined;
  /** The replies to it. */
  readonly children?: Children;
}): Markup {
  const { author, text, createdAt, parent } = comment;
  return (
    <li id={commentElement(comment)} class="h-cite p-comment">
      <p class="who">
        <Initial name={author} /> <bdi class="p-author">{author}</bdi>{" "}
        <a class="u-url" href={urlOf(comment)}>
          <time class="dt-published" datetime={createdAt.toISOString()}>
            {dates.shortDay(createdAt)}
          </time>
        </a>
        {parent !== undefined && parent.id !== isBelow?.id && (
          <>
            {" "}
            <a class="u-in-reply-to" href={urlOf(parent)}>
              {messages.blog.talk.replyTo} <bdi>{parent.author}</bdi>
            </a>
          </>
        )}
        {mayReply && (
          <>
            {" "}
            <a href={local("/moderation", { reply: comment.id })}>
              {messages.blog.moderation.answer.submitShown}
              <span class="unseen"> {messages.blog.moderation.answer.of(author)}</span>
            </a>
          </>
        )}
      </p>
      <CommentText text={text} language={language} />
      {children}
    </li>
  );
}

/** A comment's plain text: escaped, its line breaks kept, its addresses links. */
export function CommentText({
  text,
  language,
}: {
  readonly text: string;
  readonly language?: string | undefined;
}): Markup {
  return (
    <p class="says p-content" lang={language} dir="auto">
      {commentParts(text).map((part) =>
        "href" in part ? (
          <a href={web(part.href)} rel="ugc nofollow">
            {part.text}
          </a>
        ) : (
          part.text
        ),
      )}
    </p>
  );
}
