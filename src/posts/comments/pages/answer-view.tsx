/** @jsxImportSource #jsx */
import { BackField } from "../../../web/forms/back.tsx";
import type { FormState } from "../../../web/forms/form-state.ts";
import { ErrorSummary, TextArea } from "../../../web/forms/forms.tsx";
import type { PageContext } from "../../../web/page.tsx";
import { Title } from "../../../web/sections.tsx";
import { local, withFragment } from "../../../web/urls.ts";
import type { View } from "../../../web/view.ts";
import { postUrl } from "../../pages/site-links.ts";
import type { CommentWithPost } from "../comments-with-posts.ts";
import { commentElement } from "../thread.ts";
import { CommentItem, MatchFields } from "./moderation-view.tsx";

/**
 * The form that answers a comment, and approves one that is not shown with the answer.
 * @param isInPost whether it was opened in the post, to which it leads back
 */
export function commentAnswerView(
  context: PageContext,
  row: CommentWithPost,
  form: FormState,
  isInPost: boolean,
): View {
  const { messages, dates, caller } = context;
  const labels = messages.blog.moderation.answer;
  const title = labels.title(row.author);
  const isShown = row.status === "shown";
  const [q, from] = [form.text("q"), form.text("from")];
  const status = row.status === "waiting" ? undefined : row.status;
  const list =
    form.text("back") === "/today"
      ? local("/today")
      : local("/moderation", { status, q: q || undefined, from: from || undefined });
  return {
    title,
    noIndex: true,
    body: (
      <>
        <Title text={title} />
        <div class="row part">
          <div>
            <CommentItem row={row} when={dates.dayAndTime(row.createdAt)} messages={messages} />
          </div>
        </div>
        <form class="row part" method="post" action={local("/moderation")}>
          <div class="stack">
            <ErrorSummary form={form} messages={messages} />
            {caller.account !== undefined && (
              <p class="quiet">{messages.blog.talk.as(caller.account.displayName)}</p>
            )}
            <TextArea
              form={form}
              name="text"
              label={labels.text}
              hint={isShown ? labels.hintShown : labels.hint}
              rows={6}
              prose
              autofocus={!form.isRefused}
            />
            <p class="bar">
              <button class="button" name="answer" value={String(row.id)} type="submit">
                {isShown ? labels.submitShown : labels.submit}
              </button>
              {isInPost && <input type="hidden" name="in" value="post" />}
              <BackField back={form.text("back")} />
              <MatchFields matching={{ contains: q, sender: from }} />
              <a
                class="button plain"
                href={isInPost ? withFragment(postUrl(row.post), commentElement(row)) : list}
              >
                {messages.blog.moderation.removal.cancel}
              </a>
            </p>
          </div>
        </form>
      </>
    ),
  };
}
