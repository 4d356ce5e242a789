/** @jsxImportSource #jsx */

import type { AssetName } from "../web/assets.ts";
import type { Children } from "../web/jsx/preact.js";
import type { Messages } from "../web/messages/en.ts";
import { local } from "../web/urls.ts";
import { BulkBar, BulkErrors } from "./bulk-page.tsx";
import { ACTS, type EntryContext } from "./entries/entry.tsx";
import { KEYS } from "./keys.ts";
import type { LibraryQuery } from "./library-query.ts";
import { viewUrl } from "./search/view-url.ts";
import type { WholeList } from "./selection-bar.tsx";

/** The scripts of a list. */
export function listScripts({ selection, tagging }: EntryContext): readonly AssetName[] {
  if (selection !== undefined) return ["library.js", "selection.js", "tag-field.js"];
  return tagging === undefined ? ["library.js"] : ["library.js", "tag-field.js"];
}

/** A list with selectable entries is a form; otherwise their actions have one beside the list. */
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
  if (context.selection === undefined)
    return (
      <>
        {children}
        {context.mayWrite && (
          <>
            <form id={ACTS} method="post" action={local("/library/later")} hidden>
              <input type="hidden" name="back" value={back} />
            </form>
            <Unanswered messages={messages} />
          </>
        )}
      </>
    );
  return (
    <form method="post" action={local("/library/bulk")}>
      <BulkErrors messages={messages} form={context.selection} />
      {children}
      <BulkBar
        messages={messages}
        form={context.selection}
        here={here}
        whole={whole.count > here ? whole : undefined}
        back={back}
        keepsCopies={context.keepsCopies ?? false}
      />
    </form>
  );
}

/** What `library.js` shows when the server does not answer, or with other words when it refuses an action. */
export function Unanswered({ messages }: { readonly messages: Messages }) {
  return (
    <div class="toast alarm" id="unanswered" role="alert" data-away={messages.library.unanswered} hidden>
      <p />
    </div>
  );
}

/** Makes the entries selectable, or ends that. */
export function SelectLink({
  query,
  context: { messages, mayWrite, selection },
}: {
  readonly query: LibraryQuery;
  readonly context: EntryContext;
}) {
  if (!mayWrite) return null;
  const labels = messages.library.views;
  return (
    <a
      href={viewUrl(query, { select: selection === undefined ? "1" : undefined })}
      data-key={selection === undefined ? KEYS.select : undefined}
    >
      {selection === undefined ? labels.select : labels.done}
    </a>
  );
}
