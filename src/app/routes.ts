import { sessionApi, tokenSignInApi } from "../accounts/account-api.ts";
import { contentKeyChecker } from "../accounts/content-keys/content-key.ts";
import { accountPages } from "../accounts/own-account/account-pages.tsx";
import { menuPage } from "../accounts/own-account/menu-page.tsx";
import { ownAccountApi } from "../accounts/own-account/own-account-api.ts";
import { removeAccountPage } from "../accounts/own-account/remove-account-page.tsx";
import { settingsPages } from "../accounts/own-account/settings-pages.tsx";
import { ASSISTANT_SCOPES, accessOf } from "../accounts/scope.ts";
import { signInDoor, signInPages } from "../accounts/sign-in/sign-in-pages.tsx";
import { siteApi } from "../accounts/site-api.ts";
import { keyPages } from "../accounts/tokens/key-pages.tsx";
import { ACCOUNT, tokenApi } from "../accounts/tokens/token-api.ts";
import { firstRunOrFrontPage } from "../accounts/welcome/first-run-or-front-page.tsx";
import { welcomePages } from "../accounts/welcome/welcome-pages.tsx";
import { agentApi } from "../agents/agent-api.ts";
import { changesPages } from "../agents/changes-pages.tsx";
import { bookmarkApi } from "../bookmarks/bookmark-api.ts";
import { bulkApi } from "../bookmarks/bulk/bulk-api.ts";
import { captureApi } from "../bookmarks/capture/capture-api.ts";
import { duplicatesApi } from "../bookmarks/duplicates/duplicates-api.ts";
import { mergeApi } from "../bookmarks/duplicates/merge-api.ts";
import { bookmarkSearchApi } from "../bookmarks/search/bookmark-search-api.ts";
import { shareApi } from "../bookmarks/shares/share-api.ts";
import { tagApi } from "../bookmarks/tags/tag-api.ts";
import type { Config } from "../config/config.ts";
import { copyApi } from "../copies/copy-api.ts";
import { findPage } from "../find/find-page.tsx";
import type { Surface } from "../http/dispatch.ts";
import { mergeRoutes, type RefusedRequest, type Routes } from "../http/endpoint.ts";
import { Cors } from "../http/guards/cors.ts";
import { docsApi, homeApi } from "../http/openapi/docs-api.ts";
import { healthApi } from "../http/service/health-api.ts";
import { rootApi } from "../http/service/root-api.ts";
import { blogImportPages } from "../imports/blog/import-page.tsx";
import { linkPages } from "../library/entries/link-page.tsx";
import { libraryPages } from "../library/library-pages.ts";
import { removedPages } from "../library/removed-pages.tsx";
import { linkblogApi } from "../linkblog/linkblog-api.ts";
import { citePages, publishPages } from "../linkblog/linkblog-pages.ts";
import { quotePages } from "../linkblog/quote-mark.ts";
import { allMarksApi } from "../marks/all-marks-api.ts";
import { markApi } from "../marks/mark-api.ts";
import { mediaApi } from "../media/media-api.ts";
import { commentApi } from "../posts/comments/comment-api.ts";
import { moderationApi } from "../posts/comments/moderation-api.ts";
import { editApi } from "../posts/editing/edit-api.ts";
import { findUsedMedia } from "../posts/editing/shown-media.ts";
import { versionApi } from "../posts/editing/version-api.ts";
import { type BlogPages, blogPages } from "../posts/pages/blog-pages.ts";
import { postApi } from "../posts/post-api.ts";
import { publicationApi } from "../posts/publication/publication-api.ts";
import { tagSuggestionApi } from "../posts/tag-suggestions.ts";
import { ghostApi } from "../protocols/ghost/ghost.ts";
import { refuseLikeGhost } from "../protocols/ghost/operation.ts";
import { clientFetcher } from "../protocols/indieauth/client-url.ts";
import { indieAuth } from "../protocols/indieauth/indieauth.ts";
import { linkdingApi } from "../protocols/linkding/linkding.ts";
import { refuseLikeLinkding } from "../protocols/linkding/operation.ts";
import { mcpApi } from "../protocols/mcp/mcp.ts";
import { micropubApi } from "../protocols/micropub/micropub.ts";
import { todayPage } from "../today/today-page.tsx";
import { fullExportPages } from "../transfer/pages/full-export-pages.ts";
import { undoApi } from "../undo/undo-api.ts";
import { customCssPages } from "../web/custom-css/custom-css-page.tsx";
import { siteFilePages } from "../web/site/site-file-pages.ts";
import type { Parts } from "./parts.ts";

/** Everything that a server serves. */
export function surfaceOf(parts: Parts): Surface {
  const { config, pages, accounts, library, blog, duePosts, ofPosts } = parts;
  const hasWeb = config.web === "on";
  const site = hasWeb && blog ? blogPages(blog) : undefined;
  return {
    routes: mergeRoutes(apis(parts), protocols(parts), hasWeb ? webPages(parts, site) : ofPosts(homeApi())),
    protocolRefusals: {
      ...(blog && speaks(config, "ghost") && { "/ghost/api/": refuseLikeGhost }),
      ...(library && speaks(config, "linkding") && { "/linkding/": refuseLikeLinkding }),
    },
    ...(hasWeb && {
      notFoundPage: (refused: RefusedRequest) =>
        (library && refused.path.startsWith("/library/") ? library.pages : pages).notFound(refused),
      unroutedPages: [
        ...(site?.unroutedPages.map((page) => duePosts?.beforePage(page) ?? page) ?? []),
        signInDoor(accounts),
      ],
    }),
  };
}

/*
 * The parts from top to bottom, and when each is served. Paths, who may and what answers stand in the part itself. The slash form
 * written there is the canonical one; the other is redirected to it. HEAD works wherever GET does, OPTIONS everywhere. Before
 * what shows or changes posts, `ofPosts` publishes those that are due.
 */

/** The API, in the order of the OpenAPI document. */
function apis({ config, database, pages, isLeaving, routes, ofPosts, ...parts }: Parts): Routes {
  const { accounts, bookmarks, copies, blog, undo } = parts;
  const hasWeb = config.web === "on";
  const { readAccess: readAllAccess, writeAccess } = accessOf("private", "posts");
  return mergeRoutes(
    bookmarks &&
      mergeRoutes(
        bookmarkApi(bookmarks),
        bookmarkSearchApi(bookmarks),
        tagApi(bookmarks),
        bulkApi(bookmarks),
        duplicatesApi(bookmarks),
        mergeApi(bookmarks),
        copies && copyApi(copies),
        copies && markApi(copies),
        copies && allMarksApi(copies),
        hasWeb && shareApi(bookmarks),
        bookmarks.readPage && captureApi(bookmarks.readPage),
      ),
    bookmarks && blog && ofPosts(linkblogApi(bookmarks, blog)),
    blog &&
      ofPosts(
        postApi("posts", blog),
        postApi("drafts", blog),
        publicationApi("posts", blog),
        publicationApi("drafts", blog),
        versionApi("posts", blog),
        versionApi("drafts", blog),
        tagSuggestionApi(blog),
        editApi(blog),
        mediaApi({ ...blog, writeAccess, readAllAccess, findUsed: findUsedMedia }),
        commentApi(blog),
        moderationApi(blog),
      ),
    ofPosts(undoApi(undo), agentApi({ ...undo, site: parts.site })),
    rootApi(routes),
    tokenSignInApi(accounts),
    tokenApi(accounts),
    ownAccountApi(accounts),
    siteApi(accounts),
    sessionApi(accounts),
    docsApi(routes, config.publicUrl, hasWeb ? () => pages.siteName() : undefined),
    healthApi(database, isLeaving),
  );
}

/** What clients of other projects expect. */
function protocols({ config, database, log, pages, site, network, ofPosts, ...parts }: Parts): Routes {
  const { authenticator, bookmarks, copies, blog } = parts;
  const { bodyLimit, web } = config;
  const programs = blog !== undefined && speaks(config, "micropub");
  const assistants = speaks(config, "mcp")
    ? ASSISTANT_SCOPES.filter((scope) => (scope.startsWith("posts:") ? blog : bookmarks) !== undefined)
    : [];
  return mergeRoutes(
    copies && speaks(config, "linkding") && linkdingApi(copies),
    blog &&
      speaks(config, "ghost") &&
      ofPosts(ghostApi({ ...blog, site, checkKey: contentKeyChecker(database, log) })),
    blog &&
      speaks(config, "micropub") &&
      ofPosts(micropubApi({ ...blog, site, authenticator, copies: bookmarks?.copies, bodyLimit })),
    speaks(config, "mcp") &&
      ofPosts(mcpApi({ log, cors: new Cors(config.corsOrigins), copies, blog, hasPages: web === "on" })),
    web === "on" &&
      (programs || assistants.length > 0) &&
      indieAuth({ pages, database, programs, assistants, fetchClient: network && clientFetcher(network) }),
  );
}

/** The pages for people. Their canonical form has no slash at the end. */
function webPages(parts: Parts, site: BlogPages | undefined): Routes {
  const {
    config,
    database,
    pages,
    objects,
    accounts,
    bookmarks,
    copies,
    library,
    blog,
    imports,
    undo,
    ofPosts,
  } = parts;
  const { databaseUrl, postsAccess, fetchPages } = config;
  const inLibrary = pages.with({ sheet: "library.css" });
  const search = bookmarks?.search;
  return mergeRoutes(
    ofPosts(
      firstRunOrFrontPage(accounts, site?.front),
      site?.routes,
      todayPage({ pages: inLibrary, database, bookmarks, hasPosts: blog !== undefined }),
      findPage({ pages, database, search, postSearch: blog?.search }),
      menuPage(accounts),
      removedPages(library?.pages ?? inLibrary, undo),
      changesPages(pages, undo),
    ),
    welcomePages(accounts),
    signInPages(accounts),
    accountPages(accounts),
    removeAccountPage(accounts),
    keyPages(accounts),
    settingsPages(accounts),
    siteFilePages({ ...accounts, isPublic: postsAccess !== "private" }),
    blog && customCssPages({ pages, database, access: ACCOUNT }),
    blog && blogImportPages(imports, fetchPages === "on"),
    library && libraryPages(library),
    library && ofPosts(linkPages(library)),
    library && fullExportPages({ pages, database, objects, databaseUrl }),
    bookmarks && blog && ofPosts(publishPages(bookmarks)),
    bookmarks && blog && citePages(bookmarks),
    copies && blog && ofPosts(quotePages(copies)),
  );
}

function speaks({ protocols }: Config, protocol: Config["protocols"][number]): boolean {
  return protocols.includes(protocol);
}
