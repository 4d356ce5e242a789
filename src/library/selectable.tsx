/** @jsxImportSource #jsx */

import type { AssetName } from "../web/assets.ts";
import type { Children } from "../web/jsx/preact.js";
import type { Messages } from "../web/messages/en.ts";
import { local } from "../web/urls.ts";
import { BulkBar, BulkErrors } from "./bulk-page.tsx";
import { ACTS, BULK, type EntryContext } from "./entries/entry.tsx";
import type { LibraryQuery } from "./library-query.ts";
import { viewUrl } from "./search/view-url.ts";
import type { WholeList } from "./selection-bar.tsx";

/** The scripts of a list. */
export function listScripts({ mayWrite }: EntryContext): readonly AssetName[] {
  return mayWrite ? ["library.js", "selection.js", "tag-field.js"] : ["library.js"];
}

/** A list with the forms of its entries: one for what is done to a single one, one for the selected ones. */
export function Selectable({
  messages,
  context,
  here,
  whole,
  back,
  children,
}: {
  readonly messages: Messages;
  readonly context: EntryContext;
  /** The number of entries on the page. */
  readonly here: number;
  readonly whole: WholeList;
  readonly back: string;
  readonly children?: Children;
}) {
  const { mayWrite, selection, isSelecting, keepsCopies = false, view } = context;
  return (
    <>
      {selection && <BulkErrors messages={messages} form={selection} />}
      {children}
      {mayWrite && !isSelecting && (
        <form
          id={ACTS}
          method="post"
          action={local("/library/later")}
          data-unanswered={messages.library.unanswered}
          hidden
        >
          <input type="hidden" name="back" value={back} />
        </form>
      )}
      {selection && (
        <form id={BULK} method="post" action={local("/library/bulk")}>
          <BulkBar
            messages={messages}
            form={selection}
            here={here}
            whole={whole.count > here ? whole : undefined}
            back={back}
            keepsCopies={keepsCopies}
            end={isSelecting ? undefined : viewUrl(view, {})}
          />
        </form>
      )}
    </>
  );
}

/** Makes the entries selectable, or ends that. */
export function SelectLink({
  query,
  context: { messages, mayWrite, isSelecting },
}: {
  readonly query: LibraryQuery;
  readonly context: EntryContext;
}) {
  if (!mayWrite) return null;
  const labels = messages.library.views;
  return (
    <a href={viewUrl(query, { select: isSelecting ? undefined : "1" })}>
      {isSelecting ? labels.done : labels.select}
    </a>
  );
}
