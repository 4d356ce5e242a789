import { z } from "zod";
import { accessOf } from "../../accounts/scope.ts";
import { idOf } from "../../accounts/tokens/token-api.ts";
import { FORM_BODY, MULTIPART_BODY } from "../../http/body/body-decoders.ts";
import type { Routes } from "../../http/endpoint.ts";
import { limits } from "../../limits.ts";
import { FormNumber } from "../../web/forms/form-number.ts";
import { withUndo } from "../../web/undo-notice.tsx";
import { local } from "../../web/urls.ts";
import { seeOther } from "../../web/view.ts";
import type { BlogParts } from "../blog-parts.ts";
import { findEdit, findEditOf } from "../editing/edit-store.ts";
import { createPreview, revokePreviews } from "../editing/preview-links.ts";
import { nothingAtPath } from "../pages/refusals.ts";
import { DRAFT_LISTS } from "./draft-lists.ts";
import { EditorForm, formFromEdit } from "./editor-form.ts";
import { again, editor, KeyParams, startOf } from "./editor-page.ts";
import { endedPreviewView, previewView } from "./preview-view.tsx";
import { publishedAs } from "./published-cookie.ts";
import { askToDelete, askToDiscard, deleteDraft, discard } from "./submitted/discard.ts";
import { publishOrSave, unpublish } from "./submitted/publish.ts";
import { save } from "./submitted/save.ts";
import { keepMine, usePost, useTheirs } from "./submitted/settle-conflict.ts";
import { useVersion, versionsView } from "./versions-view.tsx";
import { writingOverview } from "./writing-overview.tsx";

const params = KeyParams;

/** The number of a page of a list; 1 if it is none. */
const PageNumber = z
  .string()
  .regex(/^[1-9]\d{0,5}$/)
  .transform(Number)
  .catch(1);

/** The query of a page about the text of a post, or about a new one. */
const PostQuery = z.object({
  post: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
});
/** The kind that a new text has; unknown ones count as absent. */
const FreshQuery = z.object({ kind: z.literal("page").optional().catch(undefined) });
/** What *Write* lists. Unknown values count as absent. */
const DeskQuery = PostQuery.extend({
  q: z.string().max(200).optional().catch(undefined),
  list: z.enum(DRAFT_LISTS).optional().catch(undefined),
  page: PageNumber,
});
const VersionsQuery = PostQuery.extend({ page: PageNumber });
const ShareForm = z.object({ action: z.enum(["share", "unshare"]) });
const RestoreForm = z.object({ number: FormNumber, post: FormNumber });

/** `/write` and the pages below it: working copies, the editor, versions and previews. */
export function writingPages(dependencies: BlogParts): Routes {
  const { pages, database } = dependencies;
  const { writeAccess: access } = accessOf("private", "posts");

  const desk = pages.page({ access, inSnapshot: true, query: DeskQuery }, async (call) => {
    if (call.query.post === undefined)
      return withUndo(call, await writingOverview(call, call.query, pages.hasPage("/write/import")), [
        "post-deleted",
      ]);
    const post = Number(call.query.post);
    const open = await findEditOf(call.read, post);
    const path = `/write/${open?.key ?? crypto.randomUUID()}` as const;
    return seeOther(open === undefined ? local(path, { post }) : local(path));
  });

  const fresh = pages.page({ access, query: FreshQuery }, ({ query: { kind } }) =>
    seeOther(local(`/write/${crypto.randomUUID()}`, { kind })),
  );

  const query = PostQuery.extend(FreshQuery.shape);
  const show = pages.page({ access, inSnapshot: true, params, query }, async (call) => {
    const key = call.params.key.toLowerCase();
    const stored = await findEdit(call.read, key);
    if (stored === undefined && call.query.post === undefined) {
      // On the way back after publishing.
      const post = publishedAs(call.request);
      if (post !== undefined) return seeOther(local(`/write/${key}`, { post }));
    }
    const edit = stored ?? (await startOf(call.read, call, call.query.post, call.query.kind));
    return editor(dependencies, call, key, formFromEdit(edit), edit.post);
  });

  const submit = pages.page(
    {
      access,
      params,
      body: EditorForm,
      takes: [FORM_BODY, MULTIPART_BODY],
      bodyLimit: limits().mediaBytes + 4 * 1024 * 1024,
      again: (refused) => again(dependencies, refused),
    },
    async (call) => {
      const key = call.params.key.toLowerCase();
      switch (call.body.action) {
        case "discard":
          return askToDiscard(dependencies, call, key);
        case "discard-now":
          return discard(dependencies, call, key);
        case "unpublish":
          return unpublish(dependencies, call, key);
        case "delete":
          return askToDelete(call, key);
        case "delete-now":
          return deleteDraft(dependencies, call, key);
        case "keep-mine":
          return keepMine(dependencies, call, key);
        case "theirs":
          return useTheirs(dependencies, call, key);
        case "use-post":
          return usePost(dependencies, call, key);
        case "publish-now":
          return publishOrSave(
            dependencies,
            { ...call, body: { ...call.body, publish_at: "", action: "publish" } },
            key,
          );
        case "publish":
        case "publish-anyway":
        case "mine":
          return publishOrSave(dependencies, call, key);
        default:
          return save(dependencies, call, key);
      }
    },
  );

  const preview = pages.page({ access, params }, (call) =>
    previewView(dependencies, call, { key: call.params.key.toLowerCase() }),
  );
  const share = pages.page({ access, params, body: ShareForm }, async (call) => {
    const key = call.params.key.toLowerCase();
    const { scheme, origin } = call.client;
    const secret = await database.write(async (sql) => {
      if ((await findEdit(sql, key)) === undefined) throw nothingAtPath();
      if (call.body.action === "share")
        return createPreview(sql, key, idOf(call.caller), database.clock.now());
      await revokePreviews(sql, key);
      return undefined;
    });
    if (secret !== undefined)
      return previewView(dependencies, call, { key, shared: `${origin}/preview/${secret}` });
    return seeOther(local(`/write/${key}/preview`), { scheme, notice: { code: "links-ended" } });
  });
  const sharedPreview = pages.page(
    { params: z.object({ secret: z.string() }), missing: endedPreviewView },
    (call) => previewView(dependencies, call, { secret: call.params.secret }),
  );
  const versions = pages.page({ access, inSnapshot: true, params, query: VersionsQuery }, (call) =>
    versionsView(call, call.params.key.toLowerCase(), {
      postId: Number(call.query.post ?? 0),
      page: call.query.page,
    }),
  );
  const restore = pages.page({ access, params, body: RestoreForm }, async (call) => {
    const key = call.params.key.toLowerCase();
    const { number, post } = call.body;
    const start = await startOf(database.read, call, String(post));
    const isUnpublished = await useVersion(database, key, { number, start }, call.caller.account?.id);
    const code = isUnpublished ? "version-restored-unpublished" : "version-restored";
    return seeOther(local(`/write/${key}`), { scheme: call.client.scheme, notice: { code } });
  });

  return {
    "/write": { GET: desk },
    "/write/new": { GET: fresh },
    "/write/{key}": { GET: show, POST: submit },
    "/write/{key}/preview": { GET: preview, POST: share },
    "/write/{key}/versions": { GET: versions, POST: restore },
    "/preview/{secret}": { GET: sharedPreview },
  };
}
