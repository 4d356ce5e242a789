/** @jsxImportSource #jsx */

import { z } from "zod";
import type { Sql } from "../../../database/database.ts";
import { Refusal } from "../../../errors.ts";
import type { Caller } from "../../../http/access.ts";
import { networkOf } from "../../../http/client/address.ts";
import type { Routes } from "../../../http/endpoint.ts";
import { limits } from "../../../limits.ts";
import { AUTHOR_MAX, COMMENT_MAX } from "../../../records/comment-members.ts";
import { isSlug } from "../../../records/slug.ts";
import { text } from "../../../text.ts";
import { FormState } from "../../../web/forms/form-state.ts";
import { ErrorSummary, TextArea, TextField } from "../../../web/forms/forms.tsx";
import type { PageContext } from "../../../web/page.tsx";
import { Title } from "../../../web/sections.tsx";
import { local } from "../../../web/urls.ts";
import { seeOther, type View } from "../../../web/view.ts";
import type { BlogParts } from "../../blog-parts.ts";
import { postUrl } from "../../pages/site-links.ts";
import { findBySlug, findSitePost, type SitePost } from "../../site-posts.ts";
import { addComment, isKnownAuthor, looksLikeAccount } from "../add-comment.ts";
import type { CommentPolicy, CommentSetting } from "../comment-access.ts";
import { countLinks } from "../comment-text.ts";
import { FormTimestamps } from "../form-timestamps.ts";
import { placeOfComment } from "../thread.ts";

/** A comment with more links than this waits for moderation. */
const LINKS_MAX = 1;

const params = z.object({ slug: z.string() });
const CommentForm = z.object({
  author: text({ max: AUTHOR_MAX }).default(""),
  text: text({ min: 1, max: COMMENT_MAX }),
  /** A honeypot: hidden from people, filled in by spam programs. */
  site: z.string().default(""),
  /** When the form was shown, signed. */
  shown: z.string().default(""),
});
type CommentForm = z.output<typeof CommentForm>;

/**
 * The form for a comment, at `/posts/{slug}/comments`. It is not on the page of the post, whose cached bytes the
 * signed time would change.
 */
export function commentPages(
  { pages, database, anonymousCommentLimits }: BlogParts,
  commenting: CommentPolicy,
): Routes {
  const { access } = commenting;
  const { commentsPerPost: perPost } = limits();
  const times = new FormTimestamps(database);

  const show = pages.page({ access, inSnapshot: true, params }, async (call) => {
    const post = await existing(call.read, call.params.slug);
    return view(
      call,
      post,
      FormState.of({ shown: await times.sign(`comment ${post.id}`, database.clock.now()) }),
      await commenting.setting(),
    );
  });

  const submit = pages.page(
    {
      access,
      params,
      body: CommentForm,
      again: async ({ form, pathParams, ...context }) => {
        const post = await existing(context.read, pathParams.slug ?? "");
        return view(context, post, form, await commenting.setting());
      },
    },
    async ({ client, caller, params, body }) => {
      const now = database.clock.now();
      const post = await existing(database.read, params.slug);
      const author = caller.account?.displayName ?? body.author.trim();
      if (author === "") throw missingName();
      if (caller.account === undefined) anonymousCommentLimits.count(client);
      const reasons = await reasonsAgainst(caller, post, { ...body, author }, now);
      const status = reasons.length === 0 ? "shown" : "waiting";
      const comment = await database.write((sql) =>
        addComment(
          sql,
          {
            postId: post.id,
            author,
            text: body.text,
            status,
            accountId: caller.account?.id,
            sender: caller.account === undefined ? networkOf(client.address) : undefined,
            reasons: reasons.join(" ") || undefined,
          },
          { perPost, now },
        ),
      );
      if (status === "shown") return seeOther(await placeOfComment(database.read, post, comment));
      return seeOther(postUrl(post), { scheme: client.scheme, notice: { code: "comment-waits" } });
    },
  );

  /** Why a comment waits, as codes of `messages.blog.moderation.reasons`; a comment of an account never does. */
  async function reasonsAgainst(
    { account, scopes }: Caller,
    post: SitePost,
    { author, text, site, shown }: CommentForm,
    now: Date,
  ): Promise<string[]> {
    if (account !== undefined && scopes.has("posts:write")) return [];
    const isModerated = (await commenting.setting()) !== "open";
    const time = await times.judge(`comment ${post.id}`, shown, now);
    const isNew = !(await isKnownAuthor(database.read, author));
    return [
      ...(isModerated ? [isNew ? "first" : "moderated"] : []),
      ...(site === "" ? [] : ["trap"]),
      ...(time === undefined ? [] : [time]),
      ...(account === undefined && (await looksLikeAccount(database.read, author)) ? ["name"] : []),
      ...(countLinks(text) > LINKS_MAX ? ["links"] : []),
    ];
  }

  async function existing(read: Sql, slug: string): Promise<SitePost> {
    const post = isSlug(slug)
      ? await findBySlug(read, slug)
      : /^\d{1,15}$/.test(slug)
        ? await findSitePost(read, Number(slug))
        : undefined;
    if (post === undefined || post.kind === "page")
      throw new Refusal("not_found", "Nothing exists at this path.");
    return post;
  }

  return { "/posts/{slug}/comments": { GET: show, POST: submit } };
}

function view(
  { messages, caller, site }: PageContext,
  post: SitePost,
  form: FormState,
  setting: CommentSetting,
): View {
  const labels = messages.blog.talk;
  const { atOnce, open, moderated } = labels.hints;
  const hint = caller.scopes.has("posts:write") ? atOnce : setting === "open" ? open : moderated;
  const url = postUrl(post);
  return {
    title: labels.title(post.title),
    description: messages.blog.descriptions.comments(post.title, site.name),
    layout: "reading",
    forReaders: true,
    noIndex: true,
    body: (
      <>
        <Title text={labels.title(post.title)} />
        <form class="row part" method="post" action={local(`${url as `/${string}`}/comments`)}>
          <div class="stack">
            <ErrorSummary form={form} messages={messages} refused="send" />
            <input type="hidden" name="shown" value={form.text("shown")} />
            {caller.account === undefined ? (
              <TextField
                form={form}
                name="author"
                label={labels.name}
                short
                required
                autocomplete="name"
                maxlength={AUTHOR_MAX}
              />
            ) : (
              <p class="quiet">{labels.as(caller.account.displayName)}</p>
            )}
            <TextArea form={form} name="text" label={labels.comment} hint={hint} prose required rows={6} />
            <div class="trap" aria-hidden="true">
              <label for="site">{labels.trap}</label>
              <input id="site" name="site" type="text" tabindex={-1} autocomplete="off" />
            </div>
            <p class="bar">
              <button class="button" type="submit">
                {labels.send}
              </button>
              <a class="button plain" href={url}>
                {labels.back}
              </a>
            </p>
          </div>
        </form>
      </>
    ),
  };
}

function missingName(): Refusal {
  return new Refusal("invalid", "author: May not be empty.", {
    errors: [{ pointer: "/author", code: "too_short", detail: "Enter a name. It can be any name." }],
  });
}
