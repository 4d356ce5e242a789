/** @jsxImportSource #jsx */
import { SearchField } from "../../web/forms/search-field.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import { local } from "../../web/urls.ts";

/** The field that searches the site. @param q the query that is shown in it */
export function SiteSearchForm({
  messages,
  q,
}: {
  readonly messages: Messages;
  readonly q?: string;
}): Markup {
  const { find, submit } = messages.blog.archive;
  return (
    <search>
      <form class="find" method="get" action={local("/search")}>
        <SearchField q={q} label={find} submit={submit} />
      </form>
    </search>
  );
}
