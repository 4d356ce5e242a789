import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { hasLiveMaker } from "../../accounts/keys.ts";
import { hashOfSecret } from "../../accounts/tokens/token.ts";
import type { Sql } from "../../database/database.ts";
import type { Rows } from "../../database/schema/rows.ts";

/** The lifetime of a code, in milliseconds (OAuth: ten minutes at most). */
const CODE_TTL = 5 * 60_000;
/** How long after its expiry the reuse of a code is still recognized, in milliseconds. */
const REMEMBERED = 24 * 60 * 60_000;

/** The grant of a person to a program. */
export interface Grant {
  readonly accountId: number;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  /** Separated by spaces. */
  readonly scopes: string;
  /** How many days the token is valid; null: until it is revoked. */
  readonly tokenDays: number | null;
}

type CodeRow = Omit<Rows["authorization_codes"], "code_key_sha256" | "created_at">;

/**
 * Creates a code for a grant.
 * @param name of the token, where it is not that of the program's host; the code carries it, and its hash vouches for it
 * @returns the code; only its hash is stored
 */
export async function createCode(sql: Sql, grant: Grant, now: Date, name?: string): Promise<string> {
  const random = randomBytes(32).toString("base64url");
  const code = name === undefined ? random : `${random}.${Buffer.from(name).toString("base64url")}`;
  const { accountId, clientId, redirectUri, challenge, scopes, tokenDays } = grant;
  await sql`
    insert into authorization_codes
      (code_key_sha256, account_id, client_id, redirect_uri, challenge, scopes, token_days, created_at, expires_at)
    values (${hashOfSecret(code)}, ${accountId}, ${clientId}, ${redirectUri}, ${challenge}, ${scopes}, ${tokenDays},
      ${now}, ${new Date(now.getTime() + CODE_TTL)})`;
  return code;
}

/** The name in a code that has been redeemed. */
export function nameInCode(code: string): string | undefined {
  const [, name] = code.split(".");
  return name === undefined ? undefined : Buffer.from(name, "base64url").toString();
}

/** The parameters with which a program exchanges a code. */
export interface Redemption {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
}

/**
 * Redeems a code: once, for the program that it was issued to, with its verifier. If a code is used again, one of
 * the callers has stolen it, so the token issued for it is revoked.
 *
 * @returns undefined when the code is invalid; the transaction must be committed all the same
 */
export async function redeemCode(
  sql: Sql,
  { code, clientId, redirectUri, verifier }: Redemption,
  now: Date,
): Promise<Grant | undefined> {
  const hash = hashOfSecret(code);
  const [row] = await sql<CodeRow>`
    select account_id, client_id, redirect_uri, challenge, scopes, token_days, expires_at, used_at, given_token_id
    from authorization_codes where code_key_sha256 = ${hash}`;
  if (row === undefined || row.client_id !== clientId || row.redirect_uri !== redirectUri) return undefined;
  if (!isVerifier(verifier, row.challenge)) return undefined;
  if (!(await hasLiveMaker(sql, row.account_id))) return undefined;
  if (new Date(row.expires_at) <= now && row.used_at === null) return undefined;
  const taken = await sql`
    update authorization_codes set used_at = ${now} where code_key_sha256 = ${hash} and used_at is null
    returning code_key_sha256`;
  if (taken.length === 0) {
    await revokeGiven(sql, hash);
    return undefined;
  }
  return {
    accountId: Number(row.account_id),
    clientId,
    redirectUri,
    challenge: row.challenge,
    scopes: row.scopes,
    tokenDays: row.token_days,
  };
}

/** Records the token issued for a code. */
export async function recordToken(sql: Sql, code: string, tokenId: number): Promise<void> {
  await sql`update authorization_codes set given_token_id = ${tokenId} where code_key_sha256 = ${hashOfSecret(code)}`;
}

/** Deletes at most `limit` codes that expired a day ago. @returns how many */
export async function purgeCodes(sql: Sql, now: Date, limit: number): Promise<number> {
  const forgotten = new Date(now.getTime() - REMEMBERED);
  const rows = await sql`
    delete from authorization_codes where code_key_sha256 in (
      select code_key_sha256 from authorization_codes where expires_at <= ${forgotten}
      order by expires_at limit ${limit}) returning code_key_sha256`;
  return rows.length;
}

async function revokeGiven(sql: Sql, hash: string): Promise<void> {
  await sql`
    delete from tokens where id in (
      select given_token_id from authorization_codes where code_key_sha256 = ${hash})`;
}

/** RFC 7636, section 4.6 */
function isVerifier(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  const computed = createHash("sha256").update(verifier).digest("base64url");
  return (
    computed.length === challenge.length && timingSafeEqual(Buffer.from(computed), Buffer.from(challenge))
  );
}
