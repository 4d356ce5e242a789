import { randomBytes } from "node:crypto";
import { createKey, deleteKey, findKey, type Key, listKeys, renewKey } from "../../accounts/keys.ts";
import type { Sql } from "../../database/database.ts";
import type { Share } from "./share.ts";

/** A shared list, and the secret of its address, which is known only now. */
export interface SharedWithSecret {
  readonly share: Share;
  readonly secret: string;
}

/** Creates a shared list. @param wanted with the id of the token that shares it, unless a person does */
export async function createShare(
  sql: Sql,
  {
    query,
    title,
    withNotes,
    expiresAt,
    tokenId,
  }: Omit<Share, "id" | "createdAt" | "madeBy"> & { readonly tokenId?: number | undefined },
  accountId: number,
  now: Date,
): Promise<SharedWithSecret> {
  const secret = newAddressSecret();
  const wanted = { secret, name: title, target: query, withNotes, expiresAt, tokenId };
  return { share: toShare(await createKey(sql, "shared-list", accountId, wanted, now)), secret };
}

/** The list at a secret address; undefined when there is none, it has ended, or its maker may not read any more. */
export async function findSharedList(sql: Sql, secret: string, now: Date): Promise<Share | undefined> {
  const key = await findKey(sql, "shared-list", secret, now);
  return key && toShare(key);
}

/** The shared lists of an account that have not ended, the newest first. */
export async function listShares(sql: Sql, accountId: number, now: Date): Promise<Share[]> {
  return (await listKeys(sql, "shared-list", accountId, now)).map(toShare);
}

/** Gives a list of an account a new address instead of the old one. @returns undefined if there is no list */
export async function renewAddress(
  sql: Sql,
  id: number,
  now: Date,
  accountId: number,
): Promise<SharedWithSecret | undefined> {
  const secret = newAddressSecret();
  const key = await renewKey(sql, "shared-list", { id, accountId, secret }, now);
  return key && { share: toShare(key), secret };
}

/** Stops a shared list, only if it belongs to the account when one is given. @returns false when there is none */
export function deleteShare(sql: Sql, id: number | bigint, now: Date, accountId?: number): Promise<boolean> {
  return deleteKey(sql, "shared-list", id, now, accountId);
}

/** 22 random letters and digits, about 127 bits: messengers take a hyphen at its end for the end of the address. */
function newAddressSecret(): string {
  for (;;) {
    const secret = randomBytes(16).toString("base64url");
    if (/^[A-Za-z0-9]+$/.test(secret)) return secret;
  }
}

function toShare({ id, target, name, withNotes, madeBy, createdAt, expiresAt }: Key): Share {
  return { id, query: target, title: name, withNotes, madeBy: madeBy?.name ?? null, createdAt, expiresAt };
}
