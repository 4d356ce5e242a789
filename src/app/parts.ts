import type { AccountParts } from "../accounts/account-parts.ts";
import { authenticator } from "../accounts/authenticator.ts";
import { accessOf } from "../accounts/scope.ts";
import { ownersAccess } from "../accounts/service-access.ts";
import type { BookmarkParts } from "../bookmarks/bookmark-parts.ts";
import { pageDetailsFetcher } from "../bookmarks/capture/fetch-page-details.ts";
import { indexedBookmarks } from "../bookmarks/search/indexed-bookmarks.ts";
import { type KeepSiteIcon, siteIconKeeper } from "../bookmarks/site-icons/keep-site-icon.ts";
import type { Config } from "../config/config.ts";
import { configuredObjects } from "../config/configured-objects.ts";
import { copiesOfBookmarks } from "../copies/copies-of-bookmarks.ts";
import type { CopyFetching, CopyParts } from "../copies/copy-parts.ts";
import { CopyRoom } from "../copies/copy-room.ts";
import { CopyStore } from "../copies/copy-store.ts";
import { Extractor } from "../copies/extraction/extraction-process.ts";
import { requestAdded, requestFetch } from "../copies/fetching/request-fetch.ts";
import { CopyKeeper } from "../copies/keep-copy.ts";
import { type KeepPagePicture, pagePictureKeeper } from "../copies/page-pictures/keep-page-picture.ts";
import { SentPages } from "../copies/sent-pages.ts";
import type { Database } from "../database/database.ts";
import { ResponseCache } from "../http/caching/response-cache.ts";
import { mergeRoutes, type Routes } from "../http/endpoint.ts";
import type { LoadShedder } from "../http/guards/load-shedding.ts";
import type { Observer } from "../http/responses/responder.ts";
import type { ImportDependencies } from "../imports/import-pages.ts";
import type { LibraryParts } from "../library/library-parts.ts";
import { missingPage } from "../library/missing-page.tsx";
import type { Log } from "../log.ts";
import { withMarks } from "../marks/marks-of-bookmarks.ts";
import { storedSitePictures } from "../media/stored-site-pictures.ts";
import { type Network, publicInternet } from "../outbound/fetch-public.ts";
import type { BlogParts } from "../posts/blog-parts.ts";
import { citationFinder } from "../posts/citations.ts";
import { AnonymousCommentLimits } from "../posts/comments/anonymous-comment-limits.ts";
import { countComments } from "../posts/comments/comment-store.ts";
import { imageSizeFinder } from "../posts/editing/shown-media.ts";
import { indexedPosts, indexPostsOfAccount } from "../posts/indexed-posts.ts";
import { menuTargets } from "../posts/menu-targets.ts";
import { emptyLists, publicBasis } from "../posts/public-basis.ts";
import { DuePosts } from "../posts/publication/due-posts.ts";
import { RenderedPosts } from "../posts/rendering/rendered-posts.ts";
import { Renderer } from "../posts/rendering/renderer.ts";
import { DISCOVERY } from "../protocols/indieauth/indieauth.ts";
import { DAMAGED } from "../search/index/entries.ts";
import { Search, type SearchObserver } from "../search/search.ts";
import { UndoAccess } from "../undo/undo-access.ts";
import type { UndoParts } from "../undo/undo-api.ts";
import { Pages } from "../web/page.tsx";
import { Site } from "../web/site/site-store.ts";
import {
  bookmarksAccessOf,
  commentPolicyOf,
  fixedSettings,
  isOpenLibrary,
  isUnpublished,
  sessionLimits,
} from "./configured-access.ts";

/** What an application is built from. */
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
  /** The same for one that fetches a page for a copy. */
  readonly wakeCopies?: (() => void) | undefined;
  /** Whether the server will stop soon. */
  readonly isLeaving?: (() => boolean) | undefined;
  /** The internet, from which pages are fetched; tests replace it. */
  readonly network?: Network | undefined;
}

/** The observers of the application. */
export interface Observers {
  readonly requests: Observer;
  /** Called once with the cache of responses. */
  readonly responseCache: (cache: ResponseCache) => void;
  readonly searches: SearchObserver;
}

/** What the endpoints and pages are made of: an object for each part of the program. A service that is off has none. */
export type Parts = ReturnType<typeof partsOf>;

/**
 * When the pages of added links are fetched, in milliseconds: their transactions have ended, and what a browser sends of them has
 * come. One that takes longer is fetched when the runner polls.
 */
const WAKE_AFTER = 1_000;

/** @param routes all routes; called only once they exist */
export function partsOf(dependencies: AppDependencies, routes: () => Routes) {
  const { config, database, log, observers, wakeJobs, wakeReadings, wakeCopies, isLeaving } = dependencies;
  const hasBookmarks = config.services.includes("bookmarks");
  const hasPosts = config.services.includes("posts");
  const cache = new ResponseCache(database);
  observers?.responseCache(cache);
  const site = new Site(database);
  const objects = configuredObjects(config);
  const network =
    config.fetchPages === "on" ? (dependencies.network ?? publicInternet(config.publicUrl)) : undefined;
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

  const onDamage = (error: unknown) => {
    log.error(DAMAGED, error);
    wakeJobs?.();
  };
  const searching = { observe: observers?.searches, onDamage };

  const blog: BlogParts | undefined = hasPosts
    ? {
        pages,
        database,
        objects,
        cache,
        publicBasis: basis,
        rendered,
        search: new Search(database, indexedPosts, searching),
        ...accessOf(config.postsAccess, "posts"),
        commenting: commentPolicyOf(config, site),
        anonymousCommentLimits: new AnonymousCommentLimits(database.clock),
        discovery: config.protocols.includes("micropub") ? DISCOVERY : [],
      }
    : undefined;

  const copyStore = new CopyStore(objects);
  const copyRoom = new CopyRoom(database, config.copiesMax);
  const fetching: CopyFetching | undefined = network && {
    request: (sql, bookmarkId, accountId) => requestFetch(sql, bookmarkId, accountId, database.clock.now()),
    requestAdded(sql, bookmarkId, accountId) {
      const requested = requestAdded(sql, bookmarkId, accountId, database.clock.now());
      if (wakeCopies) setTimeout(wakeCopies, WAKE_AFTER).unref();
      return requested;
    },
    wake: () => wakeCopies?.(),
  };
  const bookmarksAccess = bookmarksAccessOf(config, site);
  const copiesAccess = ownersAccess(bookmarksAccess, site, isUnpublished(config));
  const bookmarks: BookmarkParts | undefined = hasBookmarks
    ? {
        pages,
        database,
        cache,
        search: new Search(database, indexedBookmarks, searching),
        copies: withMarks(copiesOfBookmarks({ store: copyStore, fetching, ...copiesAccess })),
        ...bookmarksAccess,
        readPage:
          network &&
          pageDetailsFetcher(
            network,
            keepsBoth(
              siteIconKeeper(database, network),
              pagePictureKeeper({ database, objects, room: copyRoom }, network),
            ),
            async () => (await site.settings()).language,
          ),
      }
    : undefined;

  const copies: CopyParts | undefined = bookmarks && {
    ...copiesAccess,
    ...{ database, bookmarks, store: copyStore },
    room: copyRoom,
    keeper: new CopyKeeper({ database, objects, room: copyRoom }),
    sent: new SentPages(new Extractor()),
    fetching,
  };

  const library: LibraryParts | undefined = copies && {
    ...copies.bookmarks,
    copyParts: copies,
    pages: pages.with({
      sheet: "library.css",
      missingPage: (context) => missingPage(copies.bookmarks, context),
    }),
    wakeJobs,
    wakeReadings,
    findPostsLinkingTo: blog && citationFinder(database, blog.search),
  };

  const accounts: AccountParts = {
    pages,
    database,
    log,
    sessionLimits: sessionLimits(config),
    tokenTtl: config.tokenTtl,
    fixed: fixedSettings(config),
    pictures: storedSitePictures({ database, objects }),
    onNamed: indexPostsOfAccount,
    menuTargets: async (read) => (hasPosts ? menuTargets(read) : []),
    fetchesCopies: copies?.fetching !== undefined,
    hasOpenLibrary,
  };

  const imports: ImportDependencies = { pages, database, wakeJobs, wakeReadings };
  const undo: UndoParts = { database, access: new UndoAccess({ bookmarks, copies }, hasPosts) };

  const duePosts = hasPosts ? new DuePosts(database) : undefined;

  return {
    ...{ config, database, log, site, objects, network, pages, routes, isLeaving },
    ...{ accounts, bookmarks, copies, library, blog, imports, undo, duePosts },
    authenticator: authenticator(database, log, sessionLimits(config)),
    /** These routes, before which the due posts are published. */
    ofPosts(...some: readonly (Routes | false | undefined)[]): Routes {
      const routes = mergeRoutes(...some);
      return duePosts?.before(routes) ?? routes;
    },
  };
}

/** What follows when a page was read for its title; neither waits for the other. */
function keepsBoth(keepIcon: KeepSiteIcon, keepPicture: KeepPagePicture): KeepSiteIcon {
  return async (page) => {
    await Promise.all([keepIcon(page), keepPicture(page)]);
  };
}
