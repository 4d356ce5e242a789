import { mayReadCopies } from "../../bookmarks/search/inside-copies.ts";
import { type PagePicture, readPictures } from "../../copies/page-pictures/page-picture-store.ts";
import type { PageContext } from "../../web/page.tsx";
import type { LibraryParts } from "../library-parts.ts";

/** The pictures of the pages of entries, in one query: those that the caller may see. */
export async function picturesOfEntries(
  library: Pick<LibraryParts, "copies">,
  call: Pick<PageContext, "request" | "stamp" | "caller" | "read">,
  entries: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, PagePicture>> {
  const which = (await mayReadCopies(library, call)) ? "all" : "public";
  return readPictures(
    call.read,
    entries.map(({ id }) => id),
    which,
  );
}
