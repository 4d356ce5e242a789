import { randomBytes } from "node:crypto";
import { hasLiveMaker } from "../../accounts/keys.ts";
import { hashOfSecret } from "../../accounts/tokens/token.ts";
import type { Instant, Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import type { Share } from "./share.ts";

interface ShareRow {
  readonly id: number;
  readonly query: string;
  readonly title: string;
  readonly with_notes: boolean | number;
  readonly created_at: Instant;
  readonly expires_at: Instant | null;
  readonly created_by: number;
}

const SELECT = fragment`select id, query, title, with_notes, created_at, expires_at, created_by from shares`;

/**
 * Creates a shared list.
 * @returns the list, and the secret of its address, which is stored as a hash
 */
export async function createShare(
  sql: Sql,
  share: Omit<Share, "id" | "createdAt">,
  accountId: number,
  now: Date,
): Promise<{ readonly share: Share; readonly secret: string }> {
  const secret = newAddressSecret();
  const { query, title, withNotes, expiresAt } = share;
  await sql`delete from shares where expires_at <= ${now}`;
  const [row] = await sql<{ id: number }>`
    insert into shares (key_sha256, query, title, with_notes, created_at, expires_at, created_by)
    values (${hashOfSecret(secret)}, ${query}, ${title}, ${withNotes}, ${now}, ${expiresAt}, ${accountId})
    returning id`;
  return { share: { ...share, id: Number(row?.id), createdAt: now }, secret };
}

/** The list at a secret address; undefined when there is none, it has ended, or its maker may not read any more. */
export async function findSharedList(sql: Sql, secret: string, now: Date): Promise<Share | undefined> {
  const [row] = await sql<ShareRow>`
    ${SELECT} where key_sha256 = ${hashOfSecret(secret)} and (expires_at is null or expires_at > ${now})`;
  return row && (await hasLiveMaker(sql, row.created_by)) ? fromRow(row) : undefined;
}

/** The shared lists of an account that have not ended, the newest first. */
export async function listShares(sql: Sql, accountId: number, now: Date): Promise<Share[]> {
  const rows = await sql<ShareRow>`
    ${SELECT} where created_by = ${accountId} and (expires_at is null or expires_at > ${now}) order by id desc`;
  return rows.map(fromRow);
}

/** Gives a list of an account a new address instead of the old one. @returns its secret; undefined when there is no list */
export async function renewAddress(
  sql: Sql,
  id: number,
  now: Date,
  accountId: number,
): Promise<{ readonly share: Share; readonly secret: string } | undefined> {
  const secret = newAddressSecret();
  const [row] = await sql<ShareRow>`
    update shares set key_sha256 = ${hashOfSecret(secret)}
    where id = ${id} and created_by = ${accountId} and (expires_at is null or expires_at > ${now})
    returning id, query, title, with_notes, created_at, expires_at, created_by`;
  return row && { share: fromRow(row), secret };
}

/**
 * Stops a shared list, only if it belongs to the account when one is given.
 * @param id may exceed the safe integers
 * @returns false when there is none
 */
export async function deleteShare(
  sql: Sql,
  id: number | bigint,
  now: Date,
  accountId?: number,
): Promise<boolean> {
  if (typeof id === "bigint") return false;
  const ofAccount = accountId === undefined ? fragment`` : fragment`and created_by = ${accountId}`;
  const rows = await sql`
    delete from shares
    where id = ${id} ${ofAccount} and (expires_at is null or expires_at > ${now}) returning id`;
  return rows.length > 0;
}

/** 22 random letters and digits, about 127 bits: messengers take a hyphen at its end for the end of the address. */
function newAddressSecret(): string {
  for (;;) {
    const secret = randomBytes(16).toString("base64url");
    if (/^[A-Za-z0-9]+$/.test(secret)) return secret;
  }
}

function fromRow({ id, query, title, with_notes, created_at, expires_at }: ShareRow): Share {
  return {
    id: Number(id),
    query,
    title,
    withNotes: Boolean(with_notes),
    createdAt: new Date(created_at),
    expiresAt: expires_at === null ? null : new Date(expires_at),
  };
}
