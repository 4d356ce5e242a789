import { authenticator } from "../accounts/authenticator.ts";
import { contentKeyChecker } from "../accounts/content-keys/content-key.ts";
import { accessOf } from "../accounts/scope.ts";
import type { SessionDependencies } from "../accounts/sign-in/start-session.ts";
import type { FetchPageDetails } from "../bookmarks/capture/fetch-page-details.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import { findPage } from "../find/find-page.tsx";
import type { ResponseCache } from "../http/caching/response-cache.ts";
import type { RefusedRequest, Routes } from "../http/endpoint.ts";
import { docsApi } from "../http/openapi/docs-api.ts";
import { rootApi } from "../http/service/root-api.ts";
import { blogImportPages } from "../imports/blog/import-page.tsx";
import { libraryPages } from "../library/library-pages.ts";
import { missingPage } from "../library/missing-page.tsx";
import { removedPages } from "../library/removed-pages.tsx";
import { limits } from "../limits.ts";
import { linkblogPages } from "../linkblog/linkblog-pages.ts";
import type { Log } from "../log.ts";
import type { ObjectStore } from "../media/object-store.ts";
import { storedSitePictures } from "../media/stored-site-pictures.ts";
import { publicInternet } from "../outbound/fetch-public.ts";
import { citationFinder } from "../posts/citations.ts";
import { countComments } from "../posts/comments/comment-store.ts";
import type { StrangerLimits } from "../posts/comments/stranger-limits.ts";
import { imageSizeFinder } from "../posts/editing/shown-media.ts";
import { blogPages } from "../posts/pages/blog-pages.ts";
import { emptyLists, publicBasis } from "../posts/public-basis.ts";
import { RenderedPosts } from "../posts/rendering/rendered-posts.ts";
import { Renderer } from "../posts/rendering/renderer.ts";
import { ghostApi } from "../protocols/ghost/ghost.ts";
import { refuseLikeGhost } from "../protocols/ghost/operation.ts";
import { redirectUriFetcher } from "../protocols/indieauth/client-url.ts";
import { indieAuth } from "../protocols/indieauth/indieauth.ts";
import { linkdingApi } from "../protocols/linkding/linkding.ts";
import { refuseLikeLinkding } from "../protocols/linkding/operation.ts";
import { micropubApi } from "../protocols/micropub/micropub.ts";
import type { Search } from "../search/search.ts";
import { todayPage } from "../today/today-page.tsx";
import { fullExportPages } from "../transfer/pages/full-export-pages.ts";
import { UndoAccess } from "../undo/undo-access.ts";
import { Pages } from "../web/page.tsx";
import type { Site } from "../web/site/site-store.ts";
import { bookmarksAccessOf, commentPolicyOf, isOpenLibrary, sessionLimits } from "./configured-access.ts";
import { sitePages } from "./site-pages.ts";

export interface PagesAndProtocolsDependencies {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  readonly cache: ResponseCache;
  readonly site: Site;
  readonly sessions: SessionDependencies;
  readonly search: Search;
  readonly postSearch: Search;
  /** Undefined when pages are not fetched. */
  readonly readPage: FetchPageDetails | undefined;
  readonly strangers: StrangerLimits;
  /** The store of images beside the database. */
  readonly objects: ObjectStore | undefined;
  readonly wakeJobs: (() => void) | undefined;
  readonly wakeReadings: (() => void) | undefined;
  /** All routes; called only once they exist. */
  readonly routes: () => Routes;
}

/** The pages, the protocols of other projects and the documents. */
export function pagesAndProtocols(dependencies: PagesAndProtocolsDependencies) {
  const {
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
    routes,
    strangers,
    objects,
  } = dependencies;
  const hasBookmarks = config.services.includes("bookmarks");
  const hasPosts = config.services.includes("posts");
  const hasWeb = config.web === "on";
  const hasMicropub = hasPosts && config.protocols.includes("micropub");
  const hasOpenLibrary = () => isOpenLibrary(config, site);
  const renderer = new Renderer((error) => log.error("Rendering a post failed.", error));
  const rendered = new RenderedPosts(database, renderer, imageSizeFinder(database), {
    onFailure: (error) => log.error("Storing a rendered post failed.", error),
  });
  const basis = publicBasis(database, site, rendered);
  const pages = new Pages({
    sheet: "site.css",
    database,
    site,
    cache,
    hasPage: (path) => routes()[path]?.GET !== undefined,
    openLibrary: hasOpenLibrary,
    publicBasis: basis,
    ...(hasPosts && { emptyLists: emptyLists(database, basis) }),
    waitingComments: (read) => countComments(read, "waiting"),
    obstacle: () => database.obstacle(),
  });
  const { readAccess } = accessOf(config.postsAccess, "posts");
  const { writeAccess: writingPosts } = accessOf("private", "posts");
  const blog = hasPosts
    ? blogPages({
        pages,
        database,
        objects,
        cache,
        publicBasis: basis,
        rendered,
        readAccess,
        writeAccess: writingPosts,
        mediaLimit: limits().mediaBytes,
        perPost: limits().commentsPerPost,
        search: postSearch,
        commenting: commentPolicyOf(config, site),
        strangers,
        discovery: hasMicropub ? DISCOVERY : [],
      })
    : undefined;
  const libraryAccess = bookmarksAccessOf(config, site);
  const libraryPart = pages.with({
    sheet: "library.css",
    missingPage: (context) => missingPage(libraryAccess, context),
  });
  const library = () =>
    libraryPages({
      pages: libraryPart,
      database,
      search,
      ...libraryAccess,
      readPage,
      wakeJobs,
      wakeReadings,
      findPostsLinkingTo: blog && citationFinder(database, postSearch),
    });
  const apis = {
    linkding:
      hasBookmarks && config.protocols.includes("linkding")
        ? linkdingApi({ database, search, ...accessOf("private", "bookmarks"), readPage })
        : undefined,
    ghost:
      hasPosts && config.protocols.includes("ghost")
        ? ghostApi({
            database,
            cache,
            site,
            rendered,
            readAccess,
            checkKey: contentKeyChecker(database, log),
          })
        : undefined,
    micropub: hasMicropub
      ? micropubApi({
          database,
          objects,
          site,
          authenticator: authenticator(database, log, sessionLimits(config)),
          hasLibrary: hasBookmarks,
          bodyLimit: config.bodyLimit,
          mediaLimit: limits().mediaBytes,
        })
      : undefined,
    indieAuth:
      hasMicropub && hasWeb
        ? indieAuth({
            pages,
            database,
            fetchClient:
              config.fetchPages === "on" ? redirectUriFetcher(publicInternet(config.publicUrl)) : undefined,
          })
        : undefined,
    root: rootApi(routes),
    docs: docsApi(routes, config.publicUrl, hasWeb ? () => pages.siteName() : undefined),
    web: hasWeb
      ? {
          ...sitePages({
            config,
            sessions,
            pages,
            pictures: storedSitePictures({ database, objects }),
            hasOpenLibrary,
            blogFront: blog?.reading.front,
          }),
          find: findPage({
            pages,
            database,
            search: hasBookmarks ? search : undefined,
            postSearch: hasPosts ? postSearch : undefined,
          }),
          today: todayPage({
            pages: pages.with({ sheet: "library.css" }),
            database,
            search: hasBookmarks ? search : undefined,
            hasPosts,
          }),
          blog,
          blogImport:
            blog && blogImportPages({ pages, database, wakeJobs, wakeReadings }, config.fetchPages === "on"),
          removed: removedPages({
            pages: hasBookmarks ? libraryPart : pages.with({ sheet: "library.css" }),
            database,
            access: new UndoAccess(hasBookmarks ? libraryAccess.writeAccess : undefined, hasPosts),
          }),
          library: hasBookmarks ? library() : undefined,
          fullExport: hasBookmarks
            ? fullExportPages({ pages, database, objects, databaseUrl: config.databaseUrl })
            : undefined,
          linkblog:
            hasBookmarks && hasPosts
              ? linkblogPages({ pages, database, search, writeAccess: writingPosts })
              : undefined,
        }
      : undefined,
  };
  return {
    apis,
    protocolRefusals: {
      ...(apis.ghost && { "/ghost/api/": refuseLikeGhost }),
      ...(apis.linkding && { "/linkding/": refuseLikeLinkding }),
    },
    ...(hasWeb && {
      notFoundPage: (refused: RefusedRequest) =>
        (hasBookmarks && refused.path.startsWith("/library/") ? libraryPart : pages).notFound(refused),
      unroutedPages: blog?.reading.unroutedPages,
    }),
  };
}

/** Links by which Micropub clients discover their endpoints. */
const DISCOVERY = [
  { rel: "micropub", path: "/micropub" },
  { rel: "indieauth-metadata", path: "/.well-known/oauth-authorization-server" },
  // For clients that predate IndieAuth server metadata.
  { rel: "authorization_endpoint", path: "/indieauth/authorize" },
  { rel: "token_endpoint", path: "/indieauth/token" },
] as const;
