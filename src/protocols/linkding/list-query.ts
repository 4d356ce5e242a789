import { parseInstant } from "../../instant.ts";
import { type ListFilter, type ListPage, SORTS, type Sort } from "./linkding-store.ts";

const LIMIT = 100;
const LIMIT_MAX = 1_000;

/** The parsed query of a list. As in linkding, invalid values are ignored. */
export interface ListQuery {
  readonly page: ListPage;
  readonly filter: ListFilter;
  /** The search, in linkding's syntax; empty when there is none. */
  readonly q: string;
}

export function parseListQuery(search: string): ListQuery {
  const query = new URLSearchParams(search);
  const sort = query.get("sort") as Sort;
  return {
    page: { sort: SORTS.includes(sort) ? sort : "added_desc", ...parsePaging(query) },
    filter: {
      unread: yesOrNo(query.get("unread")),
      shared: yesOrNo(query.get("shared")),
      addedSince: dateIn(query.get("added_since")),
      modifiedSince: dateIn(query.get("modified_since")),
    },
    q: query.get("q")?.trim() ?? "",
  };
}

/** `limit` and `offset` of a query. */
export function parsePaging(query: URLSearchParams, most = LIMIT_MAX): { limit: number; offset: number } {
  const limit = integerIn(query.get("limit"));
  return {
    limit: limit === undefined || limit < 1 ? LIMIT : Math.min(limit, most),
    offset: integerIn(query.get("offset")) ?? 0,
  };
}

/**
 * The envelope of a page without its results, with absolute links to the next and the previous page. @param url
 * without query
 */
export function pageEnvelope(url: string, search: string, count: number, limit: number, offset: number) {
  const linkTo = (start: number) => {
    const query = new URLSearchParams(search);
    query.set("limit", String(limit));
    query.set("offset", String(start));
    return `${url}?${query}`;
  };
  return {
    count,
    next: offset + limit < count ? linkTo(offset + limit) : null,
    previous: offset > 0 ? linkTo(Math.max(offset - limit, 0)) : null,
    results: [],
  };
}

function integerIn(text: string | null): number | undefined {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

function yesOrNo(text: string | null): boolean | undefined {
  return text === "yes" ? true : text === "no" ? false : undefined;
}

/** A date or an instant (ISO 8601) of the years 1970 to 9999; without a zone it is UTC. */
export function dateIn(text: string | null): Date | undefined {
  const [, day, time = "00:00", zone = "Z"] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i.exec(
      text ?? "",
    ) ?? [];
  if (day === undefined) return undefined;
  const offset = zone.length === 3 ? `${zone}:00` : zone.replace(/^(...)(\d\d)$/, "$1:$2");
  return parseInstant(`${day}T${time.length === 5 ? `${time}:00` : time}${offset.toUpperCase()}`);
}

/** A search of linkding, translated to our query syntax. */
export interface TranslatedQuery {
  /** Empty if nothing remains to search for in the index. */
  readonly text: string;
  /** Whether only unread bookmarks match. */
  readonly unread: boolean;
}

/** A quoted text, a parenthesis, or a word. */
const LEXEME = /"([^"]*)"?|'([^']*)'?|([()])|([^\s()]+)/gu;

/**
 * Translates a search (linkding's documentation, "Search"): words, quoted phrases, `#tag`, `and`, `or`, `not`,
 * parentheses, `!untagged`, `!unread`. It has no fields. A word also matches longer words that begin with it, since
 * linkding matches parts of words.
 */
export function translateQuery(q: string): TranslatedQuery {
  const parts: string[] = [];
  let unread = false;
  for (const [, double, single, parenthesis, word] of q.matchAll(LEXEME)) {
    const phrase = double ?? single;
    if (phrase !== undefined) parts.push(quoted(phrase));
    else if (parenthesis !== undefined) parts.push(parenthesis);
    else if (word === "!unread") unread = true;
    else if (word !== undefined) parts.push(wordOf(word));
  }
  return { text: parts.join(" "), unread };
}

function wordOf(word: string): string {
  const lower = word.toLowerCase();
  if (lower === "and" || lower === "or" || lower === "not") return lower.toUpperCase();
  if (lower === "!untagged") return "tag:none";
  if (/^#./u.test(word)) return `tag:=${word.slice(1)}`;
  if (/^https?:\/\/[^"\\]+$/i.test(word)) return word;
  return `${quoted(word)}*`;
}

/** Quoted text cannot contain a quotation mark and needs none, since it is not part of a word. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', " ").replaceAll("\\", " ")}"`;
}
