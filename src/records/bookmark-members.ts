import { type TextError, textErrors } from "../text.ts";

/** The maximum length of a title (bookmark specification, section 8). Both schemas check it, too. */
export const TITLE_MAX = 200;

/** The maximum length of the text form of a URL (bookmark specification, section 8). */
export const URL_MAX = 500;

/**
 * Parses an address by the WHATWG URL standard and returns its text form (`href`), the form in which it
 * is stored and returned. Only `http` and `https`. C0 controls and spaces around it are forgiven, as the
 * standard does, but for U+0000; a control character inside is refused, where the standard would silently drop some.
 */
export function parseWebUrl(input: string): { href: string } | { error: TextError } {
  const [error] = textErrors(input, {});
  if (error) return { error };
  const address = trimControls(input);
  if (/\p{Cc}/u.test(address))
    return { error: { code: "bad_character", detail: "A URL may not contain control characters." } };
  const url = URL.parse(address);
  if (url === null) {
    return {
      error: { code: "url_invalid", detail: "Not an absolute URL such as https://example.com/." },
    };
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return { error: { code: "url_scheme", detail: "Only http and https URLs are kept here." } };
  const { href } = url;
  if (href.length > URL_MAX) {
    return {
      error: {
        code: "too_long",
        detail: `At most ${URL_MAX} characters once normalized and percent-encoded; this has ${href.length}.`,
      },
    };
  }
  return { href };
}

/** Leading and trailing C0 controls and spaces, as the URL standard's basic parser removes them. */
function trimControls(input: string): string {
  let start = 0;
  let end = input.length;
  while (start < end && input.charCodeAt(start) <= 0x20) start++;
  while (end > start && input.charCodeAt(end - 1) <= 0x20) end--;
  return input.slice(start, end);
}

/** The states of a bookmark, which are not part of its version. */
export interface BookmarkStates {
  /** To be read later. */
  readonly unread: boolean;
  readonly archived: boolean;
  readonly shared: boolean;
}

export const NO_STATES: BookmarkStates = { unread: false, archived: false, shared: false };

/** Whether any state is set. */
export function hasAnyState({ unread, archived, shared }: BookmarkStates): boolean {
  return unread || archived || shared;
}

/** The states that at least one of the bookmarks has. */
export function joinStates(all: readonly BookmarkStates[]): BookmarkStates {
  return {
    unread: all.some(({ unread }) => unread),
    archived: all.some(({ archived }) => archived),
    shared: all.some(({ shared }) => shared),
  };
}

/** linkding's mark for archived bookmarks, which is not a tag of the user. */
export const ARCHIVED_TAG = "linkding:bookmarks.archived";
