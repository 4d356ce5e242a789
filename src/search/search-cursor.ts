import { LIST_TIERS } from "./query/tiers.ts";
import type { SearchPosition, Sort } from "./search-position.ts";

/** A position in a list, with the order of that list. */
export interface SortedPosition extends SearchPosition {
  readonly sort: Sort;
}

/** Writes an opaque cursor for a position among the matches. It contains the database's epoch, like all cursors. */
export function writeSearchCursor(epoch: string, sort: Sort, { tier, key, id }: SearchPosition): string {
  return Buffer.from(JSON.stringify([epoch, SHORT[sort], tier, key, id])).toString("base64url");
}

/**
 * Reads the position in a cursor; undefined for text that {@link writeSearchCursor} did not write in this
 * epoch.
 */
export function readSearchCursor(epoch: string, cursor: string): SortedPosition | undefined {
  const fields = fieldsOf(cursor);
  if (!Array.isArray(fields) || fields.length !== 5) return undefined;
  const [of, short, tier, key, id] = fields as unknown[];
  const sort = SORT_OF[String(short)];
  const isKey = sort === "title" ? typeof key === "string" && isStorable(key) : isInstant(key);
  if (of !== epoch || sort === undefined || !isKey || !isId(id) || !isTier(tier)) return undefined;
  const position = { tier, key: key as string | number, id };
  // Accepts only the exact text: the decoder skips characters outside base64, and JSON has several spellings.
  return writeSearchCursor(epoch, sort, position) === cursor ? { sort, ...position } : undefined;
}

const SHORT: Readonly<Record<Sort, string>> = { relevance: "r", newest: "n", oldest: "o", title: "t" };
const SORT_OF: Readonly<Record<string, Sort | undefined>> = Object.fromEntries(
  Object.entries(SHORT).map(([sort, short]) => [short, sort as Sort]),
);

/** The years 1 to 9999, in milliseconds: the range of both engines. */
const EARLIEST = Date.parse("0001-01-01T00:00:00.000Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

function isInstant(key: unknown): boolean {
  return Number.isSafeInteger(key) && Number(key) >= EARLIEST && Number(key) <= LATEST;
}

function isTier(tier: unknown): tier is SearchPosition["tier"] {
  return LIST_TIERS.some((known) => known === tier);
}

function isId(id: unknown): id is number {
  return Number.isSafeInteger(id) && Number(id) >= 0;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

function fieldsOf(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return undefined;
  }
}
