import { type Awaitable, thenSync } from "../../awaitable.ts";
import { CachedRead } from "../../database/cached-read.ts";
import type { Database, Instant, Sql } from "../../database/database.ts";
import type { Stamps } from "../../database/request-stamp.ts";
import { Refusal } from "../../errors.ts";
import { readSite } from "../../web/site/site-store.ts";
import { publishDueDraft } from "../writing/publish-due-draft.ts";

/** The maximum number of posts published in one transaction. */
const BATCH = 100;

/** The pause after a failed write, in milliseconds. */
const RETRY_AFTER = 1_000;

/**
 * Publishes due posts. Every request that reads or writes posts begins with this, so that a scheduled post is public on time
 * in every list and count of every process, without a timer: the first request after that moment publishes it.
 */
export class ScheduledPosts {
  readonly #database: Database;
  /** When the next post is due, in milliseconds since 1970; read again only after a commit. */
  readonly #next: CachedRead<number>;
  #publishing: Promise<boolean> | undefined;
  /** After a failed write. */
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(database: Database) {
    this.#database = database;
    this.#next = new CachedRead(database, nextDue);
  }

  /** @returns whether it has written, so that the stamp of the request is out of date */
  publishDue(stamps: Stamps): Awaitable<boolean> {
    return thenSync(this.#next.current(stamps), (next) => {
      const now = this.#database.clock.now().getTime();
      if (next > now || now < this.#notBefore) return false;
      // Requests that come meanwhile wait for the same.
      this.#publishing ??= this.#publish(next).finally(() => {
        this.#publishing = undefined;
      });
      return this.#publishing;
    });
  }

  async #publish(first: number): Promise<boolean> {
    const { clock, read } = this.#database;
    for (let next = first; next <= clock.now().getTime(); next = await nextDue(read)) {
      try {
        await this.#database.write((sql) => publishUntil(sql, clock.now()));
      } catch (error) {
        // On a standby, a full disk or a read-only file system, public posts can still be read.
        if (!takesNoWrites(error)) throw error;
        this.#notBefore = clock.now().getTime() + RETRY_AFTER;
        return false;
      }
    }
    return true;
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
    select id, publish_at from posts where publish_at <= ${now} order by publish_at, id limit ${BATCH}`;
  const { timeZone } = await readSite(sql);
  for (const { id, publish_at } of due)
    await publishDueDraft(sql, Number(id), { dueAt: new Date(publish_at), now, timeZone });
}
