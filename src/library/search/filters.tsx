/** @jsxImportSource #jsx */
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { PageContext } from "../../web/page.tsx";
import type { LibraryQuery } from "../library-query.ts";
import { joinQueryParts, parseQueryParts, type QueryPart } from "./query-parts.ts";
import { datesOfDays, whenOf } from "./saved-when.ts";
import { daysOf } from "./spoken-date.ts";
import { viewUrl } from "./view-url.ts";

/**
 * The filters of a search, each a link to the search without it. The script finds the element by its id and replaces
 * it.
 */
export function Filters({
  messages,
  query,
  site,
}: {
  readonly messages: Messages;
  readonly query: LibraryQuery;
  readonly site: PageContext["site"];
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
                      <bdi>{nameOf(filter, site, messages)}</bdi>
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

function nameOf(
  { field, value, isExcluded }: QueryPart,
  site: PageContext["site"],
  messages: Messages,
): string {
  const { without, untagged, saved, since, before, ...states } = messages.library.find.filterNames;
  const days = daysOf(value);
  const day = (iso: string) => datesOfDays(site).shortDay(new Date(iso));
  const names: Readonly<Record<string, () => string>> = {
    tag: () => (value.toLowerCase() === "none" ? untagged : `#${value.replace(/^=/, "")}`),
    on: () => (days === undefined ? value : saved(whenOf(days, site, messages))),
    after: () => (days === undefined ? value : since(day(days.first))),
    before: () => (days === undefined ? value : before(day(days.first))),
  };
  const state = field === "is" || field === "has" ? value.toLowerCase() : "";
  if (state === "copy" || state === "mark" || state === "unread" || state === "archived")
    return isExcluded ? without(states[state]) : states[state];
  const name = names[field ?? ""]?.() ?? value;
  return isExcluded ? without(name) : name;
}
