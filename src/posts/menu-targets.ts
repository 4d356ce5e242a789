import type { Sql } from "../database/database.ts";
import type { SiteLink } from "../web/site/site-settings.ts";
import { postUrl, tagUrl } from "./pages/site-links.ts";
import { listTagCounts } from "./site-posts.ts";

/** How many pages, and how many tags, are offered: the tags with the most posts. */
const OFFERED_MAX = 200;

/** What a menu can lead to on this site: its static pages by title, and its tags. */
export async function menuTargets(sql: Sql): Promise<SiteLink[]> {
  const pages = await sql<{ id: number; title: string; slug: string | null }>`
    select id, title, slug from posts where published is true and kind = 'page' order by title, id limit ${OFFERED_MAX}`;
  const tags = (await listTagCounts(sql)).toSorted((a, b) => b.count - a.count).slice(0, OFFERED_MAX);
  return [
    ...pages.map(({ title, ...page }) => ({ text: title, url: postUrl({ ...page, kind: "page" }) })),
    ...tags.map(({ name }) => ({ text: `#${name}`, url: tagUrl(name) })),
  ];
}
