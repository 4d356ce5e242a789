/** @jsxImportSource #jsx */
import type { Messages } from "../web/messages/en.ts";
import { local } from "../web/urls.ts";
import type { LibraryQuery } from "./library-query.ts";
import { viewUrl } from "./search/view-url.ts";

/**
 * Links to the first and the next page.
 * @param next the cursor of the next page, if there is one
 * @param hasMonths whether it is the list of all links, which *By month* shortens
 */
export function Pager({
  messages,
  query,
  isFirst,
  next,
  label,
  hasMonths = false,
}: {
  readonly messages: Messages;
  readonly query: LibraryQuery;
  readonly isFirst: boolean;
  readonly next: string | undefined;
  readonly label: string;
  readonly hasMonths?: boolean;
}) {
  if (isFirst && next === undefined) return null;
  return (
    <div class="row">
      <nav class="pages" aria-label={messages.library.pages}>
        <span>
          {!isFirst && <a href={viewUrl(query, { cursor: undefined })}>{messages.library.newest}</a>}
        </span>
        {hasMonths && <a href={local("/library/months")}>{messages.library.otherPages.months}</a>}
        {next !== undefined && (
          <a href={viewUrl(query, { cursor: next })} rel="next">
            {label}
          </a>
        )}
      </nav>
    </div>
  );
}
