import type { PageContext } from "../../web/page.tsx";
import type { LibraryParts } from "../library-parts.ts";

/** Whether pages offer to fetch copies: the server fetches pages, and its site keeps what is asked for. */
export function fetchesPages(
  { copyParts }: Pick<LibraryParts, "copyParts">,
  { site }: Pick<PageContext, "site">,
): boolean {
  return copyParts.fetching !== undefined && site.keepCopies !== "never";
}
