import { accountApi } from "./accounts/account-api.ts";
import { authenticator } from "./accounts/authenticator.ts";
import { ownAccountApi } from "./accounts/own-account/own-account-api.ts";
import { accessOf } from "./accounts/scope.ts";
import { tokenApi } from "./accounts/tokens/token-api.ts";
import { pageDetailsFetcher } from "./bookmarks/capture/fetch-page-details.ts";
import { indexedBookmarks } from "./bookmarks/search/indexed-bookmarks.ts";
import type { Config } from "./config.ts";
import {
  bookmarksAccessOf,
  commentPolicyOf,
  isOpenLibrary,
  rateLimits,
  sessionLimits,
} from "./configured-access.ts";
import type { Database } from "./database/database.ts";
import { ResponseCache } from "./http/caching/response-cache.ts";
import { Clients } from "./http/client/client.ts";
import { Dispatcher, type Handler, type MadePage, type Observer } from "./http/dispatch.ts";
import { StreamBudget } from "./http/encoding/stream-budget.ts";
import type { Routes } from "./http/endpoint.ts";
import { Cors } from "./http/guards/cors.ts";
import { Hosts, isLoopback } from "./http/guards/hosts.ts";
import type { LoadShedder } from "./http/guards/load-shedding.ts";
import { docsApi } from "./http/openapi/docs-api.ts";
import { healthApi } from "./http/service/health-api.ts";
import { rootApi } from "./http/service/root-api.ts";
import { libraryPages } from "./library/library-pages.ts";
import { linkblogApi } from "./linkblog/linkblog-api.ts";
import { linkblogPages } from "./linkblog/linkblog-pages.ts";
import { Log } from "./log.ts";
import { citationFinder } from "./posts/citations.ts";
import { countComments } from "./posts/comments/comment-store.ts";
import { imageSizeFinder } from "./posts/editing/shown-media.ts";
import { indexedPosts } from "./posts/indexed-posts.ts";
import { blogPages } from "./posts/pages/blog-pages.ts";
import { publicBasis } from "./posts/public-basis.ts";
import { RenderedPosts } from "./posts/rendering/rendered-posts.ts";
import { Renderer } from "./posts/rendering/renderer.ts";
import { fetchRedirectUris } from "./protocols/indieauth/client-url.ts";
import { indieAuth } from "./protocols/indieauth/indieauth.ts";
import { routesOf } from "./routes.ts";
import { Indexer } from "./search/index/indexer.ts";
import { Search, type SearchObserver } from "./search/search.ts";
import { bookmarkServices, postServices } from "./services.ts";
import { sitePages } from "./site-pages.ts";
import { blogImportPages } from "./transfer/pages/blog-import-pages.ts";
import { Pages } from "./web/page.tsx";
import { Site } from "./web/site/site.ts";

/** What an application is built of. */
export interface Parts {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  /** Without it no request is refused for there being too many. */
  readonly load?: LoadShedder;
  readonly observers?: Observers | undefined;
  /** Without it the index follows when somebody searches, and not before. */
  readonly indexer?: Indexer | undefined;
  /** Without it a background job that is requested waits until the runner looks. */
  readonly wakeJobs?: (() => void) | undefined;
}

/** The observers of the application. */
export interface Observers {
  readonly requests: Observer;
  /** Called once with the cache of answers. */
  readonly responseCache: (cache: ResponseCache) => void;
  readonly searches: SearchObserver;
}

/** What keeps the search index behind the records of all services. */
export function createIndexer(database: Database, log: Log): Indexer {
  return new Indexer(database, [indexedBookmarks, indexedPosts], log);
}

/** The whole application: a function from request to response that needs no socket. */
export function createApp({ config, database, log, load, observers, indexer, wakeJobs }: Parts): Handler {
  const { publicUrl } = config;
  const streams = new StreamBudget(config.streamBuffer);
  const { routes, pages, madePages } = createSurface({
    ...{ config, database, log, observers, indexer, streams, wakeJobs },
  });
  return new Dispatcher({
    routes,
    notFoundPage: pages?.notFound,
    madePages,
    clients: new Clients(config.trustedProxies, publicUrl),
    stamps: database,
    authenticator: authenticator(database, log, sessionLimits(config)),
    hosts: new Hosts({
      loopback: isLoopback(config.host),
      publicHost: publicUrl && new URL(publicUrl).hostname,
      allowed: config.allowedHosts,
    }),
    cors: new Cors(config.corsOrigins),
    log,
    streams,
    bodyLimit: config.bodyLimit,
    limits: rateLimits(config),
    load,
    observe: observers?.requests,
  }).handle;
}

/**
 * Everything that the application serves, by path.
 * @param log of sign-ins; without it for a look at the contracts alone
 */
export function createRoutes({
  log = new Log({ level: "silent", format: "json" }),
  ...parts
}: Omit<Parts, "log"> & Partial<Pick<Parts, "log">>): Routes {
  return createSurface({ ...parts, log, streams: new StreamBudget(parts.config.streamBuffer) }).routes;
}

interface Surface {
  readonly routes: Routes;
  readonly pages?: Pages;
  readonly madePages?: readonly MadePage[] | undefined;
}

/** The routes, and what makes pages where there are any. */
function createSurface(parts: Parts & { readonly streams: StreamBudget }): Surface {
  const { config, database, log, observers, streams, wakeJobs } = parts;
  const { indexer = createIndexer(database, log) } = parts;
  const hasBookmarks = config.services.includes("bookmarks");
  const hasPosts = config.services.includes("posts");
  const hasWeb = config.web === "on";
  const cache = new ResponseCache(database, streams);
  observers?.responseCache(cache);
  const site = new Site(database);
  const sessions = { database, log, sessionLimits: sessionLimits(config) };
  const readPage = config.fetchPages === "on" ? pageDetailsFetcher() : undefined;
  const search = new Search(database, indexer, indexedBookmarks, observers?.searches);
  const postSearch = new Search(database, indexer, indexedPosts, observers?.searches);
  const hasOpenLibrary = () => isOpenLibrary(config, site);
  const basis = publicBasis(database, site);
  const pages = new Pages({
    site,
    cache,
    hasPage: (path) => routes[path]?.GET !== undefined,
    openLibrary: hasOpenLibrary,
    publicBasis: basis,
    waitingComments: () => countComments(database.read, "waiting"),
  });
  const renderer = new Renderer((error) => log.error("Rendering a post failed.", error));
  const rendered = new RenderedPosts(renderer, imageSizeFinder(database));
  const { writing: writingPosts } = accessOf("private", "posts");
  const blog = hasPosts
    ? blogPages({
        pages,
        database,
        cache,
        publicBasis: basis,
        rendered,
        reading: accessOf(config.postsAccess, "posts").reading,
        writing: writingPosts,
        mediaLimit: config.mediaLimit,
        perPost: config.commentsPerPost,
        search: postSearch,
        commenting: commentPolicyOf(config, site),
        discovery: config.micropub === "on" ? DISCOVERY : [],
      })
    : undefined;
  const library = () =>
    libraryPages({
      pages,
      database,
      search,
      ...bookmarksAccessOf(config, site),
      readPage,
      wakeJobs,
      findPostsLinkingTo: blog && citationFinder(database, postSearch),
    });
  const routes: Routes = routesOf({
    ...(hasBookmarks && bookmarkServices({ config, site, database, cache, search, readPage })),
    ...(hasPosts && postServices({ config, database, log, cache, site, search: postSearch, rendered })),
    linkblog: hasBookmarks && hasPosts ? linkblogApi({ database, writing: writingPosts }) : undefined,
    indieAuth:
      hasPosts && hasWeb && config.micropub === "on"
        ? indieAuth({
            pages,
            database,
            fetchClient: config.fetchPages === "on" ? fetchRedirectUris : undefined,
          })
        : undefined,
    accounts: accountApi({ ...sessions, tokenTtl: config.tokenTtl }),
    tokens: tokenApi(database),
    ownAccount: ownAccountApi(sessions),
    root: rootApi(() => routes),
    docs: docsApi(() => routes, config.publicUrl),
    health: healthApi(database),
    web: hasWeb
      ? {
          ...sitePages({ config, sessions, pages, hasOpenLibrary, blogFront: blog?.reading.front }),
          blog,
          blogImport: blog && blogImportPages({ pages, database, wakeJobs }),
          library: hasBookmarks ? library() : undefined,
          linkblog:
            hasBookmarks && hasPosts
              ? linkblogPages({ pages, database, search, writing: writingPosts })
              : undefined,
        }
      : undefined,
  });
  return { routes, ...(hasWeb && { pages, madePages: blog?.reading.madePages }) };
}

/** Where the programs of Micropub find what they need. */
const DISCOVERY = [
  { rel: "micropub", path: "/micropub" },
  { rel: "indieauth-metadata", path: "/.well-known/oauth-authorization-server" },
  // For programs from before there was metadata.
  { rel: "authorization_endpoint", path: "/indieauth/authorize" },
  { rel: "token_endpoint", path: "/indieauth/token" },
] as const;
