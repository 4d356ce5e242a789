import { createHash } from "node:crypto";
import type { Awaitable, Database, Sql } from "../database/database.ts";
import { invalid, Refusal } from "../errors.ts";
import type { Caller } from "./access.ts";
import type { Answer } from "./answer.ts";

/** How long an answer is kept for a client that tries again, in milliseconds. */
const KEPT_FOR = 24 * 60 * 60 * 1000;

/** How many answers that are past their time a new one takes away with it. */
const PURGED_AT_ONCE = 2;

interface KeptAnswer {
  readonly body_sha256: string;
  readonly status: number;
  readonly location: string | null;
  readonly body: string;
}

/** The request that may be a repetition. Keys of different callers have nothing to do with each other. */
export interface Repeatable {
  readonly caller: Caller;
  readonly path: string;
  readonly rawBody: Uint8Array;
  /** From {@link idempotencyKeyOf}. */
  readonly idempotencyKey: string | undefined;
}

/**
 * The `Idempotency-Key` of a request.
 * @throws Refusal `malformed` for one that is none
 */
export function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.headers.get("idempotency-key");
  if (key !== null && !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Refusal("malformed", "An Idempotency-Key has 1 to 255 visible ASCII characters.");
  return key ?? undefined;
}

/**
 * Does a piece of work that creates a record, once: under an `Idempotency-Key` the answer is kept in the
 * same transaction, and a repetition gets it again without the work being done. Without the header it is
 * a plain write.
 *
 * @throws Refusal `invalid` for a key that came with another body before
 */
export async function once(
  database: Database,
  call: Repeatable,
  work: (sql: Sql) => Awaitable<Answer>,
): Promise<Answer> {
  const key = call.idempotencyKey;
  if (key === undefined) return database.write(work);
  const bodySha256 = createHash("sha256").update(call.rawBody).digest("hex");
  const now = new Date();
  const expired = new Date(now.getTime() - KEPT_FOR);

  return database.write(async (sql) => {
    const [kept] = await sql<KeptAnswer>`
      select body_sha256, status, location, body from idempotency_keys
      where caller = ${call.caller.key} and path = ${call.path} and key = ${key} and created_at > ${expired}`;
    if (kept !== undefined) return replay(kept, bodySha256);
    const answer = await work(sql);
    if (answer.status < 300) {
      await sql`
        insert into idempotency_keys (caller, path, key, body_sha256, status, location, body, created_at)
        values (${call.caller.key}, ${call.path}, ${key}, ${bodySha256}, ${answer.status}, ${answer.location ?? null},
          ${String(answer.body)}, ${now})
        on conflict (caller, path, key) do update set
          body_sha256 = excluded.body_sha256, status = excluded.status, location = excluded.location,
          body = excluded.body, created_at = excluded.created_at`;
      await purge(sql, expired);
    }
    return answer;
  });
}

function replay(kept: KeptAnswer, bodySha256: string): Answer {
  if (kept.body_sha256 !== bodySha256) {
    const detail = "This Idempotency-Key came with another body before.";
    throw invalid([{ parameter: "Idempotency-Key", code: "key_reused", detail }]);
  }
  return {
    status: kept.status,
    body: kept.body,
    ...(kept.location !== null && { location: kept.location }),
    headers: { "idempotency-replayed": "true" },
  };
}

/** Each new answer takes some old ones away, so that they neither pile up nor need a task of their own. */
async function purge(sql: Sql, expired: Date): Promise<void> {
  await sql`
    delete from idempotency_keys where (caller, path, key) in (
      select caller, path, key from idempotency_keys where created_at <= ${expired}
      order by created_at limit ${PURGED_AT_ONCE})`;
}
