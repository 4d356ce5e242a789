/** What a check has found: all well, something worth knowing, or something that is wrong. */
export interface Finding {
  readonly check: CheckName;
  readonly status: "ok" | "note" | "problem" | "repaired";
  /** A sentence or a clause for people. */
  readonly detail: string;
}

/** The checks, in the order in which they are made. */
export const CHECKS = [
  "settings",
  "files",
  "schema",
  "integrity",
  "references",
  "records",
  "ids",
  "counters",
  "clock",
] as const;
export type CheckName = (typeof CHECKS)[number];

/** The problems that a check has found, or that all is well. */
export function problemsOr(check: CheckName, problems: readonly string[], well: string): Finding[] {
  if (problems.length === 0) return [{ check, status: "ok", detail: well }];
  return problems.map((detail) => ({ check, status: "problem", detail }));
}
