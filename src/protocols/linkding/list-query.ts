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

/** A date or an instant (ISO 8601); without a zone it is UTC. */
function dateIn(text: string | null): Date | undefined {
  if (text === null || !/^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/.test(text)) return undefined;
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/.test(text.slice(10));
  const date = new Date(text.length > 10 && !hasZone ? `${text}Z` : text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
