import { backTo } from "../../web/forms/back.tsx";
import { local, type SafeUrl, withFragment } from "../../web/urls.ts";
import type { LibraryQuery } from "../library-query.ts";

/** The URL of the library with a query, some of whose parameters are changed; without its selection and field of tags, and what its cookies remember. */
export function viewUrl(query: LibraryQuery, changes: Partial<LibraryQuery>): SafeUrl {
  const { q, ...others } = { ...query, ticked: undefined, tag: undefined, pictures: undefined, ...changes };
  const { sort, show, view, pictures, select, cursor, words, ticked, tag } = others;
  return local("/library", {
    q: q === "" ? undefined : q,
    ...{ sort, show, view, pictures, select, cursor, words, ticked, tag },
  });
}

/** The `back` parameter of links from a view; undefined for the start page of the library, which needs none. */
export function backOf(query: LibraryQuery): SafeUrl | undefined {
  const view = viewUrl(query, {});
  // Each entry of a list repeats it.
  return view === "/library" || view.length > BACK_MAX ? undefined : view;
}

const BACK_MAX = 500;

/** The id of an entry's element in a list. */
export function entryId(id: number | bigint): string {
  return `link-${id}`;
}

/**
 * The page to return to after a change, from the request.
 * @param requested a page of the library; for anything else, the start page
 * @param id of the bookmark to show there
 */
export function backToLibrary(requested: string | undefined, id?: number | bigint): SafeUrl {
  const target = backTo(requested, local("/library"));
  const isList = /^\/library(?:\?|$)/.test(target);
  return id !== undefined && isList ? withFragment(target, entryId(id)) : target;
}

/** Whether a page is that of a link. @param id of that link; any by default */
export function isLinkPage(target: string | undefined, id?: number): boolean {
  return new RegExp(`^/library/${id ?? "\\d+"}$`).test(target ?? "");
}
