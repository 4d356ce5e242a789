/** @jsxImportSource #jsx */
import { Icon } from "../web/icon.tsx";
import type { Children, Markup } from "../web/jsx/preact.js";
import type { Messages } from "../web/messages/en.ts";
import { local, type SafeUrl } from "../web/urls.ts";
import { DENSITIES } from "./density.ts";
import type { EntryContext } from "./entries/entry.tsx";
import type { LibraryQuery } from "./library-query.ts";
import { type CountedTag, TAGS_AS_CHIPS } from "./search/tags-aside.tsx";
import { viewUrl } from "./search/view-url.ts";
import { SelectLink } from "./selectable.tsx";

/** The menu of a list, by the id of its element. */
const MENU = "more";

/**
 * One line above a list: what is shown, the other filters, the views, and the menu with all else. On a phone the filters
 * scroll sideways, and the views and the selection stand in the menu.
 */
export function ControlLine({
  messages,
  tabs,
  status,
  query,
  context,
  isEmpty,
  menu,
}: {
  readonly messages: Messages;
  readonly tabs: Children;
  /** What is shown, for screen readers; where no tab says so. */
  readonly status?: string;
  readonly query: LibraryQuery;
  readonly context: EntryContext;
  /** Whether there is nothing to view in another way, or to select. */
  readonly isEmpty: boolean;
  /** What stands in the menu besides the views. */
  readonly menu: Children;
}): Markup {
  const labels = messages.library.views;
  const views = !isEmpty && DENSITIES.map((view) => <ViewLink view={view} query={query} context={context} />);
  const select = !isEmpty && <SelectLink query={query} context={context} />;
  return (
    <div class="controls">
      {status !== undefined && (
        <span class="unseen" role="status">
          {status}
        </span>
      )}
      <nav class="tabs" aria-label={labels.shown}>
        {tabs}
      </nav>
      {views && (
        <nav class="segments" aria-label={labels.label}>
          {views}
        </nav>
      )}
      {select && <span class="tool">{select}</span>}
      {(views || menu) && (
        <>
          <button class="tool" type="button" popovertarget={MENU}>
            {labels.more} <Icon name="chevron-down" />
          </button>
          <nav class="menu" id={MENU} popover="auto" aria-label={messages.library.otherPages.label}>
            {views && <div class="narrow">{views}</div>}
            {select && <div class="narrow">{select}</div>}
            {views && context.density === "full" && (
              <a href={viewUrl(query, { pictures: context.showsPictures ? "off" : "on" })}>
                {context.showsPictures ? labels.hidePictures : labels.showPictures}
              </a>
            )}
            {menu}
          </nav>
        </>
      )}
    </div>
  );
}

function ViewLink({
  view,
  query,
  context: { messages, density },
}: {
  readonly view: (typeof DENSITIES)[number];
  readonly query: LibraryQuery;
  readonly context: EntryContext;
}) {
  return (
    <a href={viewUrl(query, { view })} aria-current={view === density ? "true" : undefined}>
      {messages.library.views[view]}
    </a>
  );
}

/** A filter of the list, with the number of its links. */
export function Tab({
  href,
  text,
  count,
  isCurrent,
}: {
  readonly href: SafeUrl;
  readonly text: string;
  readonly count?: string | undefined;
  readonly isCurrent: boolean;
}): Markup {
  return (
    <a href={href} aria-current={isCurrent ? "page" : undefined}>
      {text}
      {count !== undefined && <span class="count"> {count}</span>}
    </a>
  );
}

/** On a phone, where tags have no place beside the list: the first ones, and all. */
export function TagChips({
  messages,
  tags,
  hrefOf,
}: {
  readonly messages: Messages;
  readonly tags: readonly CountedTag[];
  readonly hrefOf: (name: string) => SafeUrl;
}): Markup | null {
  if (tags.length === 0) return null;
  return (
    <span class="narrow">
      {tags.slice(0, TAGS_AS_CHIPS).map(({ name }) => (
        <a href={hrefOf(name)} dir="auto">
          #{name}
        </a>
      ))}
      <a href={local("/library/tags")}>{messages.library.tags}</a>
    </span>
  );
}

/** The orders of a list, in its menu. */
export function SortLinks<Sort extends string>({
  messages,
  sorts,
  sort,
  hrefOf,
}: {
  readonly messages: Messages;
  /** The default first. */
  readonly sorts: readonly Sort[];
  readonly sort: Sort;
  readonly hrefOf: (sort: Sort) => SafeUrl;
}): Markup {
  const labels: Readonly<Record<string, string>> = messages.library.find.sorts;
  return (
    <nav aria-label={messages.library.views.sort}>
      {sorts.map((one) => (
        <a href={hrefOf(one)} aria-current={one === sort ? "true" : undefined}>
          {labels[one]}
        </a>
      ))}
    </nav>
  );
}
