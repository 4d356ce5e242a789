/** @jsxImportSource #jsx */
import type { DateFormatter } from "../../web/date-formatter.ts";
import type { Markup } from "../../web/jsx/preact.js";
import { web } from "../../web/urls.ts";
import type { LibraryBookmark } from "../library-store.ts";
import { displayHost, displayTitle } from "./shown-text.ts";

/** The title, the host and the date of a bookmark, outside the list of the library. */
export function PlainHeading({
  entry,
  dates,
}: {
  readonly entry: LibraryBookmark;
  readonly dates: DateFormatter;
}): Markup {
  return (
    <h3>
      <a href={web(entry.url)} rel="noreferrer" dir="auto">
        {displayTitle(entry)}
      </a>{" "}
      <span class="host">{displayHost(entry.url)}</span>
      <span class="host said when">
        {" "}
        <time datetime={entry.createdAt.toISOString()}>{dates.shortDay(entry.createdAt)}</time>
      </span>
    </h3>
  );
}
