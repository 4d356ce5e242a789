import { pageHash } from "../search/text/page-key.ts";
import { withoutEnd } from "../text.ts";

/** URLs of a text that count; a longer list is no list of citations. */
const URLS_MAX = 2_000;

/** The hashes of the pages that a Markdown text leads to, each once: also of those a part of which it leads to. */
export function linkedPages(content: string): string[] {
  const hashes = new Set<string>();
  let urls = 0;
  for (const url of urlsIn(content)) {
    if (++urls > URLS_MAX) break;
    for (const page of [url, url.replace(/#.*$/s, "")]) {
      const hash = linkedPage(page);
      if (hash !== undefined) hashes.add(hash);
    }
  }
  return [...hashes];
}

/** The hash of a URL's page, however its parentheses are written; undefined for what is no URL. */
export function linkedPage(url: string): string | undefined {
  const href = URL.parse(withEscapes(url))?.href;
  return href === undefined ? undefined : pageHash(withEscapes(href));
}

/** The possible URLs of a Markdown text: links, references, addresses in angle brackets and bare ones. */
function* urlsIn(content: string): Generator<string> {
  for (const [found] of content.matchAll(/https?:\/\/[^\s<>"'`]+/gi)) {
    // A parenthesis or a full stop after a URL may belong to the text around it, or to the URL.
    const shorter = withoutEnd(found, ").,;:!?*_]");
    const beforeParenthesis = found.split(")", 1)[0] ?? "";
    yield* new Set([found, shorter, beforeParenthesis]);
  }
}

/** Writers of Markdown escape parentheses, which would end a link. */
function withEscapes(url: string): string {
  return url.replaceAll("(", "%28").replaceAll(")", "%29");
}
