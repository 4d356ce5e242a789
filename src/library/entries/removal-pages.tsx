/** @jsxImportSource #jsx */
import { removeBookmarks } from "../../bookmarks/bulk/change-many.ts";
import { BackField, type BackQuery } from "../../web/forms/back.tsx";
import type { PageCall } from "../../web/page.tsx";
import { Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { LibraryDependencies } from "../library-dependencies.ts";
import { backToLibrary, isLinkPage } from "../search/view-url.ts";
import { type EntryParams, existing } from "./edit-page.tsx";
import { displayHost, displayTitle } from "./shown-text.ts";

/** `GET /library/{id}/remove` asks once. */
export async function confirmRemoval(
  { database }: LibraryDependencies,
  { params, query, messages }: PageCall<typeof EntryParams, typeof BackQuery>,
): Promise<View> {
  const entry = await existing(database, params.id);
  const labels = messages.library.removal;
  return {
    title: labels.title,
    body: (
      <>
        <Title text={labels.title} />
        <form class="row part" method="post" action={local(`/library/${entry.id}/remove`)}>
          <div class="stack">
            <BackField back={query.back} />
            <p>
              <b dir="auto">{displayTitle(entry)}</b> <span class="host">{displayHost(entry.url)}</span>
            </p>
            <p>{labels.text}</p>
            <p class="bar">
              <button class="button plain alarm" type="submit">
                {labels.submit}
              </button>
              <a class="button plain" href={backToLibrary(query.back, entry.id)}>
                {labels.cancel}
              </a>
            </p>
          </div>
        </form>
      </>
    ),
  };
}

/** `POST /library/{id}/remove` */
export async function remove(
  { database }: LibraryDependencies,
  { params, body, caller, client }: PageCall<typeof EntryParams, undefined, typeof BackQuery>,
) {
  const { id } = await existing(database, params.id);
  const { undo } = await removeBookmarks(database, [id], caller.account?.id, database.clock.now());
  return seeOther(backToLibrary(isLinkPage(body.back, id) ? undefined : body.back), {
    scheme: client.scheme,
    notice: { code: "link-removed", about: undo ?? undefined },
  });
}
