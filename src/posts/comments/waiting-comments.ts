import { pages } from "../../batches.ts";
import { addChangeRows, continueChange, type StartedChange } from "../../changes/change-store.ts";
import type { Database, Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import { networkOf } from "../../http/client/address.ts";
import { lockPostsOf } from "../post-store.ts";
import { versionOf } from "../removal/remove-comments.ts";
import { countCommentChanges } from "./comment-store.ts";

/** Which of the waiting comments; all of them without any. */
export interface WaitingMatch {
  /** What the text or the author's name contains, in upper or lower case. */
  readonly contains?: string | undefined;
  /** An address of the network from which it came. */
  readonly sender?: string | undefined;
  /** The id of its post. */
  readonly post?: number | undefined;
}

/** How many comments are read, or rejected in one transaction, at once. */
const BATCH = 500;

/** The ids of the waiting comments that match, in batches, oldest first. */
async function* idsOfWaiting(sql: Sql, match: WaitingMatch): AsyncGenerator<number[]> {
  const { contains = "", sender, post } = match;
  const wanted = contains.toLowerCase();
  const bySender = sender === undefined ? fragment`` : fragment`and sender = ${networkOf(sender)}`;
  const byPost = post === undefined ? fragment`` : fragment`and post_id = ${post}`;
  const after = (last?: { id: number; author: string; text: string }) => sql<NonNullable<typeof last>>`
    select id, author, text from comments where status = 'waiting' and id > ${Number(last?.id ?? 0)} ${bySender} ${byPost}
    order by id limit ${BATCH}`;
  for await (const rows of pages(after)) {
    const found = rows.filter(({ author, text }) => `${author}\n${text}`.toLowerCase().includes(wanted));
    yield found.map(({ id }) => Number(id));
  }
}

/** The first of the waiting comments that match, and how many there are. */
export async function findWaiting(
  sql: Sql,
  match: WaitingMatch,
  limit: number,
): Promise<{ ids: number[]; count: number }> {
  const ids: number[] = [];
  let count = 0;
  for await (const batch of idsOfWaiting(sql, match)) {
    ids.push(...batch.slice(0, limit - ids.length));
    count += batch.length;
  }
  return { ids, count };
}

/** What became of a wave. */
export interface RejectedWave {
  readonly rejected: number;
  /** The key that undoes it; null when nothing was rejected. */
  readonly undo: string | null;
}

/**
 * Rejects the waiting comments that match, a batch in each transaction. It can be undone in one step, for 30 days, as far
 * as it went.
 */
export async function rejectWaiting(
  database: Database,
  match: WaitingMatch,
  accountId: number | undefined,
): Promise<RejectedWave> {
  const now = database.clock.now();
  // Without the sender, which is forgotten sooner.
  const { contains, post } = match;
  const description = { record: "comment", kind: "reject", details: { contains, post }, accountId } as const;
  let change: StartedChange | undefined;
  let rejected = 0;
  for await (const ids of idsOfWaiting(database.read, match)) {
    if (ids.length === 0) continue;
    const started = change;
    const result = await database.write(async (sql) => {
      const done = await rejectAll(sql, ids);
      if (done.length === 0) return { done, kept: started };
      const kept = await continueChange(sql, started, description, now);
      await addChangeRows(sql, kept.id, done.map(rejectedRow));
      return { done, kept };
    });
    change = result.kept;
    rejected += result.done.length;
  }
  return { rejected, undo: change?.key ?? null };
}

async function rejectAll(sql: Sql, ids: readonly number[]): Promise<number[]> {
  await lockPostsOf(sql, ids);
  const rows = await sql<{ id: number }>`
    update comments set status = 'rejected' where id in ${ids} and status = 'waiting' returning id`;
  if (rows.length > 0) await countCommentChanges(sql, rows.length);
  return rows.map(({ id }) => Number(id));
}

function rejectedRow(id: number) {
  const version = versionOf("rejected");
  return { record: "comment", id, outcome: "updated", version, before: { status: "waiting" } } as const;
}

/** How long the sender of a comment is kept, in milliseconds. */
const SENDER_KEPT = 30 * 24 * 60 * 60 * 1000;

/** Forgets the senders of older comments. @returns how many, `limit` at most */
export async function forgetSenders(sql: Sql, now: Date, limit: number): Promise<number> {
  const kept = new Date(now.getTime() - SENDER_KEPT);
  const rows = await sql`
    update comments set sender = null where id in (
      select id from comments where sender is not null and created_at <= ${kept} order by created_at limit ${limit})
    returning id`;
  if (rows.length > 0) await countCommentChanges(sql, rows.length);
  return rows.length;
}
