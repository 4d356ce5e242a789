import { createHash } from "node:crypto";

// Whatever stands here must never make one page of two: the duplicates offer to merge, and programs that save by linkding's
// API change the bookmark of the page. When in doubt, two addresses are two pages.

/** Tracking parameters of campaigns and networks, which do not change a page anywhere. In lower case. */
const TRACKING = new Set([
  // Google, Microsoft, Meta, X, TikTok, LinkedIn, Pinterest, Snapchat, Yandex, Reddit.
  ...[
    "gclid",
    "gclsrc",
    "dclid",
    "gbraid",
    "wbraid",
    "gad_source",
    "gad_campaignid",
    "_ga",
    "_gl",
    "_gac",
    "srsltid",
  ],
  ...[
    "msclkid",
    "fbclid",
    "fb_action_ids",
    "fb_action_types",
    "mibextid",
    "igsh",
    "igshid",
    "twclid",
    "ref_src",
  ],
  ...["ref_url", "ttclid", "li_fat_id", "epik", "sccid", "yclid", "ysclid", "ymclid", "_openstat", "rdt_cid"],
  // Programs that measure visits and send mail.
  ...["pk_campaign", "pk_kwd", "pk_keyword", "pk_source", "pk_medium", "pk_content", "pk_cid", "pk_vid"],
  ...["piwik_campaign", "piwik_kwd", "piwik_keyword", "matomo_campaign", "matomo_kwd", "matomo_keyword"],
  ...[
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "_hsenc",
    "_hsmi",
    "__hssc",
    "__hstc",
    "__hsfp",
    "hsctatracking",
    "vero_id",
  ],
  ...[
    "vero_conv",
    "oly_anon_id",
    "oly_enc_id",
    "ml_subscriber",
    "ml_subscriber_hash",
    "rb_clickid",
    "__s",
    "_kx",
  ],
  ...[
    "guccounter",
    "guce_referrer",
    "guce_referrer_sig",
    "wickedid",
    "irclickid",
    "s_kwcid",
    "ef_id",
    "_branch_match_id",
  ],
]);
/** The beginnings of names that only such programs give. */
const TRACKING_NAMES = /^(?:utm_|mtm_|hsa_)/;

/** Parameters that track on some sites, and select contents on others. */
const TRACKING_AT: ReadonlyMap<string, readonly string[]> = new Map([
  ["youtube.com", ["si", "feature", "pp", "ab_channel"]],
  ["youtu.be", ["si", "feature"]],
  ["music.youtube.com", ["si", "feature"]],
  ["open.spotify.com", ["si"]],
  ["soundcloud.com", ["si"]],
  ["x.com", ["s", "t"]],
]);

/** Sites that show the same pages, at the same paths, also for phones at `m.`, or in another look. */
const SAME_AT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "m.youtube.com": "youtube.com",
    "m.facebook.com": "facebook.com",
    "m.imdb.com": "imdb.com",
    "m.soundcloud.com": "soundcloud.com",
    "m.twitch.tv": "twitch.tv",
    "m.vk.com": "vk.com",
    "m.xkcd.com": "xkcd.com",
    "m.reddit.com": "reddit.com",
    "new.reddit.com": "reddit.com",
    "np.reddit.com": "reddit.com",
    "old.reddit.com": "reddit.com",
    "mobile.x.com": "x.com",
    "mobile.twitter.com": "x.com",
    "twitter.com": "x.com",
  }),
);
/** Those of Wikimedia: `en.m.wikipedia.org`, `m.wikidata.org`. */
const WIKI =
  /^((?:[a-z0-9-]+\.)?)m\.((?:wikipedia|wiktionary|wikibooks|wikidata|wikimedia|wikinews|wikiquote|wikisource|wikiversity|wikivoyage|mediawiki)\.org)$/;

/** Where copies of pages for phones are. In the path, the address of the page follows, without its scheme. */
const AMP_COPIES: readonly (readonly [host: RegExp, path: RegExp])[] = [
  [/^google\.(?:com?\.)?[a-z]{2,3}$/, /^\/amp\/(?:s\/)?([^/][^/.]*\.[^/]+(?:\/.*)?)$/],
  [/\.cdn\.ampproject\.org$/, /^\/[cv]\/(?:s\/)?([^/][^/.]*\.[^/]+(?:\/.*)?)$/],
];
/** An article by its month or day and the words of its name: at `amp/` below it is nothing else than its copy. */
const ARTICLE =
  /^(?:\/[^/]+){0,3}\/(?:19|20)\d\d\/(?:0?[1-9]|1[0-2])\/(?:\d\d?\/)?[^/-]+-[^/]+(?=\/amp\/?$|\/?$)/;

/**
 * The key that URLs of the same page share. It ignores scheme, `www.`, a trailing slash, tracking parameters and the order
 * of other parameters, the escapes that a URL does not need, and the highlighted text of a fragment. It knows the other
 * addresses of some sites and of pages for phones. It keeps user info, port, the case of the path, doubled slashes, other
 * hosts, and the fragment, which may be a key or a page of an application. It is never shown and never replaces a stored
 * URL.
 *
 * @param href a URL as serialized by the WHATWG standard
 */
export function pageKey(href: string): string {
  const url = URL.parse(href);
  if (url === null) return href;
  const page = usualPage(url);
  const host = hostOf(page);
  const user = page.username === "" && page.password === "" ? "" : `${page.username}:${page.password}@`;
  const port = page.port === "" ? "" : `:${page.port}`;
  const [article] = ARTICLE.exec(page.pathname) ?? [];
  const path = unreserved(article ?? page.pathname).replace(/(?<!\/)\/$/, "");
  return `${user}${host}${port}${path}${queryOf(page, host, article !== undefined)}${fragmentOf(page)}`;
}

/**
 * In base64url characters: 66 bits. The probability of a collision among a million pages is one in a hundred
 * million.
 */
const HASH_LENGTH = 11;

/** A short hash of the key, of fixed length. The index stores and compares it. */
export function pageHash(href: string): string {
  return createHash("sha256").update(pageKey(href)).digest("base64url").slice(0, HASH_LENGTH);
}

/** Texts of which each URL of a page contains at least one; undefined for what is no URL. */
export function pageHosts(href: string): string[] | undefined {
  const url = URL.parse(href);
  if (url === null) return undefined;
  const host = hostOf(usualPage(url));
  if (host === "youtube.com") return ["youtube.com", "youtu.be", "youtube-nocookie.com"];
  if (host === "x.com") return ["x.com", "twitter.com"];
  // Those for phones have a label more.
  return [host.endsWith(".org") ? host.split(".").slice(-2).join(".") : host];
}

/** The address of a page in place of that of its copy for phones, or of a short one. */
function usualPage(url: URL): URL {
  const host = hostOf(url);
  const place = AMP_COPIES.find(([hosts]) => hosts.test(host));
  const [, copied] = place?.[1].exec(url.pathname) ?? [];
  const page = copied === undefined ? url : (URL.parse(`https://${copied}${url.search}${url.hash}`) ?? url);
  const video = videoOf(page);
  if (video === undefined) return page;
  return URL.parse(`https://youtube.com/watch?v=${video}&${page.search.slice(1)}${page.hash}`) ?? page;
}

/** The video of a short or other address of YouTube. */
function videoOf(url: URL): string | undefined {
  if (url.port !== "" || url.username !== "" || url.password !== "") return undefined;
  const host = hostOf(url);
  const [, short] = /^\/([\w-]{11})\/?$/.exec(url.pathname) ?? [];
  if (host === "youtu.be") return short;
  if (host !== "youtube.com" && host !== "youtube-nocookie.com") return undefined;
  const [, kind, video] = /^\/(shorts|live|embed|v)\/([\w-]{11})\/?$/.exec(url.pathname) ?? [];
  // `/embed/videoseries` is a list.
  return kind === "embed" && video === "videoseries" ? undefined : video;
}

/** The host in the key: without `www.` and a trailing dot, and that at which others show the same pages. */
function hostOf({ hostname }: URL): string {
  const host = hostname.replace(/^www\.(?=.)/, "").replace(/\.$/, "");
  return SAME_AT.get(host) ?? host.replace(WIKI, "$1$2");
}

function queryOf(url: URL, host: string, isArticle: boolean): string {
  if (url.search === "") return "";
  const here = TRACKING_AT.get(host);
  const isTracking = (pair: string) => {
    const name = nameOf(pair).toLowerCase();
    if (isArticle && /^amp(?:=(?:1|true)?)?$/i.test(pair)) return true;
    return TRACKING.has(name) || TRACKING_NAMES.test(name) || (here?.includes(name) ?? false);
  };
  const kept = url.search
    .slice(1)
    .split("&")
    // In forms, a blank is a plus sign.
    .map((pair) => unreserved(pair).replaceAll("+", "%20"))
    .filter((pair) => pair !== "" && !isTracking(pair));
  if (kept.length === 0) return "";
  // A stable sort by name only: the order of parameters with equal names can matter.
  const sorted = kept.toSorted((one, other) =>
    nameOf(one) < nameOf(other) ? -1 : nameOf(one) > nameOf(other) ? 1 : 0,
  );
  return `?${sorted.join("&")}`;
}

function nameOf(pair: string): string {
  return pair.split("=", 1)[0] ?? "";
}

/**
 * A fragment may be a key to the contents, or a page of an application. A text to highlight is no part of it, and an empty
 * one and `top` lead to the beginning of the document (HTML, section 7.4.6.4).
 */
function fragmentOf({ hash }: URL): string {
  const plain = hash.replace(/:~:.*$/s, "");
  return /^#(?:top)?$/i.test(plain) ? "" : unreserved(plain);
}

/** Decodes unnecessary percent-encodings, and writes the others in upper case (RFC 3986, section 6.2.2). */
function unreserved(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (escaped, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : escaped.toUpperCase();
  });
}
