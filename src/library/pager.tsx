/** @jsxImportSource #jsx */
import type { Messages } from "../web/messages/en.ts";
import type { LibraryQuery } from "./library-query.ts";
import { viewUrl } from "./search/view-url.ts";

/** Links to the first and the next page. @param next the cursor of the next page, if there is one */
export function Pager({
  messages,
  query,
  isFirst,
  next,
  label,
}: {
  readonly messages: Messages;
  readonly query: LibraryQuery;
  readonly isFirst: boolean;
  readonly next: string | undefined;
  readonly label: string;
}) {
  if (isFirst && next === undefined) return null;
  return (
    <div class="row">
      <nav class="pages" aria-label={messages.library.pages}>
        <span>
          {!isFirst && <a href={viewUrl(query, { cursor: undefined })}>{messages.library.newest}</a>}
        </span>
        {next !== undefined && (
          <a href={viewUrl(query, { cursor: next })} rel="next">
            {label}
          </a>
        )}
      </nav>
    </div>
  );
}
