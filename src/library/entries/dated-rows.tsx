/** @jsxImportSource #jsx */
import type { ReadCopy } from "../../copies/copy.ts";
import type { PagePicture } from "../../copies/page-pictures/page-picture-store.ts";
import { tagsOf } from "../../tags/description-tags.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageContext } from "../../web/page.tsx";
import type { LibraryBookmark } from "../library-store.ts";
import { PictureOfPage } from "./picture-of-page.tsx";
import { PlainRow } from "./row.tsx";

const TAGS_MAX = 4;

/** Links on a page about something else, each with its day, its first tags and the picture of its page. */
export function DatedRows({
  entries,
  ofOneSite = false,
  pictures,
  copies,
  context: { messages, dates },
}: {
  readonly entries: readonly LibraryBookmark[];
  /** Whether the heading names their host. */
  readonly ofOneSite?: boolean;
  readonly pictures: ReadonlyMap<number, PagePicture>;
  /** Of callers who may read them. */
  readonly copies: ReadonlyMap<number, ReadCopy>;
  readonly context: Pick<PageContext, "messages" | "dates">;
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
            gone={copies.get(entry.id)?.isGone ? messages.copies.inRow.gone : undefined}
            end={picture && <PictureOfPage picture={picture} isLazy />}
          />
        );
      })}
    </ul>
  );
}
