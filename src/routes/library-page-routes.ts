import type { Routes } from "../http/endpoint.ts";
import type { libraryPages } from "../library/library-pages.ts";

/** The pages of the library. */
export function libraryPageRoutes(
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
