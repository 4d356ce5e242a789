/** @jsxImportSource #jsx */
import type { DateFormatter } from "../../web/date-formatter.ts";
import type { Markup } from "../../web/jsx/preact.js";
import { local, web } from "../../web/urls.ts";
import type { LibraryBookmark } from "../library-store.ts";
import { displayHost, displayTitle } from "./shown-text.ts";

/** The title, the host, the date, the length of the copy, and tags of a bookmark, outside the list of the library. */
export function PlainHeading({
  entry,
  length,
  tags,
  dates,
  forReaders = false,
}: {
  readonly entry: LibraryBookmark;
  /** How long its copy is. */
  readonly length?: string | undefined;
  readonly tags: readonly string[];
  readonly dates: DateFormatter;
  /** Whether it is shown to people who may not see the page of the bookmark. */
  readonly forReaders?: boolean;
}): Markup {
  const day = dates.shortDay(entry.createdAt);
  return (
    <>
      <h3>
        <a href={web(entry.url)} rel="noreferrer" dir="auto">
          {displayTitle(entry)}
        </a>
      </h3>
      <p class="heads">
        <span class="host">{displayHost(entry.url)}</span>
        <time class="when" datetime={entry.createdAt.toISOString()}>
          {forReaders ? day : <a href={local(`/library/${entry.id}`)}>{day}</a>}
        </time>
        {length !== undefined && <span>{length}</span>}
        {tags.map((tag) => (
          <span dir="auto">#{tag}</span>
        ))}
      </p>
    </>
  );
}
