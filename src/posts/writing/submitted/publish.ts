import { Refusal } from "../../../errors.ts";
import type { ResponseData } from "../../../http/response-data.ts";
import { local } from "../../../web/urls.ts";
import { seeOther, type View } from "../../../web/view.ts";
import { findEdit } from "../../editing/edit-store.ts";
import { currentVersionNumber } from "../../editing/post-versions.ts";
import { postUrl } from "../../pages/site-links.ts";
import { findPostOrDraft, lockPost, updatePost, withTags } from "../../post-store.ts";
import { changePublication } from "../../publication/change-publication.ts";
import { conflictView } from "../conflict-view.tsx";
import { editFromForm, publicationFromForm } from "../editor-form.ts";
import type { EditorDependencies } from "../editor-state.ts";
import { publishEdit } from "../publish-edit.ts";
import { publishedCookie } from "../published-cookie.ts";
import { type Submitted, showStoredConflict, storeText } from "./submitted-form.ts";

/** Publishes the form, or shows both versions if the post has changed since. */
export async function publishOrSave(
  dependencies: EditorDependencies,
  call: Submitted,
  key: string,
): Promise<View | ResponseData> {
  const { database } = dependencies;
  const { body, client, caller } = call;
  const wanted = editFromForm(body);
  const stored = await storeText(dependencies, call, key, wanted);
  if (stored !== undefined) return showStoredConflict(call, key, wanted, stored);
  const before = body.post === null ? undefined : await findPostOrDraft(database.read, body.post);
  const publication = publicationFromForm(
    body,
    call.dates.timeZone,
    before && (await withTags(database.read, before)),
  );
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
          timeZone: call.dates.timeZone,
          accountId: caller.account?.id,
          inMenu: body.menu !== "",
        },
        database.clock.now(),
      ),
    );
    const cookies = [publishedCookie(key, post.id, client.scheme)];
    if (!post.published)
      return seeOther(local("/write"), {
        scheme: client.scheme,
        notice: { code: "post-scheduled", about: String(post.id) },
        cookies,
      });
    return seeOther(postUrl(post), {
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

/** Takes a post off the site, or a draft off the schedule: it is a draft with its text. What was typed stays a working copy. */
export async function unpublish(
  dependencies: EditorDependencies,
  call: Submitted,
  key: string,
): Promise<View | ResponseData> {
  const { body, client, caller } = call;
  const typed = editFromForm(body);
  // A post that was published keeps its date; a draft that was scheduled has none.
  const { publish_at: date, ...others } = typed.fields;
  const before =
    body.post === null ? undefined : await findPostOrDraft(dependencies.database.read, body.post);
  const fields = before?.published && date !== undefined ? { ...others, publish_at: date } : others;
  const stored = await storeText(dependencies, call, key, { ...typed, fields });
  if (stored !== undefined) return showStoredConflict(call, key, typed, stored);
  const code = await dependencies.database.write(async (sql) => {
    const now = dependencies.database.clock.now();
    if (body.post === null || (await lockPost(sql, body.post)) === undefined) return "nothing-changed";
    const post = await findPostOrDraft(sql, body.post);
    if (post === undefined) return "nothing-changed";
    const { title, content } = post;
    if (post.published) {
      await updatePost(sql, post, { title, content, published: false }, now, {
        accountId: caller.account?.id,
      });
      return content.includes("/media/") ? "post-unpublished-images" : "post-unpublished";
    }
    await changePublication(sql, post, { publish_at: null }, now);
    return "post-unscheduled";
  });
  return seeOther(local(`/write/${key}`), { scheme: client.scheme, notice: { code } });
}
