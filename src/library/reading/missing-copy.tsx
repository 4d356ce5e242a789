/** @jsxImportSource #jsx */
import type { FailureReason } from "../../copies/fetching/copy-failure.ts";
import { BackField } from "../../web/forms/back.tsx";
import type { PageContext } from "../../web/page.tsx";
import { local, web, withFragment } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { SAVED_PAGE, WaysOut } from "../copies/failure.tsx";
import { displayTitle } from "../entries/shown-text.ts";
import type { LibraryBookmark } from "../library-store.ts";

/** The room of a link without a copy: why there is none, and the ways to one. */
export function missingCopyView(
  { messages }: Pick<PageContext, "messages">,
  {
    entry,
    failure,
    isWaiting,
    canFetch,
    canWrite,
  }: {
    readonly entry: LibraryBookmark;
    readonly failure: FailureReason | undefined;
    /** Whether the server will fetch the page. */
    readonly isWaiting: boolean;
    readonly canFetch: boolean;
    readonly canWrite: boolean;
  },
): View {
  const labels = messages.reading.missing;
  const name = displayTitle(entry);
  const here = local(`/library/${entry.id}/read`);
  const send = withFragment(local(`/library/${entry.id}`), SAVED_PAGE);
  return {
    title: name,
    layout: "reading",
    noIndex: true,
    body: (
      <div class="row">
        <p class="margin">{labels.title}</p>
        <div class="stack">
          <h1 dir="auto">{name}</h1>
          <p>
            {isWaiting
              ? labels.waiting
              : failure === undefined
                ? labels.text
                : messages.copies.failures[failure]}
          </p>
          <p class="bar">
            <a class="button" href={isWaiting ? here : web(entry.url)} rel="noreferrer">
              {isWaiting ? labels.again : messages.reading.page}
            </a>
            <a class="link-button" href={isWaiting ? web(entry.url) : local(`/library/${entry.id}`)}>
              {isWaiting ? messages.reading.page : messages.reading.link}
            </a>
          </p>
          {canWrite && !isWaiting && failure !== undefined && (
            <WaysOut link={entry} reason={failure} fetches={canFetch} back={here} messages={messages} />
          )}
          {canWrite && !isWaiting && failure === undefined && (
            <div class="bar">
              {canFetch && (
                <form method="post" action={local(`/library/${entry.id}/copies/fetch`)}>
                  <BackField back={here} />
                  <button class="link-button" type="submit">
                    {labels.fetch}
                  </button>
                </form>
              )}
              <a class="link-button" href={send}>
                {labels.send}
              </a>
            </div>
          )}
        </div>
      </div>
    ),
  };
}
