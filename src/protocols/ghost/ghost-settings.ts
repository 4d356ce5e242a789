import { ownIconUrl } from "../../web/site/site-pictures.ts";
import type { GhostContext } from "./ghost-context.ts";

/** `{"settings": {…}, "meta": {}}`: the site as Ghost's API describes one. */
export async function settingsJson({ site, origin }: GhostContext): Promise<string> {
  const { name, description, language, timeZone, links } = site;
  const own = ownIconUrl(site, "icon-512.png");
  const cover = site.cover === "" ? null : origin + site.cover;
  const settings = {
    title: name,
    description,
    logo: own === undefined ? null : origin + own,
    icon: origin + (own ?? "/icon.svg"),
    accent_color: null,
    cover_image: cover,
    facebook: null,
    twitter: null,
    lang: language,
    locale: language,
    timezone: timeZone,
    codeinjection_head: null,
    codeinjection_foot: null,
    navigation: links.map(({ text, url }) => ({ label: text, url: URL.parse(url, origin)?.href ?? url })),
    secondary_navigation: [],
    meta_title: null,
    meta_description: null,
    og_image: cover,
    og_title: null,
    og_description: null,
    twitter_image: null,
    twitter_title: null,
    twitter_description: null,
    members_support_address: null,
    members_enabled: false,
    allow_self_signup: false,
    members_invite_only: false,
    paid_members_enabled: false,
    comments_enabled: "all",
    url: `${origin}/`,
    version: "6.0",
  };
  return JSON.stringify({ settings, meta: {} });
}
