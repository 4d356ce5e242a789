/** @jsxImportSource #jsx */

import type { Database } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { PostKind } from "../../records/publication-members.ts";
import { Icon } from "../../web/icon.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageContext } from "../../web/page.tsx";
import { ShownOnce, Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { Bylines } from "../authors.ts";
import { NO_COMMENTS } from "../comments/thread.ts";
import { findEdit } from "../editing/edit-store.ts";
import { findPreviewedKey, PREVIEW_DAYS, previewedUntil } from "../editing/preview-links.ts";
import { postView } from "../pages/post-view.tsx";
import { PublicationPatch } from "../publication/publication.ts";
import type { RenderedPosts } from "../rendering/rendered-posts.ts";
import { shownTitle } from "../shown-title.ts";
import { tagNames } from "./editor-form.ts";

/** Whose preview it is: the writer's, by the key of the working copy, or that of whoever has a link with a secret. */
export type PreviewOf =
  | {
      readonly key: string;
      /** A new link, shown only now. */
      readonly shared?: string;
    }
  | { readonly secret: string };

/** A working copy as the post would look; for its writer with a button that shares it. */
export async function previewView(
  { database, rendered }: { readonly database: Database; readonly rendered: RenderedPosts },
  context: PageContext & { readonly client: { readonly origin: string } },
  of: PreviewOf,
): Promise<View> {
  const own = "key" in of ? of : undefined;
  const now = database.clock.now();
  const key = "key" in of ? of.key : await findPreviewedKey(database.read, of.secret, now);
  const edit = key === undefined ? undefined : await findEdit(database.read, key);
  if (edit === undefined) throw new Refusal("not_found", "Nothing exists at this path.");
  const { kind = "post", link = "", summary = "", language = "", tags = "" } = edit.fields;
  const image = PublicationPatch.shape.image.safeParse(edit.fields.image).data ?? null;
  const title = shownTitle(edit.title);
  const bylines = await Bylines.read(database.read);
  const view = postView(context, {
    post: {
      id: edit.post ?? 0,
      title,
      content: edit.content,
      kind: PostKind.safeParse(kind).data ?? "post",
      link: link === "" ? null : link,
      slug: null,
      summary: summary === "" ? null : summary,
      language: isLanguage(language) ? language : null,
      image,
      canonicalUrl: null,
      createdBy: bylines.only?.id ?? null,
      createdAt: edit.createdAt,
      publishedAt: edit.updatedAt,
      updatedAt: edit.updatedAt,
    },
    rendered: await rendered.draft({ content: edit.content, image }),
    tags: tagNames(tags),
    thread: NO_COMMENTS,
    url: undefined,
    editor: own && local(`/write/${own.key}`),
    commentForm: undefined,
    mayReply: false,
    hasFeeds: false,
    bylines,
    next: undefined,
    after: undefined,
  });
  const { head: _, ...others } = view;
  return {
    ...others,
    title: context.messages.blog.write.previewOf(title),
    noIndex: true,
    ...((own === undefined || own.shared !== undefined) && { caching: "private" as const }),
    ...(own?.shared !== undefined && { scripts: ["copy.js"] }),
    body: (
      <>
        <div class="row">
          <p class="notice">{context.messages.blog.write.previewNote}</p>
        </div>
        {own !== undefined && (
          <Sharing {...context} of={own} until={await previewedUntil(database.read, own.key, now)} />
        )}
        {view.body}
      </>
    ),
  };
}

/** The button that makes a link to the draft, and the link itself, once. */
function Sharing({
  messages,
  dates,
  of: { key, shared },
  until,
}: Pick<PageContext, "messages" | "dates"> & {
  readonly of: Extract<PreviewOf, { key: string }>;
  readonly until: Date | undefined;
}): Markup {
  const labels = messages.blog.write;
  return (
    <div class="row">
      <form class="sharing" method="post" action={local(`/write/${key}/preview`)}>
        {shared !== undefined && (
          <div role="status">
            <p>{labels.shared(PREVIEW_DAYS)}</p>
            <ShownOnce messages={messages} text={shared} />
          </div>
        )}
        <p class="bar">
          <button class="button plain" name="action" value="share" type="submit">
            <Icon name="share" />
            {labels.share}
          </button>
          {until !== undefined && (
            <>
              <span class="quiet">{labels.sharedUntil(dates.shortDay(until))}</span>
              <button class="link-button" name="action" value="unshare" type="submit">
                {labels.unshare}
              </button>
            </>
          )}
        </p>
      </form>
    </div>
  );
}

/** The page of a link to a draft that does not work, or not any more. */
export function endedPreviewView({ messages }: PageContext): View {
  const { title, text } = messages.blog.write.previewEnded;
  return {
    title,
    noIndex: true,
    layout: "reading",
    body: (
      <>
        <Title text={title}>{text(PREVIEW_DAYS)}</Title>
        <div class="row part">
          <p>
            <a href={local("/")}>{messages.refused.home}</a>
          </p>
        </div>
      </>
    ),
  };
}

function isLanguage(text: string): boolean {
  return /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/.test(text);
}
