/** @jsxImportSource #jsx */
import { z } from "zod";
import {
  listRemoved,
  type RemovedPosition,
  removeBookmarks,
  restoreBookmarks,
} from "../../bookmarks/undo/removed-bookmarks.ts";
import { firstChanged, undoChange } from "../../bookmarks/undo/undo-change.ts";
import { BackQuery } from "../../web/forms/back.tsx";
import { FormNumber } from "../../web/forms/form-number.ts";
import type { PageCall } from "../../web/page.tsx";
import { Title } from "../../web/sections.tsx";
import { local, web } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { LibraryDependencies } from "../library-dependencies.ts";
import { backToLibrary, isLinkPage } from "../search/view-url.ts";
import { type EntryParams, existing } from "./edit-page.tsx";
import { displayHost, displayTitle } from "./shown-text.ts";

const PAGE = 50;

export const RemovedQuery = z.object({ before: z.string().optional() });
export const RemoveForm = BackQuery.extend({
  /** The link to show then. */
  next: FormNumber.optional().catch(undefined),
});
export const RestoreForm = z.object({
  id: FormNumber,
});
export const UndoParams = z.object({ key: z.string() });

/** `POST /library/{id}/remove`. It does not ask: the next page says so, and undoes it. */
export async function remove(
  { database }: LibraryDependencies,
  { params, body, caller, client }: PageCall<typeof EntryParams, undefined, typeof RemoveForm>,
) {
  const { id } = await existing(database, params.id);
  const { undo } = await removeBookmarks(database, [id], caller.account?.id, database.clock.now());
  return seeOther(backToLibrary(isLinkPage(body.back, id) ? undefined : body.back, body.next), {
    scheme: client.scheme,
    notice: { code: "link-removed", about: undo ?? undefined },
  });
}

/** `POST /library/undo/{key}`: shows the bookmarks that changed since and were not restored. */
export async function undo(
  { database }: LibraryDependencies,
  { params, body, client, messages }: PageCall<typeof UndoParams, undefined, typeof BackQuery>,
) {
  const now = database.clock.now();
  const first = await firstChanged(database.read, params.key, now);
  const { changed, kept } = await undoChange(database, params.key, now);
  if (kept.length === 0)
    return seeOther(backToLibrary(body.back, first), {
      scheme: client.scheme,
      notice: { code: "change-undone" },
    });
  const labels = messages.library.undone;
  return {
    title: labels.title,
    body: (
      <>
        <Title text={labels.title}>{labels.intro(changed)}</Title>
        <div class="row part">
          <ul class="lines">
            {kept.slice(0, 200).map((bookmark) => (
              <li>
                <a href={local(`/library/${bookmark.id}`)} dir="auto">
                  {displayTitle(bookmark)}
                </a>
              </li>
            ))}
          </ul>
        </div>
      </>
    ),
  } satisfies View;
}

/** `GET /library/removed` */
export async function showRemoved(
  { database }: LibraryDependencies,
  { query, messages, dates }: PageCall<undefined, typeof RemovedQuery>,
): Promise<View> {
  const found = await listRemoved(database.read, database.clock.now(), PAGE + 1, positionOf(query.before));
  const removed = found.slice(0, PAGE);
  const last = found.length > PAGE ? removed.at(-1) : undefined;
  const labels = messages.library.removal;
  return {
    title: labels.removedTitle,
    layout: "wide",
    body: (
      <>
        <Title text={labels.removedTitle}>{removed.length === 0 ? labels.none : labels.removedIntro}</Title>
        {removed.length > 0 && (
          <form class="row part" method="post" action={local("/library/removed")}>
            <ul class="lines">
              {removed.map((bookmark) => (
                <li class="bar apart">
                  <span>
                    <a href={web(bookmark.url)} rel="noreferrer" dir="auto">
                      {displayTitle(bookmark)}
                    </a>{" "}
                    <span class="host">
                      {displayHost(bookmark.url)} · {labels.removedOn(dates.shortDay(bookmark.removedAt))}
                    </span>
                  </span>
                  <button class="link-button" type="submit" name="id" value={String(bookmark.id)}>
                    {labels.restore}
                    <span class="unseen"> {displayTitle(bookmark)}</span>
                  </button>
                </li>
              ))}
            </ul>
          </form>
        )}
        {last !== undefined && (
          <div class="row">
            <nav class="pages" aria-label={messages.library.pages}>
              <span />
              <a
                href={local("/library/removed", { before: `${last.removedAt.getTime()}.${last.id}` })}
                rel="next"
              >
                {messages.library.older}
              </a>
            </nav>
          </div>
        )}
      </>
    ),
  };
}

/** `POST /library/removed` */
export async function restore(
  { database }: LibraryDependencies,
  { body, client }: PageCall<undefined, undefined, typeof RestoreForm>,
) {
  const { changed } = await restoreBookmarks(database, [body.id], database.clock.now());
  return seeOther(local("/library/removed"), {
    scheme: client.scheme,
    notice: { code: changed > 0 ? "links-restored" : "nothing-changed" },
  });
}

function positionOf(text: string | undefined): RemovedPosition | undefined {
  const [, time, id] = /^(\d{1,14})\.(\d{1,15})$/.exec(text ?? "") ?? [];
  return time === undefined ? undefined : { removedAt: new Date(Number(time)), id: Number(id) };
}
