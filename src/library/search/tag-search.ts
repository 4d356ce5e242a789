import { local, type SafeUrl } from "../../web/urls.ts";

/** The search for a tag, and what is below it. */
export function tagUrl(name: string): SafeUrl {
  return local("/library", { q: tagTerm(name) });
}

/** A tag as a part of a search. */
export function tagTerm(name: string): string {
  // Names of any characters can stand on the tag line; the ones that the search's grammar would split are quoted.
  return /^[\p{L}\p{M}\p{N}_\-/.+#&]+$/u.test(name) ? `#${name}` : `tag:"${name}"`;
}
