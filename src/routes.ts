import type { accountApi } from "./accounts/account-api.ts";
import type { accountPages } from "./accounts/own-account/account-pages.tsx";
import type { ownAccountApi } from "./accounts/own-account/own-account-api.ts";
import type { settingsPages } from "./accounts/own-account/settings-pages.tsx";
import type { signInPages } from "./accounts/sign-in/sign-in-pages.tsx";
import type { keyPages } from "./accounts/tokens/key-pages.tsx";
import type { tokenApi } from "./accounts/tokens/token-api.ts";
import type { welcomePages } from "./accounts/welcome/welcome-pages.tsx";
import type { bookmarkApi } from "./bookmarks/bookmark-api.ts";
import type { bulkApi } from "./bookmarks/bulk/bulk-api.ts";
import type { captureApi } from "./bookmarks/capture/capture-api.ts";
import type { duplicatesApi } from "./bookmarks/duplicates/duplicates-api.ts";
import type { mergeApi } from "./bookmarks/duplicates/merge-api.ts";
import type { bookmarkSearchApi } from "./bookmarks/search/bookmark-search-api.ts";
import type { tagApi } from "./bookmarks/tags/tag-api.ts";
import type { undoApi } from "./bookmarks/undo/undo-api.ts";
import type { Page, Routes } from "./http/endpoint.ts";
import type { docsApi } from "./http/openapi/docs-api.ts";
import type { healthApi } from "./http/service/health-api.ts";
import type { rootApi } from "./http/service/root-api.ts";
import type { libraryPages } from "./library/library-pages.ts";
import type { linkblogApi } from "./linkblog/linkblog-api.ts";
import type { linkblogPages } from "./linkblog/linkblog-pages.ts";
import type { mediaApi } from "./media/media-api.ts";
import type { commentApi } from "./posts/comments/comment-api.ts";
import type { editApi } from "./posts/editing/edit-api.ts";
import type { versionApi } from "./posts/editing/version-api.ts";
import type { blogPages } from "./posts/pages/blog-pages.ts";
import type { postApi } from "./posts/post-api.ts";
import type { publicationApi } from "./posts/publication/publication-api.ts";
import type { ghostApi } from "./protocols/ghost/ghost.ts";
import type { indieAuth } from "./protocols/indieauth/indieauth.ts";
import type { linkdingApi } from "./protocols/linkding/linkding.ts";
import type { micropubApi } from "./protocols/micropub/micropub.ts";
import type { blogImportPages } from "./transfer/pages/blog-import-pages.ts";
import type { everythingPages } from "./transfer/pages/everything-pages.ts";
import type { siteFilePages } from "./web/site/site-file-pages.ts";
import type { themePages } from "./web/theme/theme-pages.tsx";

/** The endpoints of everything that a server may serve; a service that is off is absent. */
export interface Apis {
  readonly bookmarks?: ReturnType<typeof bookmarkApi> | undefined;
  readonly bookmarkSearch?: ReturnType<typeof bookmarkSearchApi> | undefined;
  readonly tags?: ReturnType<typeof tagApi> | undefined;
  readonly bulk?: ReturnType<typeof bulkApi> | undefined;
  readonly duplicates?: ReturnType<typeof duplicatesApi> | undefined;
  readonly merging?: ReturnType<typeof mergeApi> | undefined;
  readonly undo?: ReturnType<typeof undoApi> | undefined;
  /** Absent when pages are not fetched. */
  readonly capture?: ReturnType<typeof captureApi> | undefined;
  /** For clients of linkding; absent when that is off. */
  readonly linkding?: ReturnType<typeof linkdingApi> | undefined;
  /** For websites that read a Ghost; absent when that is off. */
  readonly ghost?: ReturnType<typeof ghostApi> | undefined;
  /** For programs that write posts; absent when that is off. */
  readonly micropub?: ReturnType<typeof micropubApi> | undefined;
  /** How these programs sign in; absent also when there are no pages. */
  readonly indieAuth?: ReturnType<typeof indieAuth> | undefined;
  /** Absent unless both services are there. */
  readonly linkblog?: ReturnType<typeof linkblogApi> | undefined;
  readonly posts?: ReturnType<typeof postApi> | undefined;
  readonly drafts?: ReturnType<typeof postApi> | undefined;
  readonly postPublications?: ReturnType<typeof publicationApi> | undefined;
  readonly draftPublications?: ReturnType<typeof publicationApi> | undefined;
  readonly postVersions?: ReturnType<typeof versionApi> | undefined;
  readonly draftVersions?: ReturnType<typeof versionApi> | undefined;
  readonly edits?: ReturnType<typeof editApi> | undefined;
  readonly media?: ReturnType<typeof mediaApi> | undefined;
  readonly comments?: ReturnType<typeof commentApi> | undefined;
  readonly accounts: ReturnType<typeof accountApi>;
  readonly tokens: ReturnType<typeof tokenApi>;
  readonly ownAccount: ReturnType<typeof ownAccountApi>;
  /** Absent, as are the documents, while the whole surface is not loaded: both describe all of it. */
  readonly root?: ReturnType<typeof rootApi> | undefined;
  readonly docs?: ReturnType<typeof docsApi> | undefined;
  readonly health: ReturnType<typeof healthApi>;
  /** Absent when there are no pages. */
  readonly web?: WebPages | undefined;
}

/** Pages for people. */
export interface WebPages {
  readonly files: ReturnType<typeof siteFilePages>;
  readonly home: Page;
  readonly signIn: ReturnType<typeof signInPages>;
  readonly account: ReturnType<typeof accountPages>;
  readonly keys: ReturnType<typeof keyPages>;
  readonly settings: ReturnType<typeof settingsPages>;
  readonly library?: ReturnType<typeof libraryPages> | undefined;
  /** Absent when the library is. */
  readonly everything?: ReturnType<typeof everythingPages> | undefined;
  /** Absent unless both services are there. */
  readonly linkblog?: ReturnType<typeof linkblogPages> | undefined;
  /** Absent when the posts are. */
  readonly theme?: ReturnType<typeof themePages> | undefined;
  readonly welcome: ReturnType<typeof welcomePages>;
  /** Absent when the posts are. */
  readonly blog?: ReturnType<typeof blogPages> | undefined;
  /** Absent when the posts are. */
  readonly blogImport?: ReturnType<typeof blogImportPages> | undefined;
}

/**
 * The whole URL surface. The slash form written here is the canonical one; the other is redirected to it.
 * HEAD stands wherever GET does, OPTIONS everywhere.
 */
export function routesOf({
  bookmarks,
  bookmarkSearch,
  tags,
  bulk,
  duplicates,
  merging,
  undo,
  capture,
  linkding,
  ghost,
  micropub,
  indieAuth,
  linkblog,
  posts,
  drafts,
  postPublications,
  draftPublications,
  postVersions,
  draftVersions,
  edits,
  media,
  comments,
  accounts,
  tokens,
  ownAccount,
  root,
  docs,
  health,
  web,
}: Apis): Routes {
  return {
    ...(bookmarks && {
      "/bookmarks/": { GET: bookmarks.list, POST: bookmarks.create },
      "/bookmarks/{id}": {
        GET: bookmarks.read,
        PUT: bookmarks.replace,
        PATCH: bookmarks.patch,
        DELETE: bookmarks.remove,
      },
    }),
    ...(bookmarkSearch && {
      "/bookmarks/search": { GET: bookmarkSearch.search },
      "/bookmarks/suggest": { GET: bookmarkSearch.suggest },
      "/bookmarks/check": { GET: bookmarkSearch.check },
    }),
    ...(tags && {
      "/bookmarks/{id}/tags": { GET: tags.readTags, PUT: tags.replaceTags },
      "/api/tags/": { GET: tags.list, PATCH: tags.rename, DELETE: tags.remove },
    }),
    ...(bulk && { "/bookmarks/bulk": { POST: bulk.change } }),
    ...(duplicates && { "/bookmarks/duplicates": { GET: duplicates.list } }),
    ...(merging && { "/bookmarks/merge": { POST: merging.merge } }),
    ...(undo && {
      "/api/undo/": { GET: undo.list },
      "/api/undo/{key}/": { POST: undo.undo },
    }),
    ...(capture && { "/bookmarks/page": { GET: capture.page } }),
    ...(linkding && linkdingRoutes(linkding)),
    ...(ghost && ghostRoutes(ghost)),
    ...(micropub && {
      "/micropub": { GET: micropub.query, POST: micropub.write },
      "/micropub/media": { POST: micropub.upload },
    }),
    ...(indieAuth && {
      "/.well-known/oauth-authorization-server": { GET: indieAuth.endpoints.metadata },
      "/indieauth/authorize": { GET: indieAuth.pages.show, POST: indieAuth.endpoints.profile },
      "/indieauth/authorize/decide": { POST: indieAuth.pages.decide },
      "/indieauth/token": { POST: indieAuth.endpoints.token },
      "/indieauth/introspect": { POST: indieAuth.endpoints.introspect },
      "/indieauth/revoke": { POST: indieAuth.endpoints.revoke },
    }),
    ...(linkblog && { "/bookmarks/{id}/publish": { POST: linkblog.publish } }),
    ...(posts && {
      "/api/posts/": { GET: posts.list, POST: posts.create },
      "/api/posts/{id}/": { GET: posts.read, PUT: posts.replace, PATCH: posts.patch, DELETE: posts.remove },
    }),
    ...(drafts && {
      "/api/drafts/": { GET: drafts.list, POST: drafts.create },
      "/api/drafts/{id}/": {
        GET: drafts.read,
        PUT: drafts.replace,
        PATCH: drafts.patch,
        DELETE: drafts.remove,
      },
    }),
    ...(postPublications && {
      "/api/posts/{id}/publication/": {
        GET: postPublications.read,
        PUT: postPublications.replace,
        PATCH: postPublications.patch,
      },
    }),
    ...(draftPublications && {
      "/api/drafts/{id}/publication/": {
        GET: draftPublications.read,
        PUT: draftPublications.replace,
        PATCH: draftPublications.patch,
      },
    }),
    ...(postVersions && {
      "/api/posts/{id}/versions/": { GET: postVersions.list },
      "/api/posts/{id}/versions/{number}/": { GET: postVersions.read },
    }),
    ...(draftVersions && {
      "/api/drafts/{id}/versions/": { GET: draftVersions.list },
      "/api/drafts/{id}/versions/{number}/": { GET: draftVersions.read },
    }),
    ...(edits && {
      "/api/edits/": { GET: edits.list },
      "/api/edits/{key}/": { GET: edits.read, PUT: edits.save, DELETE: edits.remove },
      "/api/edits/{key}/previews/": { POST: edits.share, DELETE: edits.unshare },
    }),
    ...(media && {
      "/api/media/": { GET: media.list, POST: media.create },
      "/api/media/{sha}/": { GET: media.read, DELETE: media.remove },
      "/media/{name}": { GET: media.show },
    }),
    ...(comments && {
      "/api/posts/{id}/comments/": {
        GET: comments.listShown,
        ...(comments.create && { POST: comments.create }),
      },
      "/api/comments/": { GET: comments.list },
      "/api/comments/{id}/": { GET: comments.read, PUT: comments.decide, DELETE: comments.remove },
    }),
    ...(root && { "/api/": { GET: root.list } }),
    "/api/token/": { POST: accounts.createToken, DELETE: accounts.revokeToken },
    "/api/tokens/": { GET: tokens.list, POST: tokens.create },
    "/api/tokens/{id}/": { GET: tokens.read, DELETE: tokens.remove },
    "/api/sessions/": { GET: ownAccount.listSessions },
    "/api/sessions/{id}/": { DELETE: ownAccount.endSession },
    "/api/account/password/": { PUT: ownAccount.changePassword },
    "/api/session/": {
      GET: accounts.readSession,
      POST: accounts.createSession,
      DELETE: accounts.deleteSession,
    },
    ...(docs && {
      "/": { GET: web?.home ?? docs.home },
      "/docs": { GET: docs.page },
      "/docs/{name}": { GET: docs.file },
      "/openapi.json": { GET: docs.openapi },
    }),
    "/healthz": { GET: health.live },
    "/readyz": { GET: health.ready },
    ...(web && pagesOf(web)),
  };
}

/** What clients of linkding call below its base URL, `/linkding`. */
function linkdingRoutes({ server, bookmarks, tags, pages }: ReturnType<typeof linkdingApi>): Routes {
  return {
    "/linkding/health": { GET: server.health },
    "/linkding/api/": { GET: server.root },
    "/linkding/api/user/profile/": { GET: server.profile },
    "/linkding/api/bundles/": { GET: server.nothing },
    "/linkding/api/bookmarks/": { GET: bookmarks.list, POST: bookmarks.create },
    "/linkding/api/bookmarks/archived/": { GET: bookmarks.archived },
    "/linkding/api/bookmarks/shared/": { GET: bookmarks.shared },
    "/linkding/api/bookmarks/check/": { GET: bookmarks.check },
    "/linkding/api/bookmarks/{id}/": {
      GET: bookmarks.read,
      PUT: bookmarks.change,
      PATCH: bookmarks.change,
      DELETE: bookmarks.remove,
    },
    "/linkding/api/bookmarks/{id}/archive/": { POST: bookmarks.archive },
    "/linkding/api/bookmarks/{id}/unarchive/": { POST: bookmarks.unarchive },
    "/linkding/api/bookmarks/{id}/assets/": { GET: server.nothing },
    "/linkding/api/tags/": { GET: tags.list, POST: tags.create },
    "/linkding/api/tags/{id}/": { GET: tags.read, DELETE: tags.remove },
    "/linkding": { GET: pages.list },
    "/linkding/": { GET: pages.list },
    "/linkding/bookmarks": { GET: pages.list },
    "/linkding/bookmarks/new": { GET: pages.add },
  };
}

/** Ghost's Content API, for websites that are made of a Ghost's posts. */
function ghostRoutes(ghost: ReturnType<typeof ghostApi>): Routes {
  return {
    "/ghost/api/content/posts/": { GET: ghost.posts },
    "/ghost/api/content/posts/{id}/": { GET: ghost.post },
    "/ghost/api/content/posts/slug/{slug}/": { GET: ghost.post },
    "/ghost/api/content/pages/": { GET: ghost.pages },
    "/ghost/api/content/pages/{id}/": { GET: ghost.page },
    "/ghost/api/content/pages/slug/{slug}/": { GET: ghost.page },
    "/ghost/api/content/tags/": { GET: ghost.tags },
    "/ghost/api/content/tags/{id}/": { GET: ghost.tag },
    "/ghost/api/content/tags/slug/{slug}/": { GET: ghost.tag },
    "/ghost/api/content/authors/": { GET: ghost.authors },
    "/ghost/api/content/authors/{id}/": { GET: ghost.author },
    "/ghost/api/content/authors/slug/{slug}/": { GET: ghost.author },
    "/ghost/api/content/settings/": { GET: ghost.settings },
    "/ghost/api/content/tiers/": { GET: ghost.tiers },
  };
}

/** The pages: their canonical form has no slash at the end. */
function pagesOf({
  files,
  signIn,
  welcome,
  library,
  everything,
  linkblog,
  blog,
  blogImport,
  account,
  keys,
  settings,
  theme,
}: WebPages): Routes {
  return {
    ...(blog && blogPagesOf(blog)),
    ...(blogImport && {
      "/write/import": { GET: blogImport.show, POST: blogImport.upload },
      "/write/import/{key}": { GET: blogImport.look, POST: blogImport.start },
      "/write/import/{key}/report.json": { GET: blogImport.report },
      "/write/import/{key}/undo": { POST: blogImport.undo },
    }),
    "/welcome/{secret}": { GET: welcome.show, POST: welcome.submit },
    "/sign-in": { GET: signIn.show, POST: signIn.submit },
    "/sign-out": { GET: signIn.showSignOut, POST: signIn.signOut },
    "/account": { GET: account.show },
    "/account/password": { POST: account.changePassword },
    "/account/sessions/end": { POST: account.endSession },
    "/keys": { GET: keys.show, POST: keys.create },
    "/keys/end": { POST: keys.end },
    "/keys/websites": { POST: keys.createForWebsite },
    "/keys/websites/end": { POST: keys.endOfWebsite },
    "/settings": { GET: settings.show, POST: settings.save },
    ...(theme && { "/settings/theme": { GET: theme.show, POST: theme.save } }),
    "/assets/{hash}/{name}": { GET: files.asset },
    "/icon.svg": { GET: files.icon },
    "/favicon.ico": { GET: files.favicon },
    "/icon-192.png": { GET: files.icon192 },
    "/icon-512.png": { GET: files.icon512 },
    "/icon-maskable.png": { GET: files.maskableIcon },
    "/apple-touch-icon.png": { GET: files.appleTouchIcon },
    "/manifest.webmanifest": { GET: files.manifest },
    "/robots.txt": { GET: files.robots },
    "/.well-known/change-password": { GET: files.changePassword },
    ...(everything && {
      "/library/export/everything.zip": { POST: everything.archive },
      "/library/export/everything.json": { POST: everything.json },
    }),
    ...(library && {
      "/library": { GET: library.list },
      "/library/new": { GET: library.showNew, POST: library.saveNew },
      "/library/tags": { GET: library.tags, POST: library.changeTags },
      "/library/duplicates": { GET: library.duplicates, POST: library.merge },
      "/library/removed": { GET: library.removed, POST: library.restore },
      "/library/bulk": { POST: library.changeTickedBookmarks },
      "/library/undo/{key}": { POST: library.undo },
      "/library/import": { GET: library.showImport, POST: library.upload },
      "/library/import/{key}": { GET: library.look, POST: library.importUpload },
      "/library/import/{key}/refused.json": { GET: library.refusedRows },
      "/library/import/{key}/undo": { POST: library.undoImport },
      "/library/export": { GET: library.showExport },
      "/library/export/bookmarks.html": { GET: library.exportAsHtml },
      "/library/export/bookmarks.json": { GET: library.exportAsJson },
      "/library/export/bookmarks.csv": { GET: library.exportAsCsv },
      "/library/bookmarklet": { GET: library.bookmarklet },
      "/library/opensearch.xml": { GET: library.openSearch },
      "/library/feeds": { GET: library.feeds, POST: library.changeFeeds },
      "/library/feeds/{secret}/library.atom": { GET: library.privateFeed },
      "/library.atom": { GET: library.feed },
      "/library/{id}": { GET: library.showOne, POST: library.saveOne },
      "/library/{id}/remove": { GET: library.confirmRemoval, POST: library.remove },
      "/add": { GET: library.toNew },
    }),
    ...(linkblog && {
      "/library/cite": { GET: linkblog.cite },
      "/library/{id}/publish": { GET: linkblog.show, POST: linkblog.submit },
    }),
  };
}

function blogPagesOf({
  reading,
  archive,
  writing,
  comments,
  moderation,
  search,
  feeds,
  finding,
}: ReturnType<typeof blogPages>): Routes {
  return {
    ...(comments && { "/posts/{slug}/comments": { GET: comments.show, POST: comments.submit } }),
    "/search": { GET: search },
    "/moderation": { GET: moderation.list, POST: moderation.decide },
    "/moderation/feeds": { GET: moderation.feeds.show, POST: moderation.feeds.change },
    "/moderation/feeds/{secret}/comments.atom": { GET: moderation.feeds.feed },
    "/write": { GET: writing.desk },
    "/write/new": { GET: writing.fresh },
    "/write/{key}": { GET: writing.show, POST: writing.submit },
    "/write/{key}/preview": { GET: writing.preview },
    "/write/{key}/versions": { GET: writing.versions, POST: writing.restore },
    "/preview/{secret}": { GET: writing.sharedPreview },
    "/feed.atom": { GET: feeds.atom },
    "/feed.rss": { GET: feeds.rss },
    "/feed.json": { GET: feeds.json },
    "/links.atom": { GET: feeds.links },
    "/tags/{tag...}/feed.atom": { GET: feeds.tagAtom },
    "/tags/{tag...}/feed.rss": { GET: feeds.tagRss },
    "/tags/{tag...}/feed.json": { GET: feeds.tagJson },
    "/posts/{slug}/comments.atom": { GET: feeds.comments },
    "/sitemap.xml": { GET: finding.sitemap },
    "/robots.txt": { GET: finding.robots },
    "/opensearch.xml": { GET: finding.openSearch },
    "/links": { GET: reading.links },
    "/tags/{tag...}": { GET: reading.tag },
    "/archive": { GET: archive.newest },
    "/archive/{year}": { GET: archive.year },
    "/posts/{slug}": { GET: reading.post },
  };
}
