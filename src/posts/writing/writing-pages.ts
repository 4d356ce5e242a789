import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import type { Access } from "../../http/access.ts";
import type { Answer } from "../../http/answer.ts";
import { FORM_BODY, MULTIPART_BODY } from "../../http/body/body-codecs.ts";
import { acceptImage } from "../../media/accept-image.ts";
import { mediaPath } from "../../media/media.ts";
import { insertMedia } from "../../media/media-store.ts";
import { FormState } from "../../web/forms/form-state.ts";
import type { PageCall, PageContext, Pages, RefusedForm } from "../../web/page.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import { type Edit, type EditReplace, holds, parseEditKey } from "../editing/edit.ts";
import {
  deleteEdit,
  findEdit,
  findEditOf,
  insertEdit,
  lockEdit,
  replaceEdit,
} from "../editing/edit-store.ts";
import { countVersions } from "../editing/post-versions.ts";
import { createPreview, previewedUntil, revokePreviews } from "../editing/preview-links.ts";
import { editTag } from "../editing/save-edit.ts";
import { postUrl } from "../pages/site-links.ts";
import { collectionOf } from "../post.ts";
import { findPublication } from "../publication/publication-store.ts";
import { publishDuePosts } from "../publication/scheduled-posts.ts";
import type { RenderedPosts } from "../rendering/rendered-posts.ts";
import { conflictView } from "./conflict-view.tsx";
import { deskView } from "./desk-view.tsx";
import { detailsOf, EditorForm, editOf, formOf, publicationOf } from "./editor-form.ts";
import { type EditorState, editorView } from "./editor-view.tsx";
import { previewView } from "./preview-view.tsx";
import { findAnywhere, publishEdit, textNumber } from "./publish-edit.ts";
import { useVersion, versionsView } from "./versions-view.tsx";

export interface WritingPagesParts {
  readonly pages: Pages;
  readonly database: Database;
  /** Accounts only. */
  readonly writing: Access;
  readonly rendered: RenderedPosts;
  /** The most bytes that an uploaded image may have. */
  readonly mediaLimit: number;
}

const params = z.object({
  key: z.string().refine((key) => parseEditKey(key) !== undefined, "Not a key."),
});
type KeyParams = typeof params;

const integer = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const RestoreForm = z.object({ number: integer, post: integer });

/** `/write` and what is below it: working copies, the editor, versions and previews. */
export function writingPages(parts: WritingPagesParts) {
  const { pages, database, writing, mediaLimit } = parts;
  const access = writing;

  const desk = pages.page(
    {
      access,
      query: z.object({
        post: z
          .string()
          .regex(/^\d{1,15}$/)
          .optional(),
      }),
    },
    async (call) => {
      await publishDuePosts(database);
      if (call.query.post === undefined) return deskView(database, call);
      const post = Number(call.query.post);
      const open = await findEditOf(database.read, post);
      const path = `/write/${open?.key ?? crypto.randomUUID()}` as const;
      return seeOther(open === undefined ? local(path, { post }) : local(path));
    },
  );

  const show = pages.page(
    {
      access,
      params,
      query: z.object({
        post: z
          .string()
          .regex(/^\d{1,15}$/)
          .optional(),
      }),
    },
    async (call) => {
      await publishDuePosts(database);
      const key = call.params.key.toLowerCase();
      const edit = (await findEdit(database.read, key)) ?? (await startOf(call, call.query.post));
      return editor(call, key, formOf(edit), edit.post);
    },
  );

  const submit = pages.page(
    {
      access,
      params,
      body: EditorForm,
      takes: [FORM_BODY, MULTIPART_BODY],
      bodyLimit: mediaLimit + 4 * 1024 * 1024,
      again: (refused) => again(refused),
    },
    async (call) => {
      const key = call.params.key.toLowerCase();
      await publishDuePosts(database);
      switch (call.body.action) {
        case "discard":
          await database.write((sql) => deleteEdit(sql, key));
          return seeOther(local("/write"), {
            scheme: call.client.scheme,
            notice: { code: "post-discarded" },
          });
        case "theirs":
          return useTheirs(call, key);
        case "publish":
        case "mine":
          return publishOrSave(call, key);
        default:
          return save(call, key);
      }
    },
  );

  type Submitted = PageCall<KeyParams, undefined, typeof EditorForm>;

  /** Stores the form, then shows the editor again or the requested page. */
  async function save(call: Submitted, key: string): Promise<View | Answer> {
    const { body, client } = call;
    const picture = body.action === "picture" ? await upload(call) : undefined;
    const wanted = editOf(
      picture === undefined ? body : { ...body, content: withPicture(body.content, picture) },
    );
    const stored = await store(call, key, wanted);
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
    return editor(call, key, formOf(edit), edit.post, `${client.origin}/preview/${secret}`);
  }

  /** @returns the other text when somebody has stored one since the form was made */
  function store({ body, caller }: Submitted, key: string, wanted: EditReplace): Promise<Edit | undefined> {
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

  async function publishOrSave(call: Submitted, key: string): Promise<View | Answer> {
    const { body, client, caller } = call;
    const wanted = editOf(body);
    const stored = await store(call, key, wanted);
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

  async function conflict(call: Submitted, key: string, mine: EditReplace, stored: Edit): Promise<View> {
    return conflictView(call, {
      key,
      mine,
      theirs: stored,
      current: { version: stored.version, baseVersion: mine.base_version },
    });
  }

  /** The stored text, or that of the post, goes on; what was typed becomes a working copy of its own. */
  async function useTheirs({ body, caller, client }: Submitted, key: string): Promise<Answer> {
    const mine = editOf(body);
    const now = new Date();
    await database.write(async (sql) => {
      await insertEdit(sql, crypto.randomUUID(), mine, caller.account?.id, now);
      const locked = await lockEdit(sql, key);
      const post = body.post === null ? undefined : await findAnywhere(sql, body.post);
      if (locked === undefined || post === undefined || !holds(locked, mine)) return;
      // It was the post that somebody else had changed: the working copy starts anew from there.
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

  async function upload({ body, caller }: Submitted): Promise<string | undefined> {
    if (body.picture === undefined || body.picture.size === 0) return undefined;
    const accepted = await acceptImage(new Uint8Array(await body.picture.arrayBuffer()));
    return mediaPath(
      await database.write((sql) => insertMedia(sql, accepted, caller.account?.id, new Date())),
    );
  }

  /** A refused form with the typed values. */
  async function again({ form, pathParams, ...context }: RefusedForm): Promise<View> {
    const key = parseEditKey(pathParams.key ?? "") ?? crypto.randomUUID();
    const edit = await findEdit(database.read, key);
    const fields = Object.fromEntries(
      [
        "title",
        "content",
        "kind",
        "link",
        "slug",
        "publish_at",
        "tags",
        "summary",
        "language",
        "post",
        "base_version",
      ].map((name) => [name, form.text(name)]),
    );
    const errors = [...form.errors].map(([name, detail]) => ({
      pointer: `/${name}`,
      code: "wrong_type" as const,
      detail,
    }));
    const shown = FormState.refused(
      { ...fields, version: String(edit?.version ?? form.text("version")) },
      form.detail ?? "",
      errors,
    );
    return editor(context, key, shown, Number(form.text("post")) || null);
  }

  /** The form of a new text, or of a post as it is. */
  async function startOf({ dates }: PageContext, typed: string | undefined): Promise<EditReplace> {
    const post = typed === undefined ? undefined : await findAnywhere(database.read, Number(typed));
    if (post === undefined) return { post: null, base_version: null, title: "", content: "", fields: {} };
    const publication = await findPublication(database.read, post.id);
    return {
      post: post.id,
      base_version: await textNumber(database.read, post.id),
      title: post.title,
      content: post.content,
      fields: detailsOf(publication, (date) => `${dates.isoDay(date)}T${dates.time(date)}`),
    };
  }

  async function editor(
    context: PageContext,
    key: string,
    form: FormState,
    postId: number | null,
    shared?: string,
  ): Promise<View> {
    const edit = await findEdit(database.read, key);
    const post = postId === null ? undefined : await findAnywhere(database.read, postId);
    const publication = post && (await findPublication(database.read, post.id));
    const state: EditorState = {
      key,
      etag: edit && editTag(database.epoch, edit),
      savedAt: edit?.updatedAt,
      status:
        post === undefined
          ? "new"
          : collectionOf(post.published) === "posts"
            ? "published"
            : publication?.publishAt == null
              ? "draft"
              : "scheduled",
      url:
        post?.published && publication
          ? postUrl({ id: post.id, slug: publication.slug, kind: publication.kind })
          : undefined,
      versions: post === undefined ? 0 : await countVersions(database.read, post.id),
      shared,
      mayCite: pages.hasPage("/library/cite"),
      sharedUntil: await previewedUntil(database.read, key, new Date()),
    };
    return editorView(context, form, state);
  }

  const preview = pages.page({ access, params }, (call) =>
    previewView(parts, call, call.params.key.toLowerCase()),
  );
  const sharedPreview = pages.page({ params: z.object({ secret: z.string() }) }, (call) =>
    previewView(parts, call, undefined, call.params.secret),
  );
  const versions = pages.page(
    {
      access,
      params,
      query: z.object({
        post: z
          .string()
          .regex(/^\d{1,15}$/)
          .optional(),
      }),
    },
    (call) => versionsView(database, call, call.params.key.toLowerCase(), Number(call.query.post ?? 0)),
  );
  const restore = pages.page({ access, params, body: RestoreForm }, async (call) => {
    const key = call.params.key.toLowerCase();
    const { number, post } = call.body;
    const start = await startOf(call, String(post));
    await useVersion(database, key, { number, start }, call.caller.account?.id);
    return seeOther(local(`/write/${key}`), { scheme: call.client.scheme, notice: { code: "post-saved" } });
  });

  return { desk, show, submit, preview, sharedPreview, versions, restore };
}

function withPicture(content: string, path: string): string {
  return `${content}${content === "" || content.endsWith("\n\n") ? "" : "\n\n"}![](${path})\n`;
}
