/** @jsxImportSource #jsx */

import type { Database } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { PostKind } from "../../records/publication-members.ts";
import type { PageContext } from "../../web/page.tsx";
import { Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { Bylines } from "../authors.ts";
import { NO_COMMENTS } from "../comments/thread.ts";
import { findEdit } from "../editing/edit-store.ts";
import { findPreviewedKey, PREVIEW_DAYS } from "../editing/preview-links.ts";
import { postView } from "../pages/post-view.tsx";
import { PublicationPatch } from "../publication/publication.ts";
import type { RenderedPosts } from "../rendering/rendered-posts.ts";
import { shownTitle } from "../shown-title.ts";
import { tagNames } from "./editor-form.ts";

/**
 * A working copy as the post would look.
 * @param secret of a link, where the key is not known
 */
export async function previewView(
  { database, rendered }: { readonly database: Database; readonly rendered: RenderedPosts },
  context: PageContext & { readonly client: { readonly origin: string } },
  known: string | undefined,
  secret?: string,
): Promise<View> {
  const now = database.clock.now();
  const key = known ?? (await findPreviewedKey(database.read, secret ?? "", now));
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
    editor: known === undefined ? undefined : local(`/write/${known}`),
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
    ...(secret !== undefined && { caching: "private" as const }),
    body: (
      <>
        <div class="row">
          <p class="notice">{context.messages.blog.write.previewNote}</p>
        </div>
        {view.body}
      </>
    ),
  };
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
