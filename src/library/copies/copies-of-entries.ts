import { mayReadCopies } from "../../bookmarks/search/inside-copies.ts";
import type { ReadCopy } from "../../copies/copy.ts";
import { readCopies } from "../../copies/read-copies.ts";
import type { PageContext } from "../../web/page.tsx";
import type { LibraryParts } from "../library-parts.ts";

/** The copies of the entries of a page, in one query; none for callers who may not read copies. */
export async function copiesOfEntries(
  library: Pick<LibraryParts, "copies">,
  call: Pick<PageContext, "request" | "stamp" | "caller" | "read">,
  entries: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, ReadCopy>> {
  if (!(await mayReadCopies(library, call))) return new Map();
  return readCopies(
    call.read,
    entries.map(({ id }) => id),
  );
}
