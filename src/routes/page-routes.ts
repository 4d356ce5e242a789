import type { accountPages } from "../accounts/own-account/account-pages.tsx";
import type { menuPage } from "../accounts/own-account/menu-page.tsx";
import type { settingsPages } from "../accounts/own-account/settings-pages.tsx";
import type { signInPages } from "../accounts/sign-in/sign-in-pages.tsx";
import type { keyPages } from "../accounts/tokens/key-pages.tsx";
import type { welcomePages } from "../accounts/welcome/welcome-pages.tsx";
import type { Page, Routes } from "../http/endpoint.ts";
import type { blogImportPages } from "../imports/blog/import-page.tsx";
import type { libraryPages } from "../library/library-pages.ts";
import type { removedPages } from "../library/removed-pages.tsx";
import type { linkblogPages } from "../linkblog/linkblog-pages.ts";
import type { blogPages } from "../posts/pages/blog-pages.ts";
import type { fullExportPages } from "../transfer/pages/full-export-pages.ts";
import type { customCssPages } from "../web/custom-css/custom-css-page.tsx";
import type { siteFilePages } from "../web/site/site-file-pages.ts";
import { blogPageRoutes } from "./blog-page-routes.ts";

/** Pages for people. */
export interface WebPages {
  readonly files: ReturnType<typeof siteFilePages>;
  readonly home: Page;
  readonly today: Page;
  readonly find: Page;
  readonly signIn: ReturnType<typeof signInPages>;
  readonly account: ReturnType<typeof accountPages>;
  readonly keys: ReturnType<typeof keyPages>;
  readonly settings: ReturnType<typeof settingsPages>;
  readonly removed: ReturnType<typeof removedPages>;
  readonly menu: ReturnType<typeof menuPage>;
  readonly library?: ReturnType<typeof libraryPages> | undefined;
  /** Absent when the library is. */
  readonly fullExport?: ReturnType<typeof fullExportPages> | undefined;
  /** Absent unless both services run. */
  readonly linkblog?: ReturnType<typeof linkblogPages> | undefined;
  /** Absent when the posts are. */
  readonly customCss?: ReturnType<typeof customCssPages> | undefined;
  readonly welcome: ReturnType<typeof welcomePages>;
  /** Absent when the posts are. */
  readonly blog?: ReturnType<typeof blogPages> | undefined;
  /** Absent when the posts are. */
  readonly blogImport?: ReturnType<typeof blogImportPages> | undefined;
}

/** The pages: their canonical form has no slash at the end. */
export function pageRoutes(
  {
    files,
    today,
    find,
    signIn,
    welcome,
    removed,
    library,
    fullExport,
    linkblog,
    blog,
    blogImport,
    account,
    keys,
    settings,
    menu,
    customCss,
  }: WebPages,
  ofPosts: (routes: Routes) => Routes,
): Routes {
  return {
    ...(blog && ofPosts(blogPageRoutes(blog))),
    ...(blogImport && {
      "/write/import": { GET: blogImport.show, POST: blogImport.upload },
      "/write/import/{key}": { GET: blogImport.look, POST: blogImport.start },
      "/write/import/{key}/report.json": { GET: blogImport.report },
      "/write/import/{key}/undo": { POST: blogImport.undo },
    }),
    "/welcome/{secret}": { GET: welcome.show, POST: welcome.submit },
    "/sign-in": { GET: signIn.show, POST: signIn.submit },
    "/sign-out": { GET: signIn.showSignOut, POST: signIn.signOut },
    ...ofPosts({ "/today": { GET: today }, "/find": { GET: find } }),
    "/account": { GET: account.show },
    "/account/name": { POST: account.changeName },
    "/account/password": { POST: account.changePassword },
    "/account/sessions/end": { POST: account.endSession },
    "/account/remove": { GET: account.remove.show, POST: account.remove.submit },
    "/keys": { GET: keys.show, POST: keys.create },
    "/keys/end": { POST: keys.end },
    "/keys/websites": { POST: keys.createForWebsite },
    "/keys/websites/end": { POST: keys.endOfWebsite },
    "/settings": { GET: settings.show, POST: settings.save },
    ...ofPosts({ "/settings/menu": { GET: menu.show, POST: menu.save } }),
    ...(customCss && { "/settings/theme": { GET: customCss.show, POST: customCss.save } }),
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
    ...(fullExport && {
      "/library/export/everything.zip": { POST: fullExport.archive },
      "/library/export/everything.json": { POST: fullExport.json },
    }),
    ...ofPosts({
      "/library/removed": { GET: removed.show, POST: removed.restore },
      "/library/undo/{key}": { POST: removed.undo },
    }),
    ...(library && libraryPageRoutes(library, ofPosts)),
    ...(linkblog && {
      "/library/cite": { GET: linkblog.cite },
      ...ofPosts({ "/library/{id}/publish": { GET: linkblog.show, POST: linkblog.submit } }),
    }),
  };
}

/** The pages of the library. */
function libraryPageRoutes(
  library: ReturnType<typeof libraryPages>,
  ofPosts: (routes: Routes) => Routes,
): Routes {
  return {
    "/library": { GET: library.list },
    "/library/new": { GET: library.showNew, POST: library.saveNew },
    "/library/later": { GET: library.later, POST: library.dealWith },
    "/library/tags": { GET: library.tags, POST: library.changeTags },
    "/library/duplicates": { GET: library.duplicates, POST: library.merge },
    "/library/months": { GET: library.months },
    "/library/bulk": { POST: library.changeTickedBookmarks },
    "/library/import": { GET: library.showImport, POST: library.upload },
    "/library/import/{key}": { GET: library.look, POST: library.importUpload },
    "/library/import/{key}/refused.json": { GET: library.refusedRows },
    "/library/import/{key}/undo": { POST: library.undoImport },
    "/library/export": { GET: library.showExport },
    "/library/export/bookmarks.html": { GET: library.exportAsHtml },
    "/library/export/bookmarks.json": { GET: library.exportAsJson },
    "/library/export/bookmarks.csv": { GET: library.exportAsCsv },
    "/library/bookmarklet": { GET: library.bookmarklet },
    "/library/icons/{host}/{name}": { GET: library.icon },
    "/library/opensearch.xml": { GET: library.openSearch },
    "/library/feeds": { GET: library.feeds, POST: library.changeFeeds },
    "/library/feeds/{secret}/library.atom": { GET: library.privateFeed },
    "/library/shares": { GET: library.shares, POST: library.share },
    "/library/shares/address": { POST: library.changeAddress },
    "/library/shares/stop": { POST: library.stopSharing },
    "/shared/{secret}": { GET: library.sharedList },
    "/shared/{secret}/feed.atom": { GET: library.sharedAtom },
    "/shared/{secret}/feed.json": { GET: library.sharedJson },
    "/library.atom": { GET: library.feed },
    // It shows where the bookmark is cited.
    ...ofPosts({ "/library/{id}": { GET: library.showOne } }),
    "/library/{id}/edit": { GET: library.showForm, POST: library.saveOne },
    "/library/{id}/remove": { POST: library.remove },
    "/add": { GET: library.toNew },
  };
}
