import { parseWebUrl } from "../bookmarks/web-url.ts";
import type { Sql } from "../database/database.ts";
import { type Entry, findEntry } from "./library-store.ts";

/** The newest bookmark of a page. @param typed an address, perhaps none */
export async function findKept(sql: Sql, typed: string): Promise<Entry | undefined> {
  const parsed = parseWebUrl(typed);
  if (!("href" in parsed)) return undefined;
  const [row] = await sql<{ id: number }>`
    select id from bookmarks where url = ${parsed.href} order by created_at desc, id desc limit 1`;
  return row && findEntry(sql, Number(row.id));
}
