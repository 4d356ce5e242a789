import { createHash } from "node:crypto";
import type { Instant, Sql } from "../../database/database.ts";
import type { Icon } from "../../media/accept-icon.ts";
import { countWaiting } from "../../search/index/entries.ts";
import { indexedBookmarks } from "../search/indexed-bookmarks.ts";

/** How long an icon is kept without a bookmark of its site, in milliseconds: a page is read before it is saved. */
const GRACE = 24 * 60 * 60 * 1000;

/** Stores the icon of a site; an earlier one is replaced. */
export async function storeSiteIcon(
  sql: Sql,
  host: string,
  { large, small }: Icon,
  readAt: Date,
): Promise<void> {
  const hash = createHash("sha256").update(large).digest("base64url").slice(0, 10);
  await sql`
    insert into site_icons (host, hash, read_at, small, large) values (${host}, ${hash}, ${readAt}, ${small}, ${large})
    on conflict (host) do update set
      hash = excluded.hash, read_at = excluded.read_at, small = excluded.small, large = excluded.large`;
}

/** When the icon of a site was read; undefined when there is none. */
export async function siteIconReadAt(sql: Sql, host: string): Promise<Date | undefined> {
  const [row] = await sql<{ read_at: Instant }>`select read_at from site_icons where host = ${host}`;
  return row && new Date(row.read_at);
}

/** The bytes of an icon; undefined when the site has none, or another by now. */
export async function findSiteIcon(
  sql: Sql,
  { host, hash, size }: { readonly host: string; readonly hash: string; readonly size: "small" | "large" },
): Promise<Uint8Array | undefined> {
  const [row] = await sql<Icon>`select small, large from site_icons where host = ${host} and hash = ${hash}`;
  return row?.[size];
}

/**
 * Deletes at most `limit` icons of sites that have no bookmark any more; none while the search index, which counts the
 * bookmarks of sites, is being made. @returns how many
 */
export async function purgeSiteIcons(sql: Sql, now: Date, limit: number): Promise<number> {
  if ((await countWaiting(sql, indexedBookmarks)) > 0) return 0;
  const rows = await sql`
    delete from site_icons where host in (
      select host from site_icons i where read_at <= ${new Date(now.getTime() - GRACE)} and not exists (
        select 1 from search_bookmarks_sites s where s.host = i.host group by s.host having sum(s.records) > 0)
      limit ${limit})
    returning host`;
  return rows.length;
}
