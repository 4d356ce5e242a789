import { local, type SafeUrl } from "../../web/urls.ts";

/** The search for a tag and the tags below it. */
export function tagUrl(name: string): SafeUrl {
  return local("/library", { q: tagTerm(name) });
}

/** A tag as a search term. */
export function tagTerm(name: string): string {
  // The tag line allows names of any characters; those that the query grammar would split are quoted.
  return /^[\p{L}\p{M}\p{N}_\-/.+#&]+$/u.test(name) ? `#${name}` : `tag:"${name}"`;
}
