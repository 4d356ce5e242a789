import type { CheckContentKey } from "../../accounts/content-keys/content-key.ts";
import type { Database } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import type { Access } from "../../http/access.ts";
import { entityTag } from "../../http/caching/etags.ts";
import type { ResponseCache } from "../../http/caching/response-cache.ts";
import type { ResponseData, StreamedResponseData } from "../../http/response-data.ts";
import { collectionVersion } from "../../posts/post-counters.ts";
import { RENDERER_VERSION } from "../../posts/rendering/rendered-post.ts";
import type { RenderedPosts } from "../../posts/rendering/rendered-posts.ts";
import type { Site } from "../../web/site/site.ts";
import { listGhostAuthors } from "./ghost-authors.ts";
import type { GhostContext } from "./ghost-context.ts";
import { parseGhostQuery, queryWithoutKey } from "./ghost-query.ts";
import { settingsJson } from "./ghost-settings.ts";
import { CONTENT_VERSION, type GhostCall, ghostOperation, ghostRedirect } from "./operation.ts";
import { postJson, postListJson } from "./post-responses.ts";
import { authorJson, authorListJson, tagJson, tagListJson, tierListJson } from "./record-responses.ts";

export interface GhostDependencies {
  readonly database: Database;
  readonly cache: ResponseCache;
  readonly site: Site;
  readonly rendered: RenderedPosts;
  /** Who may read posts. */
  readonly readAccess: Access;
  readonly checkKey: CheckContentKey;
}

/** Writes the body of a response, in chunks if it is long. @throws Refusal before the first chunk */
type Write = (context: GhostContext) => Promise<AsyncGenerator<string> | string>;

/** Ghost's Content API: published posts for websites, with a content key (docs/other-clients.md). */
export function ghostApi(dependencies: GhostDependencies) {
  const operation = (write: Write) => ghostOperation((call) => answer(dependencies, call, write));
  return {
    posts: operation((context) => postListJson(context, "posts")),
    post: operation((context) => postJson(context, "posts")),
    pages: operation((context) => postListJson(context, "pages")),
    page: operation((context) => postJson(context, "pages")),
    tags: operation(tagListJson),
    tag: operation(tagJson),
    authors: operation(authorListJson),
    author: operation(authorJson),
    settings: operation(settingsJson),
    tiers: operation(tierListJson),
    earlier: ghostRedirect(),
  };
}

/** A response from the cache, whose entries do not depend on the key. */
async function answer(
  { database, cache, site, rendered, readAccess, checkKey }: GhostDependencies,
  { request, client, moment, path, search, params }: GhostCall,
  write: Write,
): Promise<ResponseData | StreamedResponseData> {
  await authorize(search, checkKey);
  const query = parseGhostQuery(search);
  const { origin } = client;
  const caching = readAccess.anonymous ? "public" : "private";
  return cache.answer(request, `ghost ${origin} ${path}?${queryWithoutKey(search)}`, {
    moment,
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
      "Send a Content API key as the parameter key. You can create one on the Keys page.",
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
