import type { BookmarkFormat } from "./bookmark-format.ts";
import { csvFormat, findHeader } from "./csv/csv-table.ts";
import { commonplaceCsv, instapaper, matter, mymind, pocket, raindrop, readwise } from "./csv/services.ts";
import { recognizeJson } from "./json/recognize-json.ts";
import { recognizeLinkList } from "./links/link-list.ts";
import { netscape } from "./netscape/netscape.ts";
import { pocketHtml } from "./netscape/pocket-html.ts";

/** The supported formats, for the error message about other files. */
export const FORMATS_READ =
  "HTML exported by browsers and most services; JSON from Pinboard, linkding, Karakeep, Linkwarden, Omnivore, wallabag, Delicious, Readability, elCurator, Firefox, Chrome and Commonplace; CSV from Raindrop, Pocket, Instapaper, Readwise Reader, Matter, mymind and Commonplace; Pocket's HTML; lists of links in Markdown or Org, as from buku; or a zip or tar archive of these";

/** The number of inspected characters. A bookmark may begin with an icon of 100,000 characters. */
export const BEGINNING = 256 * 1024;

const CSV_FORMATS = [raindrop, pocket, instapaper, matter, mymind, readwise, commonplaceCsv];

/**
 * The format of a file, by its content alone.
 * @param beginning the first characters of its text, at most {@link BEGINNING}
 * @returns undefined when it is not supported; whether HTML has bookmarks is only known after reading it
 */
export function recognize(beginning: string): BookmarkFormat | undefined {
  const text = beginning.replace(/^\ufeff/, "");
  const links = recognizeLinkList(text, BEGINNING);
  if (links !== undefined) return links;
  if (/^\s*[[{]/.test(text)) return recognizeJson(text);
  if (isPocketHtml(text)) return pocketHtml;
  const csv = findHeader(text, CSV_FORMATS);
  return csv === undefined ? netscape : csvFormat(csv.format, csv.header);
}

/** Whether possible HTML looks like a bookmark file; parts of an archive need not. */
export function hasBookmarkList(beginning: string): boolean {
  return /<!doctype\s+netscape-bookmark-file|<dl[\s>]/i.test(beginning) || isPocketHtml(beginning);
}

/** Whether HTML begins as Pocket's. */
function isPocketHtml(beginning: string): boolean {
  return /<title>\s{0,20}Pocket Export\s{0,20}<\/title>/i.test(beginning);
}
