/** @jsxImportSource #jsx */

import { z } from "zod";
import type { Bookmark } from "../bookmarks/bookmark.ts";
import { findBookmark } from "../bookmarks/bookmark-store.ts";
import type { Database } from "../database/database.ts";
import { orNotFound } from "../errors.ts";
import { PathId } from "../http/parameters.ts";
import { postUrl } from "../posts/pages/site-links.ts";
import { POST_TITLE_MAX } from "../posts/post.ts";
import { PublicationReplace } from "../posts/publication/publication.ts";
import { shownTitle } from "../posts/shown-title.ts";
import { POST_TAGS_MAX } from "../records/publication-members.ts";
import { tagsOf, textOf } from "../tags/description-tags.ts";
import { parseTagList } from "../tags/retag.ts";
import { TAG_NAME_MAX } from "../tags/tag-name.ts";
import { asIssue, countCodePoints, isReadable, type TextError, text } from "../text.ts";
import { BackField, BackQuery, backTo } from "../web/forms/back.tsx";
import { FormState } from "../web/forms/form-state.ts";
import { ErrorSummary, TextArea, TextField } from "../web/forms/forms.tsx";
import { POST_TAGS, TagField } from "../web/forms/tag-field.tsx";
import type { PageCall, PageContext, RefusedForm } from "../web/page.tsx";
import { Title } from "../web/sections.tsx";
import { local, web, withFragment } from "../web/urls.ts";
import { seeOther, type View } from "../web/view.ts";
import { findPublished, publishBookmark } from "./publish-bookmark.ts";

const Tags = PublicationReplace.shape.tags;

export const PublishParams = z.object({ id: PathId });
export const PublishForm = z.object({
  title: text({ max: POST_TITLE_MAX }).default(""),
  content: text().default(""),
  tags: text()
    .check((context) => {
      const error = tagsError(context.value);
      if (error !== undefined) context.issues.push(asIssue(error, context.value));
    })
    .default(""),
  /** Asks for the form with the private note in its text, instead of publishing. */
  use_note: z.string().optional(),
  back: BackQuery.shape.back,
});

/** `GET /library/{id}/publish`: a preview of the public post, without the private note. */
export async function showPublish(
  database: Database,
  call: PageCall<typeof PublishParams, typeof BackQuery>,
): Promise<View> {
  const bookmark = await existing(database, call.params.id);
  const { title, url, description } = bookmark;
  const form = FormState.of({
    title: isReadable(title) ? title : url,
    content: "",
    tags: tagsOf(description).join(", "),
    ...(call.query.back !== undefined && { back: call.query.back }),
  });
  return publishView(database, call, bookmark, form);
}

/** `POST /library/{id}/publish`: if the page is already published, redirects to its post. */
export async function publish(
  database: Database,
  call: PageCall<typeof PublishParams, undefined, typeof PublishForm>,
) {
  const { params, body, caller, client } = call;
  const bookmark = await existing(database, params.id);
  if (body.use_note !== undefined) return publishView(database, call, bookmark, withNote(body, bookmark));
  const tags = parseTagList(body.tags);
  const given = {
    title: isReadable(body.title) ? body.title : undefined,
    content: body.content,
    tags,
    accountId: caller.account?.id,
  };
  const { post, isNew } = await database.write((sql) =>
    publishBookmark(sql, bookmark, given, database.clock.now()),
  );
  return seeOther(postUrl(post), {
    scheme: client.scheme,
    notice: { code: isNew ? "post-published" : "nothing-changed" },
  });
}

/** The form as it was typed, with the private note at the end of the text. */
function withNote(
  { title, content, tags, back }: z.output<typeof PublishForm>,
  bookmark: Bookmark,
): FormState {
  const texts = [content, textOf(bookmark.description)].map((part) => part.trim());
  return FormState.of({
    ...{ title, content: texts.filter((part) => part !== "").join("\n\n"), tags },
    ...(back !== undefined && { back }),
  });
}

/** The form again, with its errors. */
export async function publishAgain(database: Database, refused: RefusedForm): Promise<View> {
  const { id } = PublishParams.parse(refused.pathParams);
  return publishView(database, refused, await existing(database, id), refused.form);
}

async function publishView(
  database: Database,
  { messages }: PageContext,
  bookmark: Bookmark,
  form: FormState,
): Promise<View> {
  const labels = messages.linkblog.publish;
  const post = await findPublished(database.read, bookmark.url);
  if (post !== undefined) {
    return {
      title: labels.published,
      body: (
        <>
          <Title text={labels.published}>{labels.publishedText}</Title>
          <div class="row part">
            <div class="stack">
              <p>
                <b dir="auto">{shownTitle(post.title)}</b>
              </p>
              <p class="bar">
                <a class="button" href={postUrl(post)}>
                  {labels.show}
                </a>
                <a class="button plain" href={local("/write", { post: post.id })}>
                  {labels.edit}
                </a>
              </p>
            </div>
          </div>
        </>
      ),
    };
  }
  const back = form.text("back") || undefined;
  const note = textOf(bookmark.description).trim();
  return {
    title: labels.title,
    scripts: ["tag-field.js"],
    body: (
      <>
        <Title text={labels.title}>{labels.intro}</Title>
        <form class="row part" method="post" action={local(`/library/${bookmark.id}/publish`)}>
          <div class="stack">
            <ErrorSummary
              form={form}
              messages={messages}
              refused="publish"
              labels={{ title: labels.postTitle, content: labels.text, tags: labels.tags }}
            />
            <BackField back={back} />
            {/* The first button is the one that Enter in a field presses. */}
            <button type="submit" hidden>
              {labels.submit}
            </button>
            <p>
              <a href={web(bookmark.url)} rel="noreferrer">
                {bookmark.url}
              </a>
            </p>
            <TextField form={form} name="title" label={labels.postTitle} dir="auto" autocomplete="off" />
            <TextArea
              form={form}
              name="content"
              label={labels.text}
              hint={labels.textHint}
              prose
              rows={5}
              dir="auto"
            />
            {note !== "" && form.text("content") === "" && (
              <div class="field" id="note">
                <p class="label">{labels.note}</p>
                <p class="says" dir="auto">
                  {note}
                </p>
                <p class="hint">{labels.noteText}</p>
                <p>
                  <button class="link-button" name="use_note" value="1" type="submit">
                    {labels.useNote}
                  </button>
                </p>
              </div>
            )}
            <TagField
              messages={messages}
              form={form}
              name="tags"
              label={labels.tags}
              hint={labels.tagsHint}
              suggest={POST_TAGS}
            />
            <p class="bar">
              <button class="button" type="submit">
                {labels.submit}
              </button>
              <a
                class="button plain"
                href={backTo(back, withFragment(local("/library"), `link-${bookmark.id}`))}
              >
                {labels.cancel}
              </a>
            </p>
          </div>
        </form>
      </>
    ),
  };
}

/** A name that is too long is refused here, where its author can shorten it, instead of being cut. */
function tagsError(typed: string): TextError | undefined {
  if (typed.split(",").some((name) => countCodePoints(name.trim()) > TAG_NAME_MAX))
    return { code: "too_long", detail: `A tag has at most ${TAG_NAME_MAX} characters.` };
  if (Tags.safeParse(parseTagList(typed)).success) return undefined;
  return { code: "out_of_range", detail: `At most ${POST_TAGS_MAX} tags.` };
}

/** @throws Refusal `not_found` */
async function existing(database: Database, id: number | bigint): Promise<Bookmark> {
  return orNotFound(await findBookmark(database.read, id), "Bookmark", id);
}
