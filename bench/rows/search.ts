import type { Row } from "../row.ts";
import { pages } from "./search/first-page.ts";
import { indexing } from "./search/index-imported.ts";
import { HUNDRED_THOUSAND, type Searched } from "./search/searched.ts";

export const searchRows: readonly Row[] = [
  ...rowsOn({ engine: "SQLite", count: HUNDRED_THOUSAND, prefix: "search", group: "search" }),
  ...rowsOn({ engine: "PostgreSQL", count: HUNDRED_THOUSAND, prefix: "postgres-search", group: "search" }),
];

const MILLION = { count: 1_000_000, group: "search-million" } as const;

/** These rows take minutes to prepare: measured only on request. */
export const searchMillionRows: readonly Row[] = [
  pages({ ...MILLION, engine: "SQLite", prefix: "search-million" }),
  indexing({ ...MILLION, engine: "SQLite", prefix: "search-million" }),
  pages({ ...MILLION, engine: "PostgreSQL", prefix: "postgres-search-million" }),
];

function rowsOn(searched: Searched): Row[] {
  const rows = [indexing, pages];
  return rows.map((row) => row(searched));
}
