/** @jsxImportSource #jsx */
import type { DateFormatter } from "../../web/date-formatter.ts";
import type { Children, Markup } from "../../web/jsx/preact.js";
import { local, type SafeUrl, web } from "../../web/urls.ts";
import type { LibraryBookmark } from "../library-store.ts";
import { displayHost, displayTitle } from "./shown-text.ts";
import { SiteIcon } from "./site-icon.tsx";

/**
 * A bookmark in a list, an item of `<ol class="bookmarks">`: the icon of its site, its title, a line below it, and what
 * follows, such as its note. Every list of bookmarks is made of these rows.
 */
export function Row({
  entry,
  id,
  isHere = false,
  href = web(entry.url),
  title = displayTitle(entry),
  pick,
  heads,
  end,
  children,
}: {
  readonly entry: LibraryBookmark;
  readonly id?: string | undefined;
  /** Whether it is the one that keys act on first. */
  readonly isHere?: boolean | undefined;
  /** Where the title leads; the page by default. */
  readonly href?: SafeUrl | undefined;
  readonly title?: Children;
  /** The box that selects it, in the place of the icon. */
  readonly pick?: Children;
  /** The line below the title. */
  readonly heads: Children;
  /** At the end of the row, beside title and line. */
  readonly end?: Children;
  readonly children?: Children;
}): Markup {
  return (
    <li id={id} class={isHere ? "here" : undefined}>
      <SiteIcon entry={entry} />
      {pick}
      <h3>
        <a href={href} rel="noreferrer" dir="auto">
          {title}
        </a>
      </h3>
      {heads}
      {end !== undefined && <div class="end">{end}</div>}
      {children}
    </li>
  );
}

/** A row outside of the list of the library, without actions: host, date, the length of the copy, and tags. */
export function PlainRow({
  entry,
  length,
  tags,
  dates,
  gone,
  hasHost = true,
  forReaders = false,
  ...row
}: Pick<Parameters<typeof Row>[0], "entry" | "id" | "isHere" | "end" | "children"> & {
  /** How long its copy is. */
  readonly length?: string | undefined;
  readonly tags: readonly string[];
  readonly dates: DateFormatter;
  /** What is said of a page that is gone and has a copy, which the title opens. */
  readonly gone?: string | undefined;
  readonly hasHost?: boolean;
  /** Whether it is shown to people who may see neither the page of the bookmark nor the icons of the library. */
  readonly forReaders?: boolean;
}): Markup {
  const day = dates.shortDay(entry.createdAt);
  const heads = (
    <p class="heads">
      {gone !== undefined && <b>{gone}</b>}
      {hasHost && <span class="host">{displayHost(entry.url)}</span>}
      <time class="when" datetime={entry.createdAt.toISOString()}>
        {forReaders ? day : <a href={local(`/library/${entry.id}`)}>{day}</a>}
      </time>
      {length !== undefined && <span>{length}</span>}
      {tags.map((tag) => (
        <span dir="auto">#{tag}</span>
      ))}
    </p>
  );
  const href = gone === undefined ? undefined : local(`/library/${entry.id}/read`);
  return (
    <Row {...row} entry={forReaders ? { ...entry, icon: undefined } : entry} href={href} heads={heads} />
  );
}
