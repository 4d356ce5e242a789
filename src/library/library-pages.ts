import { z } from "zod";
import type { Scope } from "../accounts/scope.ts";
import type { Access } from "../http/access.ts";
import { bookmarkImportPages } from "../imports/bookmarks/import-page.tsx";
import { BackQuery } from "../web/forms/back.tsx";
import { isView } from "../web/page-responses.ts";
import { local } from "../web/urls.ts";
import { seeOther } from "../web/view.ts";
import { BulkForm, changeTickedBookmarks } from "./bulk-page.tsx";
import { DuplicatesQuery, MergeForm, merge, showDuplicates } from "./duplicates-page.tsx";
import { AddForm, AddQuery } from "./entries/add-form.ts";
import { add, showAdd } from "./entries/add-page.ts";
import { addView } from "./entries/add-view.tsx";
import { withAdded } from "./entries/added-notice.tsx";
import { EditForm, EntryParams, edit, editAgain, showEdit } from "./entries/edit-page.tsx";
import {
  exportAsCsv,
  exportAsHtml,
  exportAsJson,
  showBookmarklet,
  showExport,
} from "./entries/keep-pages.tsx";
import { showLink } from "./entries/link-page.tsx";
import { RemoveForm, remove } from "./entries/removal-pages.ts";
import { withUndo } from "./entries/undo-notice.tsx";
import {
  changeFeeds,
  FeedForm,
  FeedParams,
  FeedQuery,
  showFeed,
  showFeeds,
  showPrivateFeed,
} from "./feeds/feed-pages.tsx";
import { openSearch } from "./head-links.tsx";
import { IconParams, showIcon } from "./icon-page.ts";
import { dealWith, LaterForm, LaterQuery, showLater } from "./later/later-page.tsx";
import type { LibraryDependencies } from "./library-dependencies.ts";
import { LibraryQuery } from "./library-query.ts";
import { libraryPage, selectAgain } from "./list-page.tsx";
import { showMonths } from "./months-page.tsx";
import {
  changeAddress,
  ListForm,
  ShareForm,
  SharesQuery,
  share,
  shareAgain,
  showShares,
  stopSharing,
} from "./shares/share-pages.tsx";
import {
  endedShareView,
  SharedParams,
  SharedQueryParameters,
  sharedFeed,
  showSharedList,
} from "./shares/shared-list.tsx";
import { changeTags, showTags, TagsForm, TagsQuery, tagsView } from "./tags/tags-page.tsx";

/** Who makes private feeds: accounts only, also where anyone may read. Anyone has the open feed there. */
const FEEDS: Access = { scope: "bookmarks:read" satisfies Scope, person: true, anonymous: false };

/** Who shares lists: accounts only, with which the lists end. */
const SHARES: Access = { scope: "bookmarks:write" satisfies Scope, person: true, anonymous: false };

/** Whether the page of the library is a list, and not what a search has found. */
function isList({ query }: { readonly query: LibraryQuery }): boolean {
  return !query.q?.trim();
}

/** The pages of the library. */
export function libraryPages(dependencies: LibraryDependencies) {
  const { pages, readAccess, writeAccess } = dependencies;

  const list = pages.page({ access: readAccess, query: LibraryQuery, inSnapshot: isList }, async (call) => {
    const shown = await libraryPage(dependencies, call);
    return isView(shown) ? withUndo(dependencies, call, await withAdded(call, shown)) : shown;
  });

  const showNew = pages.page({ access: writeAccess, query: AddQuery }, (call) => showAdd(dependencies, call));

  const saveNew = pages.page(
    {
      access: writeAccess,
      body: AddForm,
      again: (refused) => addView(dependencies, refused, refused.form),
    },
    (call) => add(dependencies, call),
  );

  const showOne = pages.page({ access: writeAccess, params: EntryParams }, (call) =>
    showLink(dependencies, call),
  );

  const showForm = pages.page({ access: writeAccess, params: EntryParams, query: BackQuery }, (call) =>
    showEdit(dependencies, call),
  );

  const saveOne = pages.page(
    {
      access: writeAccess,
      params: EntryParams,
      body: EditForm,
      again: (refused) => editAgain(dependencies, refused),
    },
    (call) => edit(dependencies, call),
  );

  /** A redirect to the form, with the same query. */
  const toNew = pages.page({ query: z.object({}) }, ({ search }) =>
    seeOther(local("/library/new", Object.fromEntries(new URLSearchParams(search)))),
  );

  const icon = pages.page({ access: readAccess, params: IconParams }, (call) => showIcon(dependencies, call));

  return {
    ...{ list, showNew, saveNew, showOne, showForm, saveOne, toNew, icon },
    ...removalPages(dependencies),
    ...tidyingPages(dependencies),
    ...bookmarkImportPages(dependencies),
    ...keepingPages(dependencies),
    ...sharingPages(dependencies),
  };
}

function removalPages(dependencies: LibraryDependencies) {
  const { pages, writeAccess: access } = dependencies;
  return {
    remove: pages.page({ access, params: EntryParams, body: RemoveForm, usesReserve: true }, (call) =>
      remove(dependencies, call),
    ),
    changeTickedBookmarks: pages.page(
      { access, body: BulkForm, again: (refused) => selectAgain(dependencies, refused) },
      (call) => changeTickedBookmarks(dependencies, call),
    ),
  };
}

function tidyingPages(dependencies: LibraryDependencies) {
  const { pages, writeAccess: access } = dependencies;
  return {
    later: pages.page({ access, query: LaterQuery }, (call) => showLater(dependencies, call)),
    dealWith: pages.page({ access, body: LaterForm }, (call) => dealWith(dependencies, call)),
    tags: pages.page({ access, inSnapshot: true, query: TagsQuery }, (call) => showTags(dependencies, call)),
    changeTags: pages.page(
      { access, body: TagsForm, again: (refused) => tagsView(refused, {}, refused.form) },
      (call) => changeTags(dependencies, call),
    ),
    duplicates: pages.page({ access, inSnapshot: true, query: DuplicatesQuery }, (call) =>
      showDuplicates(dependencies, call),
    ),
    merge: pages.page({ access, body: MergeForm }, (call) => merge(dependencies, call)),
  };
}

function keepingPages(dependencies: LibraryDependencies) {
  const { pages, readAccess, writeAccess } = dependencies;
  return {
    bookmarklet: pages.page({ access: writeAccess }, (call) => showBookmarklet(call)),
    showExport: pages.page({ access: readAccess }, (call) => showExport(call)),
    exportAsHtml: pages.page({ access: readAccess, takesTokens: true }, () => exportAsHtml(dependencies)),
    exportAsJson: pages.page({ access: readAccess, takesTokens: true }, () => exportAsJson(dependencies)),
    exportAsCsv: pages.page({ access: readAccess, takesTokens: true }, () => exportAsCsv(dependencies)),
    months: pages.page({ access: readAccess }, (call) => showMonths(dependencies, call)),
    openSearch: pages.page({ access: readAccess }, (call) => openSearch(call)),
    feed: pages.page({ access: readAccess, takesTokens: true, query: FeedQuery }, (call) =>
      showFeed(dependencies, call),
    ),
    privateFeed: pages.page({ params: FeedParams }, (call) => showPrivateFeed(dependencies, call)),
    feeds: pages.page({ access: FEEDS, query: FeedQuery }, (call) => showFeeds(dependencies, call)),
    changeFeeds: pages.page({ access: FEEDS, body: FeedForm }, (call) => changeFeeds(dependencies, call)),
  };
}

function sharingPages(dependencies: LibraryDependencies) {
  const { pages } = dependencies;
  const ofReaders = { params: SharedParams, missing: endedShareView };
  return {
    shares: pages.page({ access: SHARES, query: SharesQuery }, (call) => showShares(dependencies, call)),
    share: pages.page(
      { access: SHARES, body: ShareForm, again: (refused) => shareAgain(dependencies, refused) },
      (call) => share(dependencies, call),
    ),
    changeAddress: pages.page({ access: SHARES, body: ListForm }, (call) =>
      changeAddress(dependencies, call),
    ),
    stopSharing: pages.page({ access: SHARES, body: ListForm, usesReserve: true }, (call) =>
      stopSharing(dependencies, call),
    ),
    sharedList: pages.page({ ...ofReaders, query: SharedQueryParameters }, (call) =>
      showSharedList(dependencies, call),
    ),
    sharedAtom: pages.page(ofReaders, (call) => sharedFeed(dependencies, call, "atom")),
    sharedJson: pages.page(ofReaders, (call) => sharedFeed(dependencies, call, "json")),
  };
}
