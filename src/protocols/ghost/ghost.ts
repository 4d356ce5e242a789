import type { CheckContentKey } from "../../accounts/content-keys/content-key.ts";
import { Refusal } from "../../errors.ts";
import { entityTag } from "../../http/caching/etags.ts";
import type { Routes } from "../../http/endpoint.ts";
import type { ResponseData, StreamedResponseData } from "../../http/response-data.ts";
import type { BlogParts } from "../../posts/blog-parts.ts";
import { collectionVersion } from "../../posts/post-counters.ts";
import { RENDERER_VERSION } from "../../posts/rendering/rendered-post.ts";
import { ownIconUrl } from "../../web/site/site-pictures.ts";
import type { Site } from "../../web/site/site-store.ts";
import { listGhostAuthors } from "./ghost-authors.ts";
import type { GhostContext } from "./ghost-context.ts";
import { parseGhostQuery, queryWithoutKey } from "./ghost-query.ts";
import { CONTENT_VERSION, type GhostCall, ghostOperation, ghostRedirect, params } from "./operation.ts";
import { postJson, postListJson } from "./post-responses.ts";
import { authorJson, authorListJson, tagJson, tagListJson, tierListJson } from "./record-responses.ts";

interface GhostDependencies extends BlogParts {
  readonly site: Site;
  readonly checkKey: CheckContentKey;
}

/** Writes the body of a response, in chunks if it is long. @throws Refusal before the first chunk */
type Write = (context: GhostContext) => Promise<AsyncGenerator<string> | string>;

/** Ghost's Content API: published posts for websites, with a content key (docs/other-clients.md). */
export function ghostApi(dependencies: GhostDependencies): Routes {
  const operation = (write: Write) => ghostOperation({ params }, (call) => answer(dependencies, call, write));
  const post = operation((context) => postJson(context, "posts"));
  const page = operation((context) => postJson(context, "pages"));
  const tag = operation(tagJson);
  const author = operation(authorJson);
  return {
    "/ghost/api/content/posts/": { GET: operation((context) => postListJson(context, "posts")) },
    "/ghost/api/content/posts/{id}/": { GET: post },
    "/ghost/api/content/posts/slug/{slug}/": { GET: post },
    "/ghost/api/content/pages/": { GET: operation((context) => postListJson(context, "pages")) },
    "/ghost/api/content/pages/{id}/": { GET: page },
    "/ghost/api/content/pages/slug/{slug}/": { GET: page },
    "/ghost/api/content/tags/": { GET: operation(tagListJson) },
    "/ghost/api/content/tags/{id}/": { GET: tag },
    "/ghost/api/content/tags/slug/{slug}/": { GET: tag },
    "/ghost/api/content/authors/": { GET: operation(authorListJson) },
    "/ghost/api/content/authors/{id}/": { GET: author },
    "/ghost/api/content/authors/slug/{slug}/": { GET: author },
    "/ghost/api/content/settings/": { GET: operation(settingsJson) },
    "/ghost/api/content/tiers/": { GET: operation(tierListJson) },
    "/ghost/api/{version}/content/{rest...}/": { GET: ghostRedirect() },
  };
}

/** A response from the cache, whose entries do not depend on the key. */
async function answer(
  { database, cache, site, rendered, readAccess, checkKey }: GhostDependencies,
  call: GhostCall,
  write: Write,
): Promise<ResponseData | StreamedResponseData> {
  const { client, path, search, params } = call;
  await authorize(search, checkKey);
  const query = parseGhostQuery(search);
  const { origin } = client;
  const caching = readAccess.anonymous ? "public" : "private";
  return cache.answer(call, `ghost ${origin} ${path}?${queryWithoutKey(search)}`, {
    caching,
    async version(read) {
      const settings = await site.settings();
      const version = await collectionVersion(read, "posts");
      // Deleting or renaming an account changes the list of authors, though no post.
      const accounts = await read<{
        id: number;
      }>`select id, username, display_name from accounts order by id`;
      const authors = () => listGhostAuthors(read, settings);
      const context = { read, rendered, site: settings, authors, origin, query, params };
      const etag = entityTag(
        database.epoch,
        version,
        digestOf([RENDERER_VERSION, settings, accounts, origin]),
      );
      return { etag, context };
    },
    async body({ context }) {
      return { text: inPieces(await write(context)), headers: CONTENT_VERSION };
    },
  });
}

/** Like Ghost: 403 without a key, 401 for an unknown one. */
async function authorize(search: string, checkKey: CheckContentKey): Promise<void> {
  const key = new URLSearchParams(search).get("key");
  if (key === null || key === "")
    throw new Refusal(
      "forbidden",
      "Send a Content API key as the parameter key. You can create one on the page Tokens.",
    );
  if (!(await checkKey(key))) throw new Refusal("unauthenticated", "Unknown Content API Key");
}

async function* inPieces(text: AsyncGenerator<string> | string): AsyncGenerator<string> {
  if (typeof text === "string") yield text;
  else yield* text;
}

function digestOf(content: unknown): string {
  const hash = new Bun.CryptoHasher("sha256").update(JSON.stringify(content));
  return hash.digest("base64url").slice(0, 16);
}

/** `{"settings": {…}, "meta": {}}`: the site as Ghost's API describes one. */
async function settingsJson({ site, origin }: GhostContext): Promise<string> {
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
    // A text in Ghost's API, where clients read it without looking. Nobody writes to it, since there are no members.
    members_support_address: `noreply@${new URL(origin).hostname}`,
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
