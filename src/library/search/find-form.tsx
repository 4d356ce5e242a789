/** @jsxImportSource #jsx */
import { QUERY_MAX } from "../../search/query/parser.ts";
import { SearchField } from "../../web/forms/search-field.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { PageContext } from "../../web/page.tsx";
import { local } from "../../web/urls.ts";
import type { LibraryQuery } from "../library-query.ts";
import { Filters } from "./filters.tsx";
import { backOf } from "./view-url.ts";

/** The search field and the link to add a bookmark; keeps the rest of the view. */
export function FindForm({
  messages,
  query,
  site,
  mayWrite,
}: {
  readonly messages: Messages;
  readonly query: LibraryQuery;
  readonly site: PageContext["site"];
  readonly mayWrite: boolean;
}): Markup {
  const labels = messages.library.find;
  return (
    <find-as-you-type>
      <search>
        <form class="find" action={local("/library")}>
          <SearchField
            q={query.q}
            label={labels.label}
            submit={labels.submit}
            autocapitalize="none"
            spellcheck="false"
            maxlength={QUERY_MAX}
            enterkeyhint="search"
          >
            <kbd title={labels.anything}>Ctrl K</kbd>
          </SearchField>
          {query.view !== undefined && <input type="hidden" name="view" value={query.view} />}
          {query.select !== undefined && <input type="hidden" name="select" value={query.select} />}
          {mayWrite && (
            <a class="button" href={local("/library/new", { back: backOf(query) })}>
              {labels.add}
            </a>
          )}
        </form>
      </search>
      <Filters messages={messages} query={query} site={site} />
    </find-as-you-type>
  );
}
