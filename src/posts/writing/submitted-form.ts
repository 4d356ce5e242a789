import { invalid, Refusal } from "../../errors.ts";
import type { ResponseData } from "../../http/response-data.ts";
import { acceptImage } from "../../media/accept-image.ts";
import { mediaPath } from "../../media/media.ts";
import { insertMedia } from "../../media/media-store.ts";
import type { PageCall } from "../../web/page.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import { type Edit, type EditReplace, hasSameContent } from "../editing/edit.ts";
import { deleteEdit, findEdit, insertEdit, lockEdit, replaceEdit } from "../editing/edit-store.ts";
import { createPreview, revokePreviews } from "../editing/preview-links.ts";
import { postUrl } from "../pages/site-links.ts";
import { deletePost, findPost, lockPost, updatePost } from "../post-store.ts";
import { changePublication } from "../publication/change-publication.ts";
import { findPublication } from "../publication/publication-store.ts";
import { conflictView } from "./conflict-view.tsx";
import { discardView } from "./discard-view.tsx";
import { type EditorForm, editFromForm, formFromEdit, publicationFromForm } from "./editor-form.ts";
import { type EditorDependencies, editor, type KeyParams, startOf } from "./editor-page.ts";
import { currentVersionNumber, findPostOrDraft, publishEdit } from "./publish-edit.ts";
import { publishedCookie } from "./published-cookie.ts";

type Submitted = PageCall<KeyParams, undefined, typeof EditorForm>;

/** Stores the form, then shows the editor again or the requested page. */
export async function save(
  dependencies: EditorDependencies,
  call: Submitted,
  key: string,
): Promise<View | ResponseData> {
  const { database } = dependencies;
  const { body, client } = call;
  const picture = body.action === "picture" ? await upload(dependencies, call) : undefined;
  const wanted = editFromForm(
    picture === undefined ? body : { ...body, content: withPicture(body.content, picture) },
  );
  const stored = await store(dependencies, call, key, wanted);
  if (stored !== undefined) return conflict(call, key, wanted, stored);
  if (picture !== undefined)
    return seeOther(local(`/write/${key}`), { scheme: client.scheme, notice: { code: "image-added" } });
  if (body.action === "preview") return seeOther(local(`/write/${key}/preview`));
  if (body.action === "unshare") {
    await database.write((sql) => revokePreviews(sql, key));
    return seeOther(local(`/write/${key}`), { scheme: client.scheme, notice: { code: "links-ended" } });
  }
  if (body.action !== "share")
    return seeOther(local(`/write/${key}`), { scheme: client.scheme, notice: { code: "post-saved" } });
  const secret = await database.write((sql) => createPreview(sql, key, new Date()));
  const edit = await findEdit(database.read, key);
  if (edit === undefined) return seeOther(local(`/write/${key}`));
  return editor(dependencies, call, key, formFromEdit(edit), edit.post, `${client.origin}/preview/${secret}`);
}

/** Publishes the form, or shows both versions if the post has changed since. */
export async function publishOrSave(
  dependencies: EditorDependencies,
  call: Submitted,
  key: string,
): Promise<View | ResponseData> {
  const { database } = dependencies;
  const { body, client, caller } = call;
  const wanted = editFromForm(body);
  const stored = await store(dependencies, call, key, wanted);
  if (stored !== undefined) return conflict(call, key, wanted, stored);
  const publication = publicationFromForm(body, call.dates.timeZone);
  try {
    const { post, wasPublished } = await database.write((sql) =>
      publishEdit(
        sql,
        {
          key,
          post: body.post,
          baseVersion: body.base_version,
          title: body.title,
          content: body.content,
          publication,
          accountId: caller.account?.id,
        },
        new Date(),
      ),
    );
    const cookies = [publishedCookie(key, post.id, client.scheme)];
    if (!post.published)
      return seeOther(local("/write"), {
        scheme: client.scheme,
        notice: { code: "post-scheduled" },
        cookies,
      });
    const { slug, kind } = await findPublication(database.read, post.id);
    return seeOther(postUrl({ id: post.id, slug, kind }), {
      scheme: client.scheme,
      notice: { code: wasPublished ? "post-updated" : "post-published" },
      cookies,
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.reason === "conflict" && publication.slug !== undefined) {
      const detail = call.messages.blog.write.addressTaken;
      throw new Refusal("conflict", detail, { errors: [{ pointer: "/slug", code: "repeated", detail }] });
    }
    if (error.reason !== "precondition_failed" || body.post === null) throw error;
    const post = await findPostOrDraft(database.read, body.post);
    if (post === undefined) throw error;
    const edit = await findEdit(database.read, key);
    return conflictView(call, {
      key,
      with: "post",
      mine: wanted,
      theirs: post,
      current: {
        version: edit?.version ?? 0,
        baseVersion: await currentVersionNumber(database.read, post.id),
      },
    });
  }
}

/** Continues with the typed text; the stored one becomes a separate working copy. Publishes nothing. */
export async function keepMine(
  dependencies: EditorDependencies,
  call: Submitted,
  key: string,
): Promise<View | ResponseData> {
  const { body, caller, client } = call;
  const mine = editFromForm(body);
  const accountId = caller.account?.id;
  const changed = await dependencies.database.write(async (sql) => {
    const locked = await lockEdit(sql, key);
    const now = new Date();
    if (locked === undefined) await insertEdit(sql, key, mine, accountId, now);
    else if (!hasSameContent(locked, mine)) {
      if (locked.version !== body.version) return locked;
      await insertEdit(sql, crypto.randomUUID(), locked, accountId, now);
      await replaceEdit(sql, locked, mine, now);
    }
    return undefined;
  });
  if (changed !== undefined) return conflict(call, key, mine, changed);
  return seeOther(local(`/write/${key}`), { scheme: client.scheme, notice: { code: "text-kept" } });
}

/** Continues with the stored text; the typed text becomes a separate working copy. */
export async function useTheirs(
  { database }: EditorDependencies,
  { body, caller, client }: Submitted,
  key: string,
): Promise<ResponseData> {
  await database.write((sql) =>
    insertEdit(sql, crypto.randomUUID(), editFromForm(body), caller.account?.id, new Date()),
  );
  return seeOther(local(`/write/${key}`), { scheme: client.scheme, notice: { code: "text-kept" } });
}

/**
 * Starts again from the post, which has changed since; the typed text becomes a separate working copy. That one belongs to
 * the earlier version, so that publishing it shows both texts again.
 */
export async function usePost(
  dependencies: EditorDependencies,
  call: Submitted,
  key: string,
): Promise<ResponseData> {
  const { body, caller, client } = call;
  const accountId = caller.account?.id;
  const now = new Date();
  await dependencies.database.write(async (sql) => {
    const locked = await lockEdit(sql, key);
    const mine = { ...editFromForm(body), base_version: locked?.base_version ?? null };
    await insertEdit(sql, crypto.randomUUID(), mine, accountId, now);
    // A text of another window, which the form did not show, stays.
    if (locked === undefined || locked.version !== body.version) return;
    const theirs = await startOf(sql, call, String(body.post));
    await replaceEdit(sql, locked, theirs, now);
  });
  return seeOther(local(`/write/${key}`), { scheme: client.scheme, notice: { code: "text-kept" } });
}

/** The question before a text is discarded. It stores nothing: what was typed comes back with the response. */
export async function askToDiscard(
  { database }: EditorDependencies,
  call: Submitted,
  key: string,
): Promise<View> {
  const { post: id, version } = call.body;
  const post = id === null ? undefined : await findPostOrDraft(database.read, id);
  const from = post === undefined ? "nothing" : post.published ? "published" : "draft";
  return discardView(call, { key, text: editFromForm(call.body), version, from });
}

/** Takes a post off the site, or a draft off the schedule: it is a draft with its text. What was typed stays a working copy. */
export async function unpublish(
  dependencies: EditorDependencies,
  call: Submitted,
  key: string,
): Promise<View | ResponseData> {
  const { body, client, caller } = call;
  const typed = editFromForm(body);
  const { publish_at: _, ...fields } = typed.fields;
  const stored = await store(dependencies, call, key, { ...typed, fields });
  if (stored !== undefined) return conflict(call, key, typed, stored);
  const code = await dependencies.database.write(async (sql) => {
    const now = new Date();
    if (body.post === null || (await lockPost(sql, body.post)) === undefined) return "nothing-changed";
    const post = await findPostOrDraft(sql, body.post);
    if (post === undefined) return "nothing-changed";
    const { title, content } = post;
    if (post.published) {
      await updatePost(sql, post, { title, content, published: false }, now, {
        accountId: caller.account?.id,
      });
      return "post-unpublished";
    }
    await changePublication(sql, post, await findPublication(sql, post.id), { publish_at: null }, now);
    return "post-unscheduled";
  });
  return seeOther(local(`/write/${key}`), { scheme: client.scheme, notice: { code } });
}

/** The question before a draft is deleted. It stores nothing: what was typed comes back with the answer. */
export function askToDelete(call: Submitted, key: string): View {
  return discardView(call, {
    key,
    text: editFromForm(call.body),
    version: call.body.version,
    from: "whole draft",
  });
}

/**
 * Deletes a draft and its working copy.
 * @throws Refusal `conflict` if it was published or changed since the form was shown
 */
export async function deleteDraft(
  { database }: EditorDependencies,
  { body, client }: Submitted,
  key: string,
): Promise<ResponseData> {
  const { post: id } = body;
  await database.write(async (sql) => {
    await deleteEdit(sql, key);
    if (id === null || (await lockPost(sql, id)) === undefined) return;
    const draft = await findPost(sql, "drafts", id);
    if (draft === undefined)
      throw new Refusal("conflict", "This post is published. Unpublish it before you delete it.");
    if (body.base_version !== (await currentVersionNumber(sql, id)))
      throw new Refusal(
        "conflict",
        "This draft has changed since you opened it. Open it again to delete it.",
      );
    await deletePost(sql, draft);
  });
  return seeOther(local("/write"), { scheme: client.scheme, notice: { code: "post-deleted" } });
}

/** Discards the text that the question was about, or shows both if another one has been stored since. */
export async function discard(
  { database }: EditorDependencies,
  call: Submitted,
  key: string,
): Promise<View | ResponseData> {
  const { body, client } = call;
  const mine = editFromForm(body);
  const other = await database.write(async (sql) => {
    const locked = await lockEdit(sql, key);
    if (locked !== undefined && locked.version !== (body.version ?? 0) && !hasSameContent(locked, mine))
      return locked;
    await deleteEdit(sql, key);
    return undefined;
  });
  if (other !== undefined) return conflict(call, key, mine, other);
  return seeOther(local("/write"), { scheme: client.scheme, notice: { code: "post-discarded" } });
}

/** @returns the other text if another one has been stored since the form was shown */
function store(
  { database }: EditorDependencies,
  { body, caller }: Submitted,
  key: string,
  wanted: EditReplace,
): Promise<Edit | undefined> {
  return database.write(async (sql) => {
    const locked = await lockEdit(sql, key);
    if (locked === undefined) {
      await insertEdit(sql, key, wanted, caller.account?.id, new Date());
      return undefined;
    }
    if (hasSameContent(locked, wanted)) return undefined;
    if (locked.version !== body.version) return locked;
    await replaceEdit(sql, locked, wanted, new Date());
    return undefined;
  });
}

async function conflict(call: Submitted, key: string, mine: EditReplace, stored: Edit): Promise<View> {
  return conflictView(call, {
    key,
    with: "stored",
    mine,
    theirs: stored,
    current: { version: stored.version, baseVersion: mine.base_version },
  });
}

async function upload({ database }: EditorDependencies, { body, caller }: Submitted): Promise<string> {
  if (body.picture === undefined || body.picture.size === 0)
    throw invalid([{ pointer: "/picture", code: "missing", detail: "Choose an image." }]);
  const accepted = await acceptImage(new Uint8Array(await body.picture.arrayBuffer()));
  return mediaPath(await database.write((sql) => insertMedia(sql, accepted, caller.account?.id, new Date())));
}

function withPicture(content: string, path: string): string {
  return `${content}${content === "" || content.endsWith("\n\n") ? "" : "\n\n"}![](${path})\n`;
}
