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
  const canKeep = canWrite && !isWaiting && failure === undefined;
  const page = (style: "button" | "link-button") => (
    <a class={style} href={web(entry.url)} rel="noreferrer">
      {messages.reading.page}
    </a>
  );
  const details = (
    <a class="link-button" href={local(`/library/${entry.id}`)}>
      {messages.reading.link}
    </a>
  );
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
          {canKeep ? (
            <div class="bar">
              {canFetch && (
                <form method="post" action={local(`/library/${entry.id}/copies/fetch`)}>
                  <BackField back={here} />
                  <button class="button" type="submit">
                    {labels.fetch}
                  </button>
                </form>
              )}
              <a class={canFetch ? "link-button" : "button"} href={send}>
                {labels.send}
              </a>
              {page("link-button")}
              {details}
            </div>
          ) : (
            <p class="bar">
              {isWaiting && (
                <a class="button" href={here}>
                  {labels.again}
                </a>
              )}
              {page(isWaiting ? "link-button" : "button")}
              {details}
            </p>
          )}
          {canWrite && !isWaiting && failure !== undefined && (
            <WaysOut link={entry} reason={failure} fetches={canFetch} back={here} messages={messages} />
          )}
        </div>
      </div>
    ),
  };
}
