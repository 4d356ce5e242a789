import { Refusal } from "../../errors.ts";
import type { Answer } from "../../http/answer.ts";
import { acceptImage } from "../../media/accept-image.ts";
import { mediaPath } from "../../media/media.ts";
import { insertMedia } from "../../media/media-store.ts";
import type { PageCall } from "../../web/page.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import { type Edit, type EditReplace, holds } from "../editing/edit.ts";
import { findEdit, insertEdit, lockEdit, replaceEdit } from "../editing/edit-store.ts";
import { createPreview, revokePreviews } from "../editing/preview-links.ts";
import { postUrl } from "../pages/site-links.ts";
import { findPublication } from "../publication/publication-store.ts";
import { conflictView } from "./conflict-view.tsx";
import { type EditorForm, editOf, formOf, publicationOf } from "./editor-form.ts";
import { type EditorParts, editor, type KeyParams } from "./editor-page.ts";
import { findAnywhere, publishEdit, textNumber } from "./publish-edit.ts";

type Submitted = PageCall<KeyParams, undefined, typeof EditorForm>;

/** Stores the form, then shows the editor again or the requested page. */
export async function save(parts: EditorParts, call: Submitted, key: string): Promise<View | Answer> {
  const { database } = parts;
  const { body, client } = call;
  const picture = body.action === "picture" ? await upload(parts, call) : undefined;
  const wanted = editOf(
    picture === undefined ? body : { ...body, content: withPicture(body.content, picture) },
  );
  const stored = await store(parts, call, key, wanted);
  if (stored !== undefined) return conflict(call, key, wanted, stored);
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
  return editor(parts, call, key, formOf(edit), edit.post, `${client.origin}/preview/${secret}`);
}

/** Publishes the form, or shows both texts when somebody has changed the post since. */
export async function publishOrSave(
  parts: EditorParts,
  call: Submitted,
  key: string,
): Promise<View | Answer> {
  const { database } = parts;
  const { body, client, caller } = call;
  const wanted = editOf(body);
  const stored = await store(parts, call, key, wanted);
  if (stored !== undefined) return conflict(call, key, wanted, stored);
  const publication = publicationOf(body, call.dates.timeZone);
  try {
    const post = await database.write((sql) =>
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
    if (!post.published)
      return seeOther(local("/write"), { scheme: client.scheme, notice: { code: "post-scheduled" } });
    const { slug, kind } = await findPublication(database.read, post.id);
    return seeOther(postUrl({ id: post.id, slug, kind }), {
      scheme: client.scheme,
      notice: { code: "post-published" },
    });
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== "precondition_failed" || body.post === null)
      throw error;
    const post = await findAnywhere(database.read, body.post);
    if (post === undefined) throw error;
    const edit = await findEdit(database.read, key);
    return conflictView(call, {
      key,
      mine: wanted,
      theirs: post,
      current: { version: edit?.version ?? 0, baseVersion: await textNumber(database.read, post.id) },
    });
  }
}

/** Continues with the stored text, or that of the post; the typed text becomes a separate working copy. */
export async function useTheirs(
  { database }: EditorParts,
  { body, caller, client }: Submitted,
  key: string,
): Promise<Answer> {
  const mine = editOf(body);
  const now = new Date();
  await database.write(async (sql) => {
    await insertEdit(sql, crypto.randomUUID(), mine, caller.account?.id, now);
    const locked = await lockEdit(sql, key);
    const post = body.post === null ? undefined : await findAnywhere(sql, body.post);
    if (locked === undefined || post === undefined || !holds(locked, mine)) return;
    // The post itself had changed: the working copy starts again from there.
    const theirs = {
      ...mine,
      title: post.title,
      content: post.content,
      base_version: await textNumber(sql, post.id),
    };
    await replaceEdit(sql, locked, theirs, now);
  });
  return seeOther(local(`/write/${key}`), { scheme: client.scheme, notice: { code: "text-kept" } });
}

/** @returns the other text when somebody has stored one since the form was made */
function store(
  { database }: EditorParts,
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
    if (holds(locked, wanted)) return undefined;
    if (locked.version !== body.version) return locked;
    await replaceEdit(sql, locked, wanted, new Date());
    return undefined;
  });
}

async function conflict(call: Submitted, key: string, mine: EditReplace, stored: Edit): Promise<View> {
  return conflictView(call, {
    key,
    mine,
    theirs: stored,
    current: { version: stored.version, baseVersion: mine.base_version },
  });
}

async function upload({ database }: EditorParts, { body, caller }: Submitted): Promise<string | undefined> {
  if (body.picture === undefined || body.picture.size === 0) return undefined;
  const accepted = await acceptImage(new Uint8Array(await body.picture.arrayBuffer()));
  return mediaPath(await database.write((sql) => insertMedia(sql, accepted, caller.account?.id, new Date())));
}

function withPicture(content: string, path: string): string {
  return `${content}${content === "" || content.endsWith("\n\n") ? "" : "\n\n"}![](${path})\n`;
}
