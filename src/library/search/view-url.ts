import { local, type SafeUrl } from "../../web/urls.ts";
import type { LibraryQuery } from "../library-query.ts";

/** The library as a query shows it, with some of the query changed. */
export function viewUrl(query: LibraryQuery, changes: Partial<LibraryQuery>): SafeUrl {
  const { q, sort, show, view, select, cursor } = { ...query, ...changes };
  return local("/library", { q: q === "" ? undefined : q, sort, show, view, select, cursor });
}
