import type { Sql } from "../../database/database.ts";
import { holdKey } from "../../database/hold-key.ts";
import { invalid } from "../../errors.ts";
import { formatLinks } from "../../web/site/site-links.ts";
import { MENU_MAX } from "../../web/site/site-settings.ts";
import { readSite, saveSite } from "../../web/site/site-store.ts";
import { postUrl } from "../pages/site-links.ts";
import type { Post } from "../post.ts";
import { shownTitle } from "../shown-title.ts";

/** Whether the menu of the site leads to a post. */
export async function isInMenu(sql: Sql, post: Post): Promise<boolean> {
  const { links } = await readSite(sql);
  return links.some(({ url }) => url === postUrl(post));
}

/**
 * The menu after a post was published: it leads to the post if that is wanted, and follows one whose address has changed.
 *
 * @param before the post before it was published
 * @throws Refusal `invalid` at `/menu`
 */
export async function keepInMenu(
  sql: Sql,
  {
    post,
    before,
    wanted,
  }: { readonly post: Post; readonly before: Post | undefined; readonly wanted: boolean },
  now: Date,
): Promise<void> {
  const url = postUrl(post);
  const former = before?.published && postUrl(before) !== url ? postUrl(before) : undefined;
  if (!wanted && former === undefined) return;
  if (wanted && !post.published)
    throw refused("A scheduled post is not there yet. Add it to the menu when it is published.");
  await holdKey(sql, "settings");
  const { links: stored } = await readSite(sql);
  const moved = stored.map((link) => (link.url === former ? { ...link, url } : link));
  const isThere = moved.some((link) => link.url === url);
  const links = wanted && !isThere ? [...moved, { text: shownTitle(post.title), url }] : moved;
  if (formatLinks(links).length > MENU_MAX) throw refused("The menu has no room for one more.");
  await saveSite(sql, { links }, now);
}

function refused(detail: string) {
  return invalid([{ pointer: "/menu", code: "out_of_range", detail }]);
}
