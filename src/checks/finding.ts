/** A result of a check. */
export interface Finding {
  readonly check: CheckName;
  readonly status: "ok" | "note" | "problem" | "repaired";
  /** A sentence or a clause for people. */
  readonly detail: string;
  /** What `check --repair` makes again, if it can; all records are whole then. */
  readonly repair?: Repair;
}

/** Indexes that are missing, indexes whose pages are damaged, the search index, or totals. */
export type Repair = "missing-indexes" | "damaged-indexes" | "search" | "counters";

/** The checks, in order. */
export const CHECKS = [
  "settings",
  "files",
  "schema",
  "integrity",
  "references",
  "records",
  "ids",
  "counters",
  "search",
  "clock",
  // Only with images beside the database.
  "media",
] as const;
export type CheckName = (typeof CHECKS)[number];

/** The problems of a check, or one finding that everything is in order. */
export function problemsOr(
  check: CheckName,
  problems: readonly string[],
  well: string,
  repair?: Repair,
): Finding[] {
  if (problems.length === 0) return [{ check, status: "ok", detail: well }];
  return problems.map((detail) => ({ check, status: "problem", detail, ...(repair && { repair }) }));
}
