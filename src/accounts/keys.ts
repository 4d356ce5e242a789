import type { Sql } from "../database/database.ts";

/**
 * Whether the maker of a key may still do what the key lets others do: its account exists and is enabled. All accounts
 * are equal, so an enabled one has every right. Every reader of a key that works without signing in (a feed, a preview, a
 * website's key, a code of IndieAuth) asks this each time.
 */
export async function hasLiveMaker(sql: Sql, accountId: number): Promise<boolean> {
  return (await sql`select 1 from accounts where id = ${accountId} and disabled_at is null`).length > 0;
}

/** How many keys an account has: tokens, keys of websites, secret feeds, links to previews and shared lists. */
export async function countKeys(sql: Sql, accountId: number): Promise<number> {
  const [row] = await sql<{ n: number }>`
    select (select count(*) from tokens where account_id = ${accountId})
      + (select count(*) from content_keys where account_id = ${accountId})
      + (select count(*) from feed_keys where created_by = ${accountId})
      + (select count(*) from comment_feed_keys where created_by = ${accountId})
      + (select count(*) from previews where created_by = ${accountId})
      + (select count(*) from shares where created_by = ${accountId}) as n`;
  return Number(row?.n);
}

/** Ends all keys of an account, but for one token. */
export async function endKeys(sql: Sql, accountId: number, keptToken = 0): Promise<void> {
  await sql`delete from tokens where account_id = ${accountId} and id <> ${keptToken}`;
  await sql`delete from content_keys where account_id = ${accountId}`;
  await sql`delete from feed_keys where created_by = ${accountId}`;
  await sql`delete from comment_feed_keys where created_by = ${accountId}`;
  await sql`delete from previews where created_by = ${accountId}`;
  await sql`delete from shares where created_by = ${accountId}`;
}
