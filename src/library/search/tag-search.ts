import { local, type SafeUrl } from "../../web/urls.ts";

/** The search for a tag and the tags below it. */
export function tagUrl(name: string): SafeUrl {
  return local("/library", { q: tagTerm(name) });
}

/** A tag as a search term. */
export function tagTerm(name: string): string {
  // The tag line allows names of any characters; those that the query grammar would split are quoted.
  const isWord = /^[\p{L}\p{M}\p{N}_\-/.+#&]+$/u.test(name);
  // Not those with a quotation mark: it would end there. At the beginning, `=` would mean this tag only.
  return isWord || /^=|"/.test(name) ? `#${name}` : `tag:"${name}"`;
}
