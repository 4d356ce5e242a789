import type { Database, Instant, Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { readSite } from "../../web/site/site-store.ts";
import { publishDueDraft } from "../writing/due-edit.ts";

/** The maximum number of posts published in one transaction. */
const BATCH = 100;

/** The pause after a failed write, in milliseconds. */
const RETRY_AFTER = 1_000;

/**
 * Publishes due posts. Every read and write of posts begins with this, so that a scheduled post is public on time
 * in every list and count of every process, without a timer: the first request after that moment publishes it.
 *
 * @returns when the next post is due, in milliseconds since 1970: until then, reads stay current
 */
export async function publishDuePosts(database: Database): Promise<number> {
  while (true) {
    const next = await nextDue(database.read);
    const now = database.clock.now().getTime();
    if (next > now) return next;
    try {
      await database.write((sql) => publishUntil(sql, new Date(now)));
    } catch (error) {
      // On a standby, a full disk or a read-only file system, public posts can still be read.
      if (!takesNoWrites(error)) throw error;
      return now + RETRY_AFTER;
    }
  }
}

const NO_WRITES: ReadonlySet<Refusal["reason"]> = new Set(["unavailable", "storage_full", "read_only"]);

function takesNoWrites(error: unknown): boolean {
  return error instanceof Refusal && NO_WRITES.has(error.reason);
}

async function nextDue(sql: Sql): Promise<number> {
  const [row] = await sql<{ publish_at: Instant | null }>`
    select min(publish_at) as publish_at from posts where publish_at is not null`;
  return row?.publish_at == null ? Number.POSITIVE_INFINITY : new Date(row.publish_at).getTime();
}

/** Concurrent processes may do the same: the second one finds nothing to do. */
async function publishUntil(sql: Sql, now: Date): Promise<void> {
  const due = await sql<{ id: number; publish_at: Instant }>`
    select id, publish_at from posts where publish_at <= ${now} order by id limit ${BATCH}`;
  const { timeZone } = await readSite(sql);
  for (const { id, publish_at } of due)
    await publishDueDraft(sql, Number(id), { dueAt: new Date(publish_at), now, timeZone });
}
