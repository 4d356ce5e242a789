/** @jsxImportSource #jsx */
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { LibraryQuery } from "../library-query.ts";
import { joinQueryParts, parseQueryParts, type QueryPart } from "./query-parts.ts";
import { viewUrl } from "./view-url.ts";

/**
 * The filters of a search, each a link to the search without it. The script finds the element by its id and replaces
 * it.
 */
export function Filters({
  messages,
  query,
}: {
  readonly messages: Messages;
  readonly query: LibraryQuery;
}): Markup {
  const parts = parseQueryParts(query.q ?? "") ?? [];
  const filters = parts.filter(({ isFilter }) => isFilter);
  const labels = messages.library.find;
  return (
    <div id="filters">
      {filters.length > 0 && (
        <nav aria-label={labels.filters}>
          <ul class="chips">
            {filters.map((filter) => {
              const rest = joinQueryParts(parts.filter((part) => part !== filter));
              return (
                <li>
                  <a href={viewUrl(query, { q: rest, cursor: undefined })}>
                    <span>
                      <span class="unseen">{labels.removeFilter}</span>
                      <bdi>{nameOf(filter, messages)}</bdi>
                    </span>
                    <b aria-hidden="true">×</b>
                  </a>
                </li>
              );
            })}
          </ul>
        </nav>
      )}
    </div>
  );
}

function nameOf({ field, value, isExcluded }: QueryPart, messages: Messages): string {
  const { without, fields } = messages.library.find.filterNames;
  const name =
    field === undefined
      ? value
      : field === "tag" && value.toLowerCase() === "none"
        ? fields.untagged
        : field === "tag"
          ? `#${value.replace(/^=/, "")}`
          : field in fields
            ? `${fields[field as keyof typeof fields]} ${value}`
            : value;
  return isExcluded ? without(name) : name;
}
