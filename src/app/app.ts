import { accountApi } from "../accounts/account-api.ts";
import { authenticator } from "../accounts/authenticator.ts";
import { ownAccountApi } from "../accounts/own-account/own-account-api.ts";
import { accessOf } from "../accounts/scope.ts";
import { siteApi } from "../accounts/site-api.ts";
import { tokenApi } from "../accounts/tokens/token-api.ts";
import { pageDetailsFetcher } from "../bookmarks/capture/fetch-page-details.ts";
import { indexedBookmarks } from "../bookmarks/search/indexed-bookmarks.ts";
import { siteIconKeeper } from "../bookmarks/site-icons/keep-site-icon.ts";
import type { Config } from "../config/config.ts";
import { configuredObjects } from "../config/configured-objects.ts";
import type { Database } from "../database/database.ts";
import { ResponseCache } from "../http/caching/response-cache.ts";
import { Clients } from "../http/client/client.ts";
import { Dispatcher, type Handler, type Surface } from "../http/dispatch.ts";
import type { Routes } from "../http/endpoint.ts";
import { Cors } from "../http/guards/cors.ts";
import { Hosts, isLoopback } from "../http/guards/hosts.ts";
import type { LoadShedder } from "../http/guards/load-shedding.ts";
import type { Observer } from "../http/responses/responder.ts";
import { healthApi } from "../http/service/health-api.ts";
import { socketPathOf } from "../http/unix-socket.ts";
import { linkblogApi } from "../linkblog/linkblog-api.ts";
import { Log } from "../log.ts";
import { storedSitePictures } from "../media/stored-site-pictures.ts";
import { publicInternet } from "../outbound/fetch-public.ts";
import { StrangerLimits } from "../posts/comments/stranger-limits.ts";
import { indexedPosts } from "../posts/indexed-posts.ts";
import { DuePosts } from "../routes/due-posts.ts";
import { routesOf } from "../routes/routes.ts";
import { Search, type SearchObserver } from "../search/search.ts";
import { UndoAccess } from "../undo/undo-access.ts";
import { undoApi } from "../undo/undo-api.ts";
import { Site } from "../web/site/site-store.ts";
import { bookmarksAccessOf, fixedSettings, rateLimits, sessionLimits } from "./configured-access.ts";
import { pagesAndProtocols } from "./pages-and-protocols.ts";
import { bookmarkServices, postServices } from "./services.ts";

/** The parts that an application is built from. */
export interface AppDependencies {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  /** Without it, no request is refused because of overload. */
  readonly load?: LoadShedder;
  readonly observers?: Observers | undefined;
  /** Without it, a requested background job waits until the runner next polls. */
  readonly wakeJobs?: (() => void) | undefined;
  /** The same for one that reads an uploaded file. */
  readonly wakeReadings?: (() => void) | undefined;
  /** Whether the server will stop soon. */
  readonly isLeaving?: (() => boolean) | undefined;
}

/** The observers of the application. */
export interface Observers {
  readonly requests: Observer;
  /** Called once with the cache of responses. */
  readonly responseCache: (cache: ResponseCache) => void;
  readonly searches: SearchObserver;
}

/** @returns a function from request to response that needs no socket */
export function createApp(dependencies: AppDependencies): Handler {
  const { config, database, log, load, observers } = dependencies;
  const { publicUrl } = config;
  const isSocket = socketPathOf(config.host) !== undefined;
  const dispatcher = new Dispatcher({
    ...createSurface(dependencies),
    clients: new Clients(config.trustedProxies, publicUrl, {
      trustsEveryPeer: isSocket,
      onUntrusted: (proxy) => log.warn(untrustedProxy(proxy)),
    }),
    stamps: database,
    storage: database,
    authenticator: authenticator(database, log, sessionLimits(config)),
    hosts: new Hosts({
      loopback: isSocket || isLoopback(config.host),
      publicHost: publicUrl && new URL(publicUrl).hostname,
      allowed: config.allowedHosts,
    }),
    cors: new Cors(config.corsOrigins),
    log,
    // Looking an address up costs some microseconds.
    logAddress: log.hasRequests ? config.logAddress : "off",
    bodyLimit: config.bodyLimit,
    limits: rateLimits(config),
    load,
    observe: observers?.requests,
  });
  return dispatcher.handle;
}

/** The contracts of everything that the application serves, by path. */
export function createRoutes(dependencies: Pick<AppDependencies, "config" | "database">): Routes {
  const log = new Log({ level: "silent", format: "json" });
  return createSurface({ ...dependencies, log }).routes;
}

function createSurface(dependencies: AppDependencies): Surface {
  const { config, database, log, observers, wakeJobs, wakeReadings, isLeaving } = dependencies;
  const hasBookmarks = config.services.includes("bookmarks");
  const hasPosts = config.services.includes("posts");
  const cache = new ResponseCache(database);
  observers?.responseCache(cache);
  const site = new Site(database);
  const sessions = { database, log, sessionLimits: sessionLimits(config) };
  const network = publicInternet(config.publicUrl);
  const readPage =
    config.fetchPages === "on" ? pageDetailsFetcher(network, siteIconKeeper(database, network)) : undefined;
  const onDamage = (error: unknown) => {
    log.error("The search index was damaged. It is being made again from the records.", error);
    wakeJobs?.();
  };
  const searching = { observe: observers?.searches, onDamage };
  const search = new Search(database, indexedBookmarks, searching);
  const postSearch = new Search(database, indexedPosts, searching);
  const { writeAccess: writingPosts } = accessOf("private", "posts");
  const strangers = new StrangerLimits(database.clock);
  const objects = configuredObjects(config);
  const undoAccess = new UndoAccess(
    hasBookmarks ? bookmarksAccessOf(config, site).writeAccess : undefined,
    hasPosts,
  );
  const services = {
    ...(hasBookmarks && bookmarkServices({ config, site, database, cache, search, readPage })),
    ...(hasPosts && postServices({ config, database, cache, site, search: postSearch, strangers, objects })),
    undo: undoApi({ database, access: undoAccess }),
    linkblog: hasBookmarks && hasPosts ? linkblogApi({ database, writeAccess: writingPosts }) : undefined,
    accounts: accountApi({ ...sessions, tokenTtl: config.tokenTtl }),
    tokens: tokenApi(database),
    ownAccount: ownAccountApi(sessions),
    siteSettings: siteApi({
      database,
      fixed: fixedSettings(config),
      pictures: storedSitePictures({ database, objects }),
    }),
    health: healthApi(database, isLeaving),
  };
  const { apis, ...surface } = pagesAndProtocols({
    ...{
      config,
      database,
      log,
      cache,
      site,
      sessions,
      search,
      postSearch,
      readPage,
      wakeJobs,
      wakeReadings,
      strangers,
      objects,
    },
    routes: () => routes,
  });
  const duePosts = hasPosts ? new DuePosts(database) : undefined;
  const routes = routesOf({ ...services, ...apis, duePosts });
  const unroutedPages = surface.unroutedPages?.map((page) => duePosts?.beforePage(page) ?? page);
  return { ...surface, unroutedPages, routes };
}

function untrustedProxy(proxy: string): string {
  return (
    `Requests from ${proxy} have X-Forwarded-For, which is not used, since TRUSTED_PROXIES does not name ${proxy}. ` +
    "All clients behind it count as one, so that one of them can use up the limits of all. If it is your proxy, set TRUSTED_PROXIES."
  );
}
