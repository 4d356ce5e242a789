/** @jsxImportSource #jsx */
import type { DateFormatter } from "../../web/date-formatter.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import { fragment, type SafeUrl, web } from "../../web/urls.ts";
import type { Comment } from "../comments/comment.ts";
import { commentParts } from "../comments/comment-text.ts";

/** The comments on a post, and a link to the form. */
export function CommentList({
  comments,
  form,
  messages,
  dates,
}: {
  readonly comments: readonly Comment[];
  /** The URL of the form; undefined when nobody may comment. */
  readonly form: SafeUrl | undefined;
  readonly messages: Messages;
  readonly dates: DateFormatter;
}): Markup | null {
  if (comments.length === 0 && form === undefined) return null;
  return (
    <section class="row talk" aria-labelledby="talk">
      <h2 class="margin" id="talk">
        {messages.blog.talk.heading(comments.length)}
      </h2>
      <div>
        {comments.length > 0 && (
          <ol>
            {comments.map((comment) => (
              <ShownComment comment={comment} dates={dates} />
            ))}
          </ol>
        )}
        {form !== undefined && (
          <p class="bar">
            <a class="button plain" href={form}>
              {messages.blog.talk.write}
            </a>
          </p>
        )}
      </div>
    </section>
  );
}

function ShownComment({
  comment,
  dates,
}: {
  readonly comment: Comment;
  readonly dates: DateFormatter;
}): Markup {
  const { id, author, text, createdAt } = comment;
  return (
    <li id={`c${id}`} class="h-cite p-comment">
      <p class="who">
        <bdi class="p-author">{author}</bdi>{" "}
        <a class="u-url" href={fragment(`c${id}`)}>
          <time class="dt-published" datetime={createdAt.toISOString()}>
            {dates.shortDay(createdAt)}
          </time>
        </a>
      </p>
      <CommentText text={text} />
    </li>
  );
}

/** A comment's plain text: escaped, its line breaks kept, its addresses links. */
export function CommentText({ text }: { readonly text: string }): Markup {
  return (
    <p class="says p-content" dir="auto">
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
