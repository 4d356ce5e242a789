import { removeBookmarks } from "../../bookmarks/bulk/change-many.ts";
import type { Routes } from "../../http/endpoint.ts";
import { BackQuery } from "../../web/forms/back.tsx";
import { FormNumber } from "../../web/forms/form-number.ts";
import type { PageCall } from "../../web/page.tsx";
import { seeOther } from "../../web/view.ts";
import type { LibraryParts } from "../library-parts.ts";
import { backToLibrary, isLinkPage } from "../search/view-url.ts";
import { EntryParams, existing } from "./edit-page.tsx";

const RemoveForm = BackQuery.extend({
  /** The link to show then. */
  next: FormNumber.optional().catch(undefined),
});

/** Removing a link. */
export function removalPages(library: LibraryParts): Routes {
  const { pages, writeAccess: access } = library;
  return {
    "/library/{id}/remove": {
      POST: pages.page({ access, params: EntryParams, body: RemoveForm, usesReserve: true }, (call) =>
        remove(library, call),
      ),
    },
  };
}

/** `POST /library/{id}/remove`. It does not ask: the next page says so, and undoes it. */
async function remove(
  { database }: LibraryParts,
  { params, body, caller, client }: PageCall<typeof EntryParams, undefined, typeof RemoveForm>,
) {
  const { id } = await existing(database, params.id);
  const { undo } = await removeBookmarks(database, [id], caller.account?.id, database.clock.now());
  return seeOther(backToLibrary(isLinkPage(body.back, id) ? undefined : body.back, body.next), {
    scheme: client.scheme,
    notice: { code: "link-removed", about: undo ?? undefined },
  });
}
