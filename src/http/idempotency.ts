import { createHash } from "node:crypto";
import type { Awaitable } from "../awaitable.ts";
import type { Database, Sql } from "../database/database.ts";
import { LockTimeout } from "../database/errors.ts";
import { invalid, Refusal } from "../errors.ts";
import type { Caller } from "./access.ts";
import type { ResponseData } from "./response-data.ts";

/** How long a response is stored for retries, in milliseconds. */
const STORED_FOR = 24 * 60 * 60 * 1000;

interface KeptResponse {
  readonly body_sha256: string;
  readonly status: number;
  readonly location: string | null;
  readonly body: string;
}

/** A request that came with a key. */
interface KeyedRequest {
  readonly caller: string;
  readonly path: string;
  readonly key: string;
  readonly bodySha256: string;
}

/** A request that may be a retry. Keys of different callers are independent. */
export interface IdempotentCall {
  readonly caller: Caller;
  readonly path: string;
  readonly rawBody: Uint8Array;
  /** From {@link idempotencyKeyOf}. */
  readonly idempotencyKey: string | undefined;
}

/**
 * The `Idempotency-Key` of a request.
 * @throws Refusal `malformed` for an invalid one
 */
export function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.headers.get("idempotency-key");
  if (key !== null && !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Refusal("malformed", "An Idempotency-Key must have 1 to 255 visible ASCII characters.");
  return key ?? undefined;
}

/**
 * Refuses a key where a response has a secret, which is not stored: the retry could not get it.
 * @throws Refusal `malformed`
 */
export function refuseIdempotencyKey(request: Request): void {
  if (request.headers.has("idempotency-key"))
    throw new Refusal(
      "malformed",
      "Idempotency-Key is not supported here: the response has a secret, which is not stored for a retry.",
    );
}

/**
 * Runs work that creates a record, once per `Idempotency-Key`: the response is stored in the same transaction, and a
 * retry gets it without running the work again. Without the header it is a plain write.
 *
 * @param work answers with 2xx, or throws
 * @throws Refusal `invalid` for a key that was used with another body, `conflict` for one whose first request is
 *   still in flight
 */
export function runOnce(
  database: Database,
  call: IdempotentCall,
  work: (sql: Sql) => Awaitable<ResponseData>,
): Promise<ResponseData> {
  const { idempotencyKey } = call;
  return idempotencyKey === undefined
    ? database.write(work)
    : runWithKey(database, call, idempotencyKey, work);
}

async function runWithKey(
  database: Database,
  call: IdempotentCall,
  key: string,
  work: (sql: Sql) => Awaitable<ResponseData>,
): Promise<ResponseData> {
  const request: KeyedRequest = {
    caller: call.caller.key,
    path: call.path,
    key,
    bodySha256: createHash("sha256").update(call.rawBody).digest("hex"),
  };
  const now = database.clock.now();
  const expired = new Date(now.getTime() - STORED_FOR);

  return database.write(async (sql) => {
    if (!(await claim(sql, request, now, expired))) return replay(await keptResponse(sql, request), request);
    const response = await work(sql);
    await keep(sql, request, response);
    return response;
  });
}

/**
 * Claims the key for this transaction; waits for another transaction that has claimed it, which may roll back.
 * @returns false when the key has a stored response
 */
async function claim(sql: Sql, request: KeyedRequest, now: Date, expired: Date): Promise<boolean> {
  const { caller, path, key, bodySha256 } = request;
  try {
    const rows = await sql`
      insert into idempotency_keys (caller, path, key, body_sha256, status, location, body, created_at)
      values (${caller}, ${path}, ${key}, ${bodySha256}, 0, null, '', ${now})
      on conflict (caller, path, key) do update
        set body_sha256 = excluded.body_sha256, created_at = excluded.created_at
        where idempotency_keys.created_at <= ${expired}
      returning key`;
    return rows.length > 0;
  } catch (error) {
    // While the whole table is locked, the state of this key is unknown.
    const inFlight = error instanceof LockTimeout && error.rowOf === "idempotency_keys";
    throw inFlight ? keyInFlight(error) : error;
  }
}

/** 409 for a key whose first request has not been answered yet. */
export function keyInFlight(cause?: unknown): Refusal {
  const detail = "The first request with this Idempotency-Key is still in progress.";
  return new Refusal("conflict", detail, { retryAfter: 1, cause });
}

async function keptResponse(sql: Sql, { caller, path, key }: KeyedRequest): Promise<KeptResponse> {
  const [kept] = await sql<KeptResponse>`
    select body_sha256, status, location, body from idempotency_keys
    where caller = ${caller} and path = ${path} and key = ${key}`;
  if (kept === undefined) throw new Error("a used idempotency key has no stored response");
  return kept;
}

async function keep(sql: Sql, { caller, path, key }: KeyedRequest, response: ResponseData): Promise<void> {
  await sql`
    update idempotency_keys
    set status = ${response.status}, location = ${response.location ?? null}, body = ${String(response.body)}
    where caller = ${caller} and path = ${path} and key = ${key}`;
}

function replay(kept: KeptResponse, { bodySha256 }: KeyedRequest): ResponseData {
  if (kept.body_sha256 !== bodySha256) {
    const detail = "This Idempotency-Key was used with a different body before.";
    throw invalid([{ parameter: "Idempotency-Key", code: "key_reused", detail }]);
  }
  return {
    status: kept.status,
    body: kept.body,
    ...(kept.location !== null && { location: kept.location }),
    headers: { "idempotency-replayed": "true" },
  };
}

/**
 * Deletes at most `limit` stored responses that have expired. The outer statement checks the age again, since a
 * selected row may have been claimed again meanwhile.
 *
 * @returns how many
 */
export async function purgeIdempotencyKeys(sql: Sql, now: Date, limit: number): Promise<number> {
  const expired = new Date(now.getTime() - STORED_FOR);
  const rows = await sql`
    delete from idempotency_keys where created_at <= ${expired} and (caller, path, key) in (
      select caller, path, key from idempotency_keys where created_at <= ${expired}
      order by created_at limit ${limit}) returning 1`;
  return rows.length;
}
