import { NqlError, type NqlFilter, parseNql } from "./nql.ts";
import { badParameter } from "./operation.ts";

const LIMIT = 15;
/** The maximum page size, which `all` means too. */
const LIMIT_MAX = 100;
const PAGE_MAX = 1_000_000;

/** One part of an order, such as `published_at desc`. */
export interface OrderTerm {
  readonly field: string;
  readonly descending: boolean;
}

/** The parsed query. Unknown parameters and unknown names in lists are ignored. */
export interface GhostQuery {
  readonly page: number;
  readonly limit: number;
  /** Undefined: all members. */
  readonly fields: readonly string[] | undefined;
  readonly include: readonly string[];
  readonly formats: readonly string[] | undefined;
  readonly filter: NqlFilter | undefined;
  readonly order: readonly OrderTerm[];
}

/** @throws Refusal `malformed` for a value that cannot be honored */
export function parseGhostQuery(search: string): GhostQuery {
  const query = new URLSearchParams(search);
  return {
    page: pageIn(query.get("page")),
    limit: limitIn(query.get("limit")),
    fields: namesIn(query.get("fields")),
    include: namesIn(query.get("include")) ?? [],
    formats: namesIn(query.get("formats")),
    filter: filterIn(query.get("filter")),
    order: orderIn(query.get("order")),
  };
}

/** The query without the key: the part that determines the response. */
export function queryWithoutKey(search: string): string {
  const query = new URLSearchParams(search);
  query.delete("key");
  return query.toString();
}

/** The range of a page, and Ghost's pagination object. */
export function pagination({ page, limit }: Pick<GhostQuery, "page" | "limit">, total: number) {
  const pages = Math.max(1, Math.ceil(total / limit));
  return {
    pagination: {
      page,
      limit,
      pages,
      total,
      next: page < pages ? page + 1 : null,
      prev: page > 1 ? Math.min(page - 1, pages) : null,
    },
  };
}

function pageIn(text: string | null): number {
  if (text === null || text === "") return 1;
  const page = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (page < 1 || page > PAGE_MAX) throw badParameter("page", "A number from 1.");
  return page;
}

function limitIn(text: string | null): number {
  if (text === null || text === "") return LIMIT;
  if (text === "all") return LIMIT_MAX;
  const limit = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (limit < 1) throw badParameter("limit", 'A number from 1, or "all".');
  return Math.min(limit, LIMIT_MAX);
}

function namesIn(text: string | null): string[] | undefined {
  const names = (text ?? "").split(",").map((name) => name.trim());
  const given = names.filter((name) => name !== "");
  return given.length === 0 ? undefined : given;
}

function filterIn(text: string | null): NqlFilter | undefined {
  if (text?.includes("\0")) throw badParameter("filter", "U+0000 is not allowed.", text.indexOf("\0"));
  if (text === null || text.trim() === "") return undefined;
  try {
    return parseNql(text);
  } catch (error) {
    if (error instanceof NqlError) throw badParameter("filter", error.message, error.position);
    throw error;
  }
}

function orderIn(text: string | null): OrderTerm[] {
  return (namesIn(text) ?? []).slice(0, 10).map((part) => {
    const found = /^([a-z_.]+)(?:\s+(asc|desc))?$/i.exec(part);
    if (found?.[1] === undefined)
      throw badParameter("order", `"${part.slice(0, 50)}" is not a sort order such as published_at desc.`);
    return { field: found[1], descending: found[2]?.toLowerCase() === "desc" };
  });
}
