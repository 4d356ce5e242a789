/** @jsxImportSource #jsx */
import type { PagePicture } from "../../copies/page-pictures/page-picture-store.ts";
import { tagsOf } from "../../tags/description-tags.ts";
import type { DateFormatter } from "../../web/date-formatter.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { LibraryBookmark } from "../library-store.ts";
import { PictureOfPage } from "./picture-of-page.tsx";
import { PlainRow } from "./row.tsx";

const TAGS_MAX = 4;

/** Links on a page about something else, each with its day, its first tags and the picture of its page. */
export function DatedRows({
  entries,
  ofOneSite = false,
  pictures,
  dates,
}: {
  readonly entries: readonly LibraryBookmark[];
  /** Whether the heading names their host. */
  readonly ofOneSite?: boolean;
  readonly pictures: ReadonlyMap<number, PagePicture>;
  readonly dates: DateFormatter;
}): Markup {
  return (
    <ul class="bookmarks dated">
      {entries.map((entry) => {
        const picture = pictures.get(entry.id);
        return (
          <PlainRow
            entry={entry}
            tags={tagsOf(entry.description).slice(0, TAGS_MAX)}
            dates={dates}
            hasHost={!ofOneSite}
            end={picture && <PictureOfPage picture={picture} isLazy />}
          />
        );
      })}
    </ul>
  );
}
