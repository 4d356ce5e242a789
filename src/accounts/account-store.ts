import type { Sql } from "../database/database.ts";
import { fragment } from "../database/fragment.ts";
import type { Rows } from "../database/schema/rows.ts";
import { saveSite } from "../web/site/site-store.ts";
import { type Account, usernameKey } from "./account.ts";
import { endSessions } from "./sign-in/session-store.ts";

type AccountRow = Omit<Rows["accounts"], "username_key" | "updated_at">;

const COLUMNS = fragment`id, username, display_name, password_hash, created_at, disabled_at`;

/** @param username in any case */
export async function findAccountByName(sql: Sql, username: string): Promise<Account | undefined> {
  const [row] = await sql<AccountRow>`
    select ${COLUMNS} from accounts
    where username_key = ${usernameKey(username)}`;
  return row && fromRow(row);
}

export async function findAccount(sql: Sql, id: number): Promise<Account | undefined> {
  const [row] = await sql<AccountRow>`
    select ${COLUMNS} from accounts where id = ${id}`;
  return row && fromRow(row);
}

/** Whether there is any account. */
export async function hasAccounts(sql: Sql): Promise<boolean> {
  const rows = await sql`select id from accounts limit 1`;
  return rows.length > 0;
}

/** All accounts, by name. */
export async function listAccounts(sql: Sql): Promise<Account[]> {
  const rows = await sql<AccountRow>`
    select ${COLUMNS} from accounts order by username_key`;
  return rows.map(fromRow);
}

/**
 * Also records that there was one: from then on, the bookmarks are private until it is chosen who may see them.
 *
 * @returns undefined if the name is taken, in any case
 */
export async function insertAccount(
  sql: Sql,
  username: string,
  passwordHash: string,
  now: Date,
): Promise<Account | undefined> {
  const [row] = await sql<AccountRow>`
    insert into accounts (username, username_key, password_hash, created_at, updated_at)
    values (${username}, ${usernameKey(username)}, ${passwordHash}, ${now}, ${now})
    on conflict (username_key) do nothing
    returning ${COLUMNS}`;
  if (row !== undefined) await saveSite(sql, { hadAccount: true }, now);
  return row && fromRow(row);
}

/** Sets the displayed name. @param name null: the sign-in name */
export async function setDisplayName(sql: Sql, id: number, name: string | null, now: Date): Promise<void> {
  await sql`update accounts set display_name = ${name}, updated_at = ${now} where id = ${id}`;
}

/** Stores another hash of the same password, unless the password has changed since `read`; sessions continue. */
export async function renewHash(sql: Sql, read: Account, passwordHash: string): Promise<void> {
  await sql`
    update accounts set password_hash = ${passwordHash}
    where id = ${read.id} and password_hash = ${read.passwordHash}`;
}

/** As its owner, stores the hash of a new password; false if the password has changed since `read`. */
export async function replacePassword(
  sql: Sql,
  read: Account,
  passwordHash: string,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    update accounts set password_hash = ${passwordHash}, updated_at = ${now}
    where id = ${read.id} and password_hash = ${read.passwordHash} returning id`;
  return rows.length > 0;
}

/** As an operator, replaces the password and ends every session of the account; its tokens stay. */
export async function resetPassword(sql: Sql, id: number, passwordHash: string, now: Date): Promise<void> {
  await sql`update accounts set password_hash = ${passwordHash}, updated_at = ${now} where id = ${id}`;
  await endSessions(sql, id);
}

/** Disables or enables an account. Disabling ends its sessions; its keys are suspended. */
export async function setDisabled(sql: Sql, id: number, disabled: boolean, now: Date): Promise<void> {
  await sql`update accounts set disabled_at = ${disabled ? now : null}, updated_at = ${now} where id = ${id}`;
  if (disabled) await endSessions(sql, id);
}

/** Whether nobody else could sign in without this account. */
export async function isOnlyAccount(sql: Sql, id: number): Promise<boolean> {
  const others = await sql`select id from accounts where id <> ${id} and disabled_at is null limit 1`;
  return others.length === 0;
}

/** Whether there is no other account, not even a disabled one: without it, a new first account can be made. */
export async function isLastAccount(sql: Sql, id: number): Promise<boolean> {
  return (await sql`select id from accounts where id <> ${id} limit 1`).length === 0;
}

/** Whether an account may go without which nobody can sign in: no; if it is the last one of all; yes. */
export type EvenOnly = "never" | "last" | "always";

/**
 * Deletes an account with its keys and sessions; its bookmarks and posts stay.
 *
 * @returns false if nobody could sign in without it, and it stays
 */
export async function removeAccount(
  sql: Sql,
  id: number,
  now: Date,
  evenOnly: EvenOnly = "never",
): Promise<boolean> {
  // The removal of an account locks this row first: of two accounts that go at once, the second is the only one.
  await saveSite(sql, { hadAccount: true }, now);
  const mayGo = evenOnly === "always" || (evenOnly === "last" && (await isLastAccount(sql, id)));
  if (!mayGo && (await isOnlyAccount(sql, id))) return false;
  await sql`delete from accounts where id = ${id}`;
  return true;
}

function fromRow(row: AccountRow): Account {
  return {
    id: Number(row.id),
    username: row.username,
    displayName: row.display_name ?? row.username,
    passwordHash: row.password_hash,
    createdAt: new Date(row.created_at),
    disabled: row.disabled_at !== null,
  };
}
