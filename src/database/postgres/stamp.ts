import { type Sql, withoutResult } from "../database.ts";
import type { PostgresPool } from "./pool.ts";

/** Steps are at most this. */
const MAX_STEP = 1_000_000;

/**
 * Counts a commit, as the last statement of a transaction that has changed something: the row is locked until the commit,
 * and nothing is waited for while it is. The steps are random, so that a server that has lost its last commits in a
 * fail-over does not come by the same sums.
 */
export function countCommit(sql: Sql): void {
  const step = 1 + Math.floor(Math.random() * MAX_STEP);
  void withoutResult(sql)`
    insert into commits (slot, n) values (${sql.slot}, ${step})
    on conflict (slot) do update set n = commits.n + excluded.n`;
}

/** Whether a statement is that of {@link countCommit}. */
export function isCommitCount([text = ""]: TemplateStringsArray): boolean {
  return text.trimStart().startsWith("insert into commits");
}

/** The sum of all commits, which only grows. Any engine has it, since it is a row that every commit of the site changes. */
export async function sumOfCommits(pool: Pick<PostgresPool, "query">): Promise<string> {
  const query = pool.query<{ stamp: string | null }>`
    select cast(sum(n) as text) as stamp from commits`;
  const [row] = await query;
  return row?.stamp ?? "0";
}
