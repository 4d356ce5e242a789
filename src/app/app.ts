import { accountApi } from "../accounts/account-api.ts";
import { authenticator } from "../accounts/authenticator.ts";
import { ownAccountApi } from "../accounts/own-account/own-account-api.ts";
import { accessOf } from "../accounts/scope.ts";
import { tokenApi } from "../accounts/tokens/token-api.ts";
import { pageDetailsFetcher } from "../bookmarks/capture/fetch-page-details.ts";
import { indexedBookmarks } from "../bookmarks/search/indexed-bookmarks.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import { ResponseCache } from "../http/caching/response-cache.ts";
import { Clients } from "../http/client/client.ts";
import { Dispatcher, type Handler, type Surface } from "../http/dispatch.ts";
import { StreamBudget } from "../http/encoding/stream-budget.ts";
import type { Routes } from "../http/endpoint.ts";
import { Cors } from "../http/guards/cors.ts";
import { Hosts, isLoopback } from "../http/guards/hosts.ts";
import type { LoadShedder } from "../http/guards/load-shedding.ts";
import type { Observer } from "../http/responses/responder.ts";
import { healthApi } from "../http/service/health-api.ts";
import { createIndexer } from "../indexer.ts";
import { linkblogApi } from "../linkblog/linkblog-api.ts";
import { Log } from "../log.ts";
import { indexedPosts } from "../posts/indexed-posts.ts";
import { routesOf } from "../routes/routes.ts";
import type { Indexer } from "../search/index/indexer.ts";
import { Search, type SearchObserver } from "../search/search.ts";
import { Site } from "../web/site/site.ts";
import { rateLimits, sessionLimits } from "./configured-access.ts";
import { bookmarkServices, postServices } from "./services.ts";

/** The parts that an application is built from. */
export interface AppDependencies {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  /** Without it, no request is refused because of overload. */
  readonly load?: LoadShedder;
  readonly observers?: Observers | undefined;
  /** Without it, the index is updated only when a search needs it. */
  readonly indexer?: Indexer | undefined;
  /** Without it, a requested background job waits until the runner next polls. */
  readonly wakeJobs?: (() => void) | undefined;
}

/** The observers of the application. */
export interface Observers {
  readonly requests: Observer;
  /** Called once with the cache of responses. */
  readonly responseCache: (cache: ResponseCache) => void;
  readonly searches: SearchObserver;
}

/** An application: a function from request to response that needs no socket. */
export interface App {
  readonly handle: Handler;
  /** Loads what is not needed for the first responses. A request that needs it loads it as well. */
  readonly load: () => Promise<void>;
}

export function createApp({
  config,
  database,
  log,
  load,
  observers,
  indexer,
  wakeJobs,
}: AppDependencies): App {
  const { publicUrl } = config;
  const streams = new StreamBudget(config.streamBuffer);
  const { routes, loadWhole } = createSurface({
    ...{ config, database, log, observers, indexer, streams, wakeJobs },
  });
  const dispatcher = new Dispatcher({
    routes,
    loadWhole,
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
  });
  return { handle: dispatcher.handle, load: () => dispatcher.load() };
}

/** The contracts of everything that the application serves, by path. */
export async function createRoutes(
  dependencies: Pick<AppDependencies, "config" | "database">,
): Promise<Routes> {
  const { loadWhole } = surfaceForContracts(dependencies);
  return (await loadWhole()).routes;
}

/** The contracts of the routes that are served before everything is loaded. */
export function createFirstRoutes(dependencies: Pick<AppDependencies, "config" | "database">): Routes {
  return surfaceForContracts(dependencies).routes;
}

function surfaceForContracts(dependencies: Pick<AppDependencies, "config" | "database">): PartialSurface {
  const log = new Log({ level: "silent", format: "json" });
  return createSurface({ ...dependencies, log, streams: new StreamBudget(dependencies.config.streamBuffer) });
}

/** The routes of the services, which are available at once, and a function that loads the rest. */
interface PartialSurface {
  readonly routes: Routes;
  readonly loadWhole: () => Promise<Surface>;
}

function createSurface(dependencies: AppDependencies & { readonly streams: StreamBudget }): PartialSurface {
  const { config, database, log, observers, streams, wakeJobs } = dependencies;
  const { indexer = createIndexer(database, log) } = dependencies;
  const hasBookmarks = config.services.includes("bookmarks");
  const hasPosts = config.services.includes("posts");
  const cache = new ResponseCache(database, streams);
  observers?.responseCache(cache);
  const site = new Site(database);
  const sessions = { database, log, sessionLimits: sessionLimits(config) };
  const readPage = config.fetchPages === "on" ? pageDetailsFetcher() : undefined;
  const search = new Search(database, indexer, indexedBookmarks, observers?.searches);
  const postSearch = new Search(database, indexer, indexedPosts, observers?.searches);
  const { writeAccess: writingPosts } = accessOf("private", "posts");
  const services = {
    ...(hasBookmarks && bookmarkServices({ config, site, database, cache, search, readPage })),
    ...(hasPosts && postServices({ config, database, cache, site, search: postSearch })),
    linkblog: hasBookmarks && hasPosts ? linkblogApi({ database, writeAccess: writingPosts }) : undefined,
    accounts: accountApi({ ...sessions, tokenTtl: config.tokenTtl }),
    tokens: tokenApi(database),
    ownAccount: ownAccountApi(sessions),
    health: healthApi(database),
  };
  const loadWhole = async () => {
    for (const load of LATER) await load();
    const { pagesAndProtocols } = await import("./pages-and-protocols.ts");
    const { apis, ...surface } = pagesAndProtocols({
      ...{ config, database, log, cache, site, sessions, search, postSearch, readPage, wakeJobs },
      routes: () => routes,
    });
    const routes = routesOf({ ...services, ...apis });
    return { ...surface, routes };
  };
  return { routes: routesOf(services), loadWhole };
}

/** Modules of pages and protocols, in pieces: requests are answered between two of them. */
const LATER = [
  () => import("../posts/rendering/renderer.ts"),
  () => import("../web/page.tsx"),
  () => import("./site-pages.ts"),
  () => import("../posts/pages/blog-pages.ts"),
  () => import("../library/library-pages.ts"),
];
