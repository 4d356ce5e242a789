import { idOf } from "../../../accounts/tokens/token-api.ts";
import { invalid } from "../../../errors.ts";
import type { ResponseData } from "../../../http/response-data.ts";
import { acceptImage } from "../../../media/accept-image.ts";
import { mediaPath } from "../../../media/media.ts";
import { storeImage } from "../../../media/place-images.ts";
import { local } from "../../../web/urls.ts";
import { seeOther, type View } from "../../../web/view.ts";
import { findEdit } from "../../editing/edit-store.ts";
import { createPreview, revokePreviews } from "../../editing/preview-links.ts";
import { editFromForm, formFromEdit } from "../editor-form.ts";
import { editor } from "../editor-page.ts";
import type { EditorDependencies } from "../editor-state.ts";
import { type Submitted, showStoredConflict, storeText } from "./submitted-form.ts";

/** Stores the form, then shows the editor again or the requested page. */
export async function save(
  dependencies: EditorDependencies,
  call: Submitted,
  key: string,
): Promise<View | ResponseData> {
  const { database } = dependencies;
  const { body, client } = call;
  const picture = body.action === "picture" ? await upload(dependencies, call, "picture") : undefined;
  const cover = body.action === "cover" ? await upload(dependencies, call, "cover") : undefined;
  const wanted = editFromForm({
    ...body,
    ...(picture !== undefined && { content: withPicture(body.content, picture) }),
    ...(cover !== undefined && { image: cover }),
    ...(body.action === "remove-cover" && { image: "" }),
  });
  const stored = await storeText(dependencies, call, key, wanted);
  if (stored !== undefined) return showStoredConflict(call, key, wanted, stored);
  if (picture !== undefined)
    return seeOther(local(`/write/${key}`), { scheme: client.scheme, notice: { code: "image-added" } });
  if (body.action === "preview") return seeOther(local(`/write/${key}/preview`));
  if (body.action === "unshare") {
    await database.write((sql) => revokePreviews(sql, key));
    return seeOther(local(`/write/${key}`), { scheme: client.scheme, notice: { code: "links-ended" } });
  }
  if (body.action !== "share")
    return seeOther(local(`/write/${key}`), { scheme: client.scheme, notice: { code: "post-saved" } });
  const secret = await database.write((sql) =>
    createPreview(sql, key, idOf(call.caller), database.clock.now()),
  );
  const edit = await findEdit(database.read, key);
  if (edit === undefined) return seeOther(local(`/write/${key}`));
  return editor(dependencies, call, key, formFromEdit(edit), edit.post, `${client.origin}/preview/${secret}`);
}

async function upload(
  dependencies: EditorDependencies,
  { body, caller }: Submitted,
  field: "picture" | "cover",
): Promise<string> {
  const file = body[field];
  const pointer = field === "cover" ? "/image" : "/picture";
  if (file === undefined || file.size === 0)
    throw invalid([{ pointer, code: "missing", detail: "Choose an image." }]);
  if (!file.type.startsWith("image/"))
    throw invalid([{ pointer, code: "wrong_type", detail: "This is not a picture." }]);
  const accepted = await acceptImage(new Uint8Array(await file.arrayBuffer()));
  return mediaPath(await storeImage(dependencies, accepted, caller.account?.id));
}

function withPicture(content: string, path: string): string {
  return `${content}${content === "" || content.endsWith("\n\n") ? "" : "\n\n"}![](${path})\n`;
}
