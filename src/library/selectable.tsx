/** @jsxImportSource #jsx */
import type { Children } from "../web/jsx/preact.js";
import type { Messages } from "../web/messages/en.ts";
import { local } from "../web/urls.ts";
import { BulkBar, BulkErrors } from "./bulk-page.tsx";
import type { EntryContext } from "./entries/entry.tsx";
import type { LibraryQuery } from "./library-query.ts";
import { viewUrl } from "./search/view-url.ts";

/** A list with selectable entries is a form. */
export function Selectable({
  messages,
  context,
  back,
  children,
}: {
  readonly messages: Messages;
  readonly context: EntryContext;
  readonly back: string;
  readonly children?: Children;
}) {
  if (context.selection === undefined) return <>{children}</>;
  return (
    <form method="post" action={local("/library/bulk")}>
      <BulkErrors messages={messages} form={context.selection} />
      {children}
      <BulkBar messages={messages} form={context.selection} back={back} />
    </form>
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
    <a href={viewUrl(query, { select: selection === undefined ? "1" : undefined })}>
      {selection === undefined ? labels.select : labels.done}
    </a>
  );
}
