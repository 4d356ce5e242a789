import { anyOf, type CountedChange, expiryBefore, readChanges } from "../changes/change-store.ts";
import type { Sql } from "../database/database.ts";
import { type Fragment, fragment } from "../database/fragment.ts";
import { beginOfDay } from "../posts/publication/site-days.ts";

const DAY = 24 * 60 * 60 * 1000;
/** Databases take no dates beyond the year 9999. */
const LAST_DAY = Date.UTC(9999, 11, 30);

/** What one token changed, and when. */
export interface Span {
  readonly tokenId: number;
  readonly from: Date;
  readonly before: Date;
}

/** What a token changed on a day of a time zone, which has 23 to 25 hours. @param day `YYYY-MM-DD` */
export function dayOf(tokenId: number, day: string, timeZone: string): Span {
  const begin = (utc: number) => beginOfDay(new Date(Math.min(Math.max(utc, 0), LAST_DAY)), timeZone);
  const utc = Date.parse(day);
  return { tokenId, from: begin(utc), before: begin(utc + DAY) };
}

/** All that can still be undone of what a token changed. */
export function lately(tokenId: number, now: Date): Span {
  return { tokenId, from: expiryBefore(now), before: new Date(now.getTime() + DAY) };
}

function isIn({ tokenId, from, before }: Span, now: Date) {
  return fragment`changes.token_id = ${tokenId} and changes.created_at >= ${from} and changes.created_at < ${before}
    and changes.created_at > ${expiryBefore(now)}`;
}

/** Changes by a token, newest first. @param of only these kinds of records, at least one @param after the id of the one before them */
export async function listChangesBy(
  sql: Sql,
  span: Span,
  now: Date,
  {
    of,
    after,
    limit,
  }: { readonly of: readonly string[]; readonly after?: number | undefined; readonly limit: number },
): Promise<CountedChange[]> {
  const older = after === undefined ? fragment`` : fragment`and changes.id < ${after}`;
  const ids = await idsOf(
    sql,
    fragment`${isIn(span, now)} and changes.record in ${anyOf(of)} ${older} order by changes.id desc limit ${limit}`,
  );
  return readChanges(sql, ids);
}

/** The ids of the changes by a token that can be undone, newest first. @param of only these kinds of records, at least one */
export function standingChangesBy(sql: Sql, span: Span, now: Date, of: readonly string[]): Promise<number[]> {
  return idsOf(
    sql,
    fragment`${isIn(span, now)} and changes.record in ${anyOf(of)} ${isStanding(true)} order by changes.id desc`,
  );
}

async function idsOf(sql: Sql, which: Fragment): Promise<number[]> {
  return (await sql<{ id: number }>`select id from changes where ${which}`).map(({ id }) => Number(id));
}

/** How many changes a token made, undone ones too unless only those that can be undone are wanted, of each kind of records. */
export async function countChangesBy(
  sql: Sql,
  span: Span,
  now: Date,
  { standing = false }: { readonly standing?: boolean } = {},
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ record: string; n: number }>`
    select record, count(*) as n from changes where ${isIn(span, now)} ${isStanding(standing)}
    group by record order by record`;
  return new Map(rows.map(({ record, n }) => [record, Number(n)]));
}

/** The name of a token that changed something, also when it has ended; undefined if none of this id did. */
export async function nameOfChanger(sql: Sql, id: number | bigint): Promise<string | undefined> {
  if (typeof id === "bigint") return undefined;
  const [change] = await sql<{ name: string | null }>`
    select token_name as name from changes where token_id = ${id} order by created_at desc limit 1`;
  return change && (change.name ?? "");
}

function isStanding(only: boolean) {
  return only ? fragment`and changes.undone_at is null` : fragment``;
}
