import { accountApi } from "./accounts/account-api.ts";
import { authenticator } from "./accounts/authenticator.ts";
import { contentKeyChecker } from "./accounts/content-keys/content-key-authenticator.ts";
import { accountPages } from "./accounts/own-account/account-pages.tsx";
import { ownAccountApi } from "./accounts/own-account/own-account-api.ts";
import { settingsPages } from "./accounts/own-account/settings-pages.tsx";
import { accessOf } from "./accounts/scope.ts";
import { currentChoice, type ServiceAccess, siteBookmarksAccess } from "./accounts/service-access.ts";
import type { SessionLimits } from "./accounts/sign-in/session.ts";
import { signInPages } from "./accounts/sign-in/sign-in-pages.tsx";
import type { SessionParts } from "./accounts/sign-in/start-session.ts";
import { keyPages } from "./accounts/tokens/key-pages.tsx";
import { ACCOUNT, tokenApi } from "./accounts/tokens/token-api.ts";
import { firstRunOrFrontPage } from "./accounts/welcome/first-run-or-front-page.tsx";
import { welcomePages } from "./accounts/welcome/welcome-pages.tsx";
import { type Awaitable, thenSync } from "./awaitable.ts";
import { type BookmarkApiParts, bookmarkApi } from "./bookmarks/bookmark-api.ts";
import { bulkApi } from "./bookmarks/bulk/bulk-api.ts";
import { captureApi } from "./bookmarks/capture/capture-api.ts";
import { pageDetailsFetcher } from "./bookmarks/capture/fetch-page-details.ts";
import { duplicatesApi } from "./bookmarks/duplicates/duplicates-api.ts";
import { mergeApi } from "./bookmarks/duplicates/merge-api.ts";
import { bookmarkSearchApi } from "./bookmarks/search/bookmark-search-api.ts";
import { indexedBookmarks } from "./bookmarks/search/indexed-bookmarks.ts";
import { tagApi } from "./bookmarks/tags/tag-api.ts";
import { undoApi } from "./bookmarks/undo/undo-api.ts";
import type { Config } from "./config.ts";
import type { Database } from "./database/database.ts";
import { ResponseCache } from "./http/caching/response-cache.ts";
import { Clients } from "./http/client/client.ts";
import { Dispatcher, type Handler, type MadePage, type Observer } from "./http/dispatch.ts";
import { StreamBudget } from "./http/encoding/stream-budget.ts";
import type { Page, Routes } from "./http/endpoint.ts";
import { Cors } from "./http/guards/cors.ts";
import { Hosts, isLoopback } from "./http/guards/hosts.ts";
import type { LoadShedder } from "./http/guards/load-shedding.ts";
import { RateLimits } from "./http/guards/rate-limits.ts";
import { docsApi } from "./http/openapi/docs-api.ts";
import { healthApi } from "./http/service/health-api.ts";
import { rootApi } from "./http/service/root-api.ts";
import { libraryPages } from "./library/library-pages.ts";
import { linkblogApi } from "./linkblog/linkblog-api.ts";
import { linkblogPages } from "./linkblog/linkblog-pages.ts";
import { Log } from "./log.ts";
import { mediaApi } from "./media/media-api.ts";
import { citationFinder } from "./posts/citations.ts";
import { type Commenting, chosenCommenting, commenting } from "./posts/comments/comment-access.ts";
import { commentApi } from "./posts/comments/comment-api.ts";
import { countComments } from "./posts/comments/comment-store.ts";
import { editApi } from "./posts/editing/edit-api.ts";
import { findShownMedia, findSizes } from "./posts/editing/shown-media.ts";
import { versionApi } from "./posts/editing/version-api.ts";
import { indexedPosts } from "./posts/indexed-posts.ts";
import { blogPages } from "./posts/pages/blog-pages.ts";
import { postApi } from "./posts/post-api.ts";
import { publicBasis } from "./posts/public-basis.ts";
import { publicationApi } from "./posts/publication/publication-api.ts";
import { RenderedPosts } from "./posts/rendering/rendered-posts.ts";
import { Renderer } from "./posts/rendering/renderer.ts";
import { ghostApi } from "./protocols/ghost/ghost.ts";
import { fetchPublished } from "./protocols/indieauth/client-url.ts";
import { indieAuth } from "./protocols/indieauth/indieauth.ts";
import { linkdingApi } from "./protocols/linkding/linkding.ts";
import { micropubApi } from "./protocols/micropub/micropub.ts";
import { routesOf, type WebPages } from "./routes.ts";
import { Indexer } from "./search/index/indexer.ts";
import { Search, type SearchObserver } from "./search/search.ts";
import { Pages } from "./web/page.tsx";
import { Site } from "./web/site/site.ts";
import { siteFilePages } from "./web/site/site-file-pages.ts";
import { themePages } from "./web/theme/theme-pages.tsx";

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
  const {
    config,
    database,
    log,
    observers,
    streams,
    indexer = createIndexer(database, log),
    wakeJobs,
  } = parts;
  const { services, publicUrl, tokenTtl } = config;
  const cache = new ResponseCache(database, streams);
  observers?.responseCache(cache);
  const site = new Site(database);
  const bookmarksAccess = bookmarksAccessOf(config, site);
  const sessions = { database, log, sessionLimits: sessionLimits(config) };
  const readPage = config.fetchPages === "on" ? pageDetailsFetcher() : undefined;
  const search = new Search(database, indexer, indexedBookmarks, observers?.searches);
  const postSearch = new Search(database, indexer, indexedPosts, observers?.searches);
  const hasOpenLibrary = () => services.includes("bookmarks") && isOpenLibrary(config, site);
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
  const rendered = new RenderedPosts(renderer, findSizes(database));
  const blog = services.includes("posts")
    ? blogPages({
        pages,
        database,
        cache,
        publicBasis: basis,
        rendered,
        reading: accessOf(config.postsAccess, "posts").reading,
        writing: accessOf("private", "posts").writing,
        mediaLimit: config.mediaLimit,
        perPost: config.commentsPerPost,
        search: postSearch,
        commenting: commentingOf(config, site),
        discovery: config.micropub === "on" ? DISCOVERY : [],
      })
    : undefined;
  const routes: Routes = routesOf({
    ...(services.includes("bookmarks") && bookmarkServices({ database, cache, search, ...bookmarksAccess })),
    capture:
      services.includes("bookmarks") && readPage
        ? captureApi({
            access: accessOf("private", "bookmarks").writing,
            cors: new Cors(config.corsOrigins),
            readPage,
          })
        : undefined,
    linkding:
      services.includes("bookmarks") && config.linkdingApi === "on"
        ? linkdingApi({ database, search, ...accessOf("private", "bookmarks"), readPage })
        : undefined,
    ghost:
      services.includes("posts") && config.ghostApi === "on"
        ? ghostApi({
            database,
            cache,
            site,
            rendered,
            reading: accessOf(config.postsAccess, "posts").reading,
            checkKey: contentKeyChecker(database, log),
          })
        : undefined,
    micropub:
      services.includes("posts") && config.micropub === "on"
        ? micropubApi({
            database,
            site,
            authenticator: authenticator(database, log, sessionLimits(config)),
            hasLibrary: services.includes("bookmarks"),
            bodyLimit: config.bodyLimit,
            mediaLimit: config.mediaLimit,
          })
        : undefined,
    indieAuth:
      services.includes("posts") && config.micropub === "on" && config.web === "on"
        ? indieAuth({
            pages,
            database,
            fetchClient: config.fetchPages === "on" ? fetchPublished : undefined,
          })
        : undefined,
    linkblog:
      services.includes("bookmarks") && services.includes("posts")
        ? linkblogApi({ database, writing: accessOf("private", "posts").writing })
        : undefined,
    ...(services.includes("posts") && postServices(config, { database, cache, site, search: postSearch })),
    accounts: accountApi({ ...sessions, tokenTtl }),
    tokens: tokenApi(database),
    ownAccount: ownAccountApi(sessions),
    root: rootApi(() => routes),
    docs: docsApi(() => routes, publicUrl),
    health: healthApi(database),
    web:
      config.web === "on"
        ? {
            ...webPages(config, sessions, pages, hasOpenLibrary, blog?.reading.front),
            blog,
            library: services.includes("bookmarks")
              ? libraryPages({
                  pages,
                  database,
                  search,
                  ...bookmarksAccess,
                  readPage,
                  wakeJobs,
                  findPostsLinkingTo: blog && citationFinder(database, postSearch),
                })
              : undefined,
            linkblog:
              services.includes("bookmarks") && blog !== undefined
                ? linkblogPages({ pages, database, search, writing: accessOf("private", "posts").writing })
                : undefined,
          }
        : undefined,
  });
  return { routes, ...(config.web === "on" && { pages, madePages: blog?.reading.madePages }) };
}

/** Where the programs of Micropub find what they need. */
const DISCOVERY = [
  { rel: "micropub", path: "/micropub" },
  { rel: "indieauth-metadata", path: "/.well-known/oauth-authorization-server" },
  // For programs from before there was metadata.
  { rel: "authorization_endpoint", path: "/indieauth/authorize" },
  { rel: "token_endpoint", path: "/indieauth/token" },
] as const;

/** The pages that belong to no service. */
function webPages(
  { bookmarksAccess, postsAccess, given }: Config,
  sessions: SessionParts,
  pages: Pages,
  hasOpenLibrary: () => Awaitable<boolean>,
  blogFront: Page | undefined,
): WebPages {
  const { database } = sessions;
  const accessIsSet = bookmarksAccess !== "auto";
  const withoutPosts = pages.page({}, () => ({
    status: 302,
    body: null,
    location: pages.hasPage("/library") ? "/library" : "/docs",
  }));
  const front = blogFront ?? withoutPosts;
  return {
    files: siteFilePages(pages, database, postsAccess !== "private"),
    home: firstRunOrFrontPage({ pages, database, front, hasOpenLibrary }),
    signIn: signInPages({ ...sessions, pages }),
    account: accountPages({ ...sessions, pages }),
    keys: keyPages({ pages, database }),
    settings: settingsPages({
      pages,
      database,
      fixed: { bookmarksAccess: accessIsSet, comments: given.has("comments") },
    }),
    theme: blogFront && themePages({ pages, database, access: ACCOUNT }),
    welcome: welcomePages({ ...sessions, pages, accessIsSet }),
  };
}

/** What BOOKMARKS_ACCESS says, or what the owner has chosen. */
function bookmarksAccessOf({ bookmarksAccess, host }: Config, site: Site): ServiceAccess {
  if (bookmarksAccess === "auto") return siteBookmarksAccess(site, isLoopback(host));
  return accessOf(bookmarksAccess, "bookmarks");
}

function isOpenLibrary({ bookmarksAccess, host }: Config, site: Site): Awaitable<boolean> {
  if (bookmarksAccess !== "auto") return bookmarksAccess !== "private";
  return thenSync(currentChoice(site, isLoopback(host)), ({ setting }) => setting !== "private");
}

/** Everything under `/bookmarks/`, and what changes many bookmarks at once. */
function bookmarkServices(parts: BookmarkApiParts) {
  const { database, search, reading, writing } = parts;
  const caughtUp = () => search.caughtUp();
  return {
    bookmarks: bookmarkApi(parts),
    bookmarkSearch: bookmarkSearchApi({ database, search, reading }),
    tags: tagApi({ database, reading, writing, caughtUp }),
    bulk: bulkApi({ database, writing, search }),
    duplicates: duplicatesApi({ database, reading, caughtUp }),
    merging: mergeApi({ database, writing }),
    undo: undoApi({ database, writing }),
  };
}

interface PostServiceParts {
  readonly database: Database;
  readonly cache: ResponseCache;
  readonly site: Site;
  readonly search: Search;
}

function postServices(config: Config, { database, cache, site, search }: PostServiceParts) {
  const { postsAccess, commentsPerPost, mediaLimit } = config;
  const { reading, writing } = accessOf(postsAccess, "posts");
  const signedIn = accessOf("private", "posts");
  return {
    posts: postApi("posts", { database, cache, search, reading, writing }),
    drafts: postApi("drafts", { database, cache, search, ...signedIn }),
    postPublications: publicationApi("posts", { database, reading, writing }),
    draftPublications: publicationApi("drafts", { database, ...signedIn }),
    postVersions: versionApi("posts", { database, ...signedIn }),
    draftVersions: versionApi("drafts", { database, ...signedIn }),
    edits: editApi({ database, ...signedIn }),
    media: mediaApi({
      database,
      reading,
      writing: signedIn.writing,
      sizeMax: mediaLimit,
      findShown: findShownMedia,
    }),
    comments: commentApi({
      database,
      reading,
      commenting: commentingOf(config, site),
      perPost: commentsPerPost,
    }),
  };
}

/** Who may comment: as COMMENTS says, or as the owner has chosen. */
function commentingOf({ postsAccess, comments, given }: Config, site: Site): Commenting | undefined {
  const isPrivate = postsAccess === "private";
  return given.has("comments") ? commenting(comments, isPrivate) : chosenCommenting(site, isPrivate);
}

function rateLimits({ rateLimit: address, rateLimitPerAccount: account }: Config): RateLimits | undefined {
  return address || account ? new RateLimits({ address, account }) : undefined;
}

function sessionLimits({ sessionIdle, sessionMax }: Config): SessionLimits {
  return { idle: sessionIdle, max: sessionMax };
}
