import type { Database } from "../../database/database.ts";
import { acceptIcon, type Icon } from "../../media/accept-icon.ts";
import { FetchError, fetchPublic, type Network } from "../../outbound/fetch-public.ts";
import { urlParts } from "../../search/text/urls.ts";
import type { IconLink } from "../capture/html-head.ts";
import { siteIconReadAt, storeSiteIcon } from "./site-icon-store.ts";

const LIMITS = {
  timeout: 5_000,
  maxBytes: 256 * 1024,
  accept: "image/png,image/webp,image/x-icon,image/*;q=0.5",
};
/** An icon that is older is read again, together with a page of its site. */
const RENEWED_AFTER = 30 * 24 * 60 * 60 * 1000;
/** How many of the icons that a page names are tried. */
const NAMED_TRIED = 2;

/** A page that was read for its title. */
export interface ReadPage {
  /** The address that was asked for. */
  readonly asked: string;
  /** Where it led. */
  readonly url: URL;
  readonly icons: readonly IconLink[];
  /** The addresses of the pictures that it names for itself, the better one first. */
  readonly pictures: readonly string[];
}

/** Keeps the icon of the site of a page that was read. */
export type KeepSiteIcon = (page: ReadPage) => Promise<void>;

/**
 * Keeps icons of sites, which lists show before titles. A page that leads to another site says nothing of the one that was
 * asked for: its icon would stand before the name of the first.
 */
export function siteIconKeeper(database: Database, network: Network): KeepSiteIcon {
  const beingRead = new Set<string>();
  return async ({ asked, url, icons }) => {
    const { host } = urlParts(url.href);
    if (host === "" || host !== urlParts(asked).host || beingRead.has(host)) return;
    beingRead.add(host);
    try {
      const now = database.clock.now();
      const readAt = await siteIconReadAt(database.read, host);
      if (readAt !== undefined && now.getTime() - readAt.getTime() < RENEWED_AFTER) return;
      const icon = await fetchIcon(url, icons, network);
      if (icon !== undefined) await database.write((sql) => storeSiteIcon(sql, host, icon, now));
    } finally {
      beingRead.delete(host);
    }
  };
}

async function fetchIcon(page: URL, icons: readonly IconLink[], network: Network): Promise<Icon | undefined> {
  const named = bestFirst(icons).flatMap(({ href }) => URL.parse(href, page.href) ?? []);
  for (const url of [...named.slice(0, NAMED_TRIED), new URL("/favicon.ico", page)]) {
    const icon = await acceptFrom(url, network);
    if (icon !== undefined) return icon;
  }
  return undefined;
}

/** What is there decides, whatever its name or its type says. */
async function acceptFrom(url: URL, network: Network): Promise<Icon | undefined> {
  try {
    const { status, bytes } = await fetchPublic(url, LIMITS, network);
    return status === 200 && bytes.length < LIMITS.maxBytes ? await acceptIcon(bytes) : undefined;
  } catch (error) {
    if (error instanceof FetchError) return undefined;
    throw error;
  }
}

/** The icons that are drawn for about 32 pixels first; SVG is not read. */
function bestFirst(icons: readonly IconLink[]): IconLink[] {
  const distance = ({ size }: IconLink) => (size >= 32 ? size - 32 : 1_000 - size);
  return icons
    .filter(({ href, type }) => !/svg/i.test(type) && !/\.svg(?:[?#]|$)/i.test(href))
    .toSorted((a, b) => distance(a) - distance(b));
}
