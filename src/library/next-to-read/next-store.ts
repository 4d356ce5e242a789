import type { Sql } from "../../database/database.ts";
import { type Fragment, fragment } from "../../database/fragment.ts";
import { tagsOf } from "../../tags/description-tags.ts";
import { tagKey } from "../../tags/tag-name.ts";
import { displayHost } from "../entries/shown-text.ts";

/** How long *Not now* puts a link off, in milliseconds: a week, as `messages/en/library.ts` says. */
const PUT_OFF = 7 * 24 * 60 * 60 * 1_000;
/** Older links to be read are offered to be archived, all at once. */
const OLD = 365 * 24 * 60 * 60 * 1_000;
/** The third link is chosen from this many of the newest, by likeness to what was read lately. */
const POOL = 200;
/** However many wait, only this many of those added first, and of those added last, are considered. */
const ENDS = 500;
/** The number of links whose hosts and tags count as read lately. */
const LATELY = 10;
/** A longer description, in bytes, is not read for its tags. */
const LONG = 4_096;

/** How many links are to be read. */
export interface Waiting {
  readonly now: number;
  /** Put off until a later day. */
  readonly postponed: number;
  /** Of those now, saved more than a year ago. */
  readonly old: number;
}

interface Resembling {
  readonly id: number;
  readonly url: string;
  readonly description: string | null;
}

/** Links to be read that are not put off. */
function waits(now: Date): Fragment {
  return fragment`b.unread is true and b.archived is not true and (b.not_before is null or b.not_before <= ${now})`;
}

const DESCRIPTION = fragment`case when octet_length(b.description) <= ${LONG} then b.description end as description`;

/** The next three links to read: the newest, the oldest, and one of a host or tag of what was read lately. */
export async function nextThree(sql: Sql, now: Date): Promise<number[]> {
  const end = (order: Fragment) => fragment`
    select * from (select b.id from bookmarks b where ${waits(now)} order by b.id ${order} limit ${ENDS}) one_end`;
  const pool = fragment`bookmarks b where b.id in (${end(fragment`desc`)} union ${end(fragment`asc`)})`;
  const newest = await sql<Resembling>`
    select b.id, b.url, ${DESCRIPTION} from ${pool} order by b.created_at desc, b.id desc limit ${POOL}`;
  const oldest = await sql<{ id: number }>`
    select b.id from ${pool} order by b.created_at, b.id limit 1`;
  const read = await sql<Resembling>`
    select b.id, b.url, ${DESCRIPTION} from bookmarks b
    where b.unread is not true and b.states_updated_at is not null
    order by b.states_updated_at desc, b.id desc limit ${LATELY}`;
  const lately = new Set(read.flatMap(likenesses));
  const [first, ...others] = newest;
  const between = others.filter(({ id }) => Number(id) !== Number(oldest[0]?.id));
  const third = between.find((one) => likenesses(one).some((likeness) => lately.has(likeness))) ?? between[0];
  return [
    ...new Set([first, third, oldest[0]].flatMap((one) => (one === undefined ? [] : [Number(one.id)]))),
  ];
}

/** The host and the tags of a link. */
function likenesses({ url, description }: Resembling): string[] {
  return [`site:${displayHost(url)}`, ...tagsOf(description ?? "").map(tagKey)];
}

/** Which of these links still wait to be read. */
export async function stillWaiting(sql: Sql, ids: readonly number[], now: Date): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await sql<{ id: number }>`
    select b.id from bookmarks b where b.id in ${ids} and ${waits(now)}`;
  const waiting = new Set(rows.map(({ id }) => Number(id)));
  return ids.filter((id) => waiting.has(id));
}

export async function countWaitingLinks(sql: Sql, now: Date): Promise<Waiting> {
  const before = new Date(now.getTime() - OLD);
  const [row] = await sql<Record<keyof Waiting, number | null>>`
    select sum(case when ${waits(now)} then 1 else 0 end) as now,
      sum(case when ${waits(now)} then 0 else 1 end) as postponed,
      sum(case when ${waits(now)} and b.created_at < ${before} then 1 else 0 end) as old
    from bookmarks b where b.unread is true and b.archived is not true`;
  return { now: Number(row?.now ?? 0), postponed: Number(row?.postponed ?? 0), old: Number(row?.old ?? 0) };
}

/** The links to be read that were saved more than a year ago and are not put off. */
export async function listOld(sql: Sql, now: Date): Promise<number[]> {
  const rows = await sql<{ id: number }>`
    select b.id from bookmarks b
    where ${waits(now)} and b.created_at < ${new Date(now.getTime() - OLD)} order by b.id`;
  return rows.map(({ id }) => Number(id));
}

/** Puts a link off. @returns whether there is such a link to read */
export async function postpone(sql: Sql, id: number, now: Date): Promise<boolean> {
  const until = new Date(now.getTime() + PUT_OFF);
  const rows = await sql`
    update bookmarks set not_before = ${until} where id = ${id} and unread is true returning id`;
  return rows.length > 0;
}

/** Makes a link that was put off wait again. @returns whether it was put off */
export async function resume(sql: Sql, id: number): Promise<boolean> {
  const rows = await sql`
    update bookmarks set not_before = null where id = ${id} and not_before is not null returning id`;
  return rows.length > 0;
}
