import type { Instant } from "../database/database.ts";
import type { Inspection } from "../database/inspection.ts";
import { checksByEngine } from "./checks-by-engine.ts";
import { type Finding, problemsOr } from "./finding.ts";

/** Older than any release of this program: an earlier time means an unset clock. */
const EARLIEST = Date.parse("2026-01-01T00:00:00Z");
const YEARS = 100 * 366 * 24 * 60 * 60 * 1000;

/** The tolerated difference between the clocks of several machines, in milliseconds. */
const SKEW_MAX = 5_000;

/** Checks the clock: in a plausible year, and that of the database server, too. A record that is ahead of it is noted. */
export async function checkClock(inspection: Inspection): Promise<Finding[]> {
  const newest = await newestRecord(inspection);
  const now = Date.now();
  const problems: string[] = [];
  if (now < EARLIEST || now > EARLIEST + YEARS)
    problems.push(`the time is ${iso(now)}, which is implausible`);
  const server = await checksByEngine[inspection.engine].serverTime(inspection);
  if (server !== undefined && Math.abs(server - now) > SKEW_MAX)
    problems.push(`the time is ${iso(now)}, but ${iso(server)} on the database server`);
  if (problems.length === 0 && newest !== undefined && newest.at > now + SKEW_MAX)
    return [
      {
        check: "clock",
        status: "note",
        detail: `the time is ${iso(now)}, but ${newest.table} has a record of ${iso(newest.at)}: the clock was ahead for a while, unless it is behind now. Nothing is lost; what was added then is listed first until that time`,
      },
    ];
  return problemsOr("clock", problems, `${iso(now)}, later than every record`);
}

interface Newest {
  readonly table: string;
  readonly at: number;
}

/** The latest date set by a server; imported dates may be up to a day ahead. */
async function newestRecord({ sql }: Inspection): Promise<Newest | undefined> {
  const rows = await sql<{ place: string; at: Instant | null }>`
    select 'bookmarks' as place, max(updated_at) as at from bookmarks
    union all select 'posts', max(updated_at) from posts
    union all select 'comments', max(created_at) from comments
    union all select 'accounts', max(updated_at) from accounts
    union all select 'tokens', max(created_at) from tokens
    union all select 'sessions', max(last_seen_at) from sessions
    union all select 'imports', max(created_at) from imports
    union all select 'idempotency_keys', max(created_at) from idempotency_keys`;
  return rows
    .flatMap(({ place, at }) => (at === null ? [] : [{ table: place, at: Number(new Date(at)) }]))
    .reduce<Newest | undefined>((newest, row) => (newest && newest.at > row.at ? newest : row), undefined);
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
