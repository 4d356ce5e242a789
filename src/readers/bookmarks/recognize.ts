import { printable } from "../../printable.ts";
import type { BookmarkFormat, UnreadFormat } from "./bookmark-format.ts";
import { type CsvFormat, csvFormat, findHeader, type HeaderColumns } from "./csv/csv-table.ts";
import {
  commonplaceCsv,
  diigo,
  foreignColumns,
  googleSaved,
  instapaper,
  linkace,
  matter,
  mymind,
  pocket,
  raindrop,
  readwise,
  readwiseMarks,
  reddit,
  youtube,
  zotero,
} from "./csv/services.ts";
import { recognizeJson } from "./json/recognize-json.ts";
import { recognizeLinkList } from "./links/link-list.ts";
import { isHotlist, operaHotlist } from "./links/opera-hotlist.ts";
import { netscape } from "./netscape/netscape.ts";
import { pocketHtml } from "./netscape/pocket-html.ts";
import { recognizeXml } from "./xml/xbel.ts";

/** The supported formats, for the error message about other files. */
export const FORMATS_READ =
  "HTML exported by browsers and most services; JSON from Pinboard, linkding, Karakeep, Linkwarden, Omnivore, wallabag, Readeck, Readwise, Shaarli, Shiori, GoodLinks, Toby, xBrowserSync, Delicious, Readability, elCurator, Firefox, Chrome and Commonplace; CSV from Raindrop, Pocket, Instapaper, Readwise, Matter, mymind, LinkAce, Diigo, Zotero, Reddit, Google Takeout and Commonplace; XML of Pinboard and Delicious, XBEL, and Opera's .adr; Pocket's HTML; lists of links in Markdown or Org, as from buku, or one address a line; or a zip or tar archive of these";

/** The number of inspected characters. A bookmark may begin with an icon of 100,000 characters. */
export const BEGINNING = 256 * 1024;

/** Each is known by columns that together only it has, so that their order does not matter. */
const CSV_FORMATS: readonly CsvFormat[] = [
  ...[raindrop, pocket, instapaper, matter, mymind, readwise, readwiseMarks, linkace, diigo, googleSaved],
  ...[youtube, reddit, zotero],
  commonplaceCsv,
];

/** A table that is not read. */
interface UnreadTable {
  isHeader(header: HeaderColumns): boolean;
  unread(header: HeaderColumns): string;
}

/** Known by columns that only they have, or that say that there are addresses. */
const UNREAD_TABLES: readonly UnreadTable[] = [
  {
    isHeader: (header) => header.has("url", "username", "password"),
    unread: () => "has passwords: it is no file of bookmarks",
  },
  {
    isHeader: (header) => header.has("title", "url", "content", "mime type"),
    unread: () => "is wallabag's table, which is not read: export the entries as JSON there",
  },
  {
    isHeader: ({ names }) => names.length > 1 && names.some((name) => ADDRESS_COLUMNS.includes(name)),
    unread: (header) => {
      const columns = foreignColumns(header)
        .slice(0, 10)
        .map((name) => printable(name.slice(0, 60)));
      const named =
        columns.length === 0 ? "" : ` with columns that Commonplace does not know (${columns.join(", ")})`;
      return `is a table${named}: give it the columns url, title, description and created_at, if you like also tags, separated by blanks, and no others`;
    },
  },
];

/** Columns of addresses in tables. */
const ADDRESS_COLUMNS = ["url", "link", "href", "address", "uri", "permalink"];

/** Other files that programs keep bookmarks in. */
const UNREAD_TEXTS: readonly { readonly beginning: RegExp; readonly unread: string }[] = [
  {
    beginning: /^(?:\s{0,100}<[?!][^>]{0,300}>){0,3}\s{0,100}<plist[\s>]/i,
    unread: "is a file of Safari or macOS, which is not read: in Safari, choose File, Export, Bookmarks",
  },
  {
    beginning: /<title>\s{0,20}Instapaper: Export\s{0,20}<\/title>/i,
    unread: "is Instapaper's HTML, which is not read: choose the CSV file there",
  },
  {
    beginning: /^(?:\s{0,100}<[?!][^>]{0,300}>){0,3}\s{0,100}<opml[\s>]/i,
    unread: "is a list of feeds (OPML), which is not read: bookmarks are exported as HTML or JSON",
  },
  {
    beginning: /^(?:\s{0,100}<[?!][^>]{0,300}>){0,3}\s{0,100}<en-export[\s>]/i,
    unread: "is an export of Evernote, which is not read: make a list of the addresses, one a line",
  },
  {
    beginning: /^\s{0,100}(?:%[^\n]{0,300}\n\s{0,100}){0,9}@[a-z]{1,20}\s{0,9}\{[^,{}]{1,200},/i,
    unread: "is a bibliography (BibTeX), which is not read: in Zotero, choose CSV",
  },
  {
    beginning: /^\s{0,100}TY {2}- [A-Z]{2,10}\s/,
    unread: "is a bibliography (RIS), which is not read: in Zotero, choose CSV",
  },
  {
    beginning: /^\s{0,100}window\.YTD\./,
    unread: "is a file of the archive of X, which has no bookmarks",
  },
];

/**
 * The format of a file, by its content alone.
 * @param beginning the first characters of its text, at most {@link BEGINNING}
 * @returns undefined when it is not known; whether HTML has bookmarks is only known after reading it
 */
export function recognize(beginning: string): BookmarkFormat | UnreadFormat | undefined {
  const text = beginning.replace(/^\ufeff/, "");
  if (isHotlist(text)) return operaHotlist;
  // Before lists of links: the rows of a table can look like addresses.
  const table = /^\s*[<[{]/.test(text) ? undefined : recognizeTable(text);
  if (table !== undefined) return table;
  const links = recognizeLinkList(text, BEGINNING);
  if (links !== undefined) return links;
  if (/^\s*[[{]/.test(text)) return recognizeJson(text);
  if (isPocketHtml(text)) return pocketHtml;
  const other = UNREAD_TEXTS.find(({ beginning: start }) => start.test(text));
  return other ?? recognizeXml(text) ?? netscape;
}

function recognizeTable(text: string): BookmarkFormat | UnreadFormat | undefined {
  const found = findHeader<CsvFormat | UnreadTable>(text, [...CSV_FORMATS, ...UNREAD_TABLES]);
  if (found === undefined) return undefined;
  const { format, header } = found;
  return "unread" in format ? { unread: format.unread(header.columns) } : csvFormat(format, header);
}

/** Whether a file of a known program is not read. */
export function isUnread(format: BookmarkFormat | UnreadFormat): format is UnreadFormat {
  return "unread" in format;
}

/** Whether possible HTML looks like a bookmark file; parts of an archive need not. */
export function hasBookmarkList(beginning: string): boolean {
  return /<!doctype\s+netscape-bookmark-file|<dl[\s>]/i.test(beginning) || isPocketHtml(beginning);
}

/** Whether HTML begins as Pocket's. */
function isPocketHtml(beginning: string): boolean {
  return /<title>\s{0,20}Pocket Export\s{0,20}<\/title>/i.test(beginning);
}
