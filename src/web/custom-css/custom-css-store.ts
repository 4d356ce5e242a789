import { createHash } from "node:crypto";
import type { Sql } from "../../database/database.ts";
import { saveSite } from "../site/site-store.ts";

/** Replaces the owner's style sheet; an empty text removes it. */
export async function saveCustomCss(sql: Sql, css: string, now: Date): Promise<void> {
  const hash = css.trim() === "" ? "" : createHash("sha256").update(css).digest("base64url").slice(0, 12);
  await sql`delete from themes`;
  if (hash !== "") await sql`insert into themes (hash, css, created_at) values (${hash}, ${css}, ${now})`;
  await saveSite(sql, { themeHash: hash }, now);
}

/** The owner's style sheet; undefined when there is none. */
export async function readCustomCss(sql: Sql): Promise<{ hash: string; css: string } | undefined> {
  const [row] = await sql<{ hash: string; css: string }>`select hash, css from themes`;
  return row;
}
