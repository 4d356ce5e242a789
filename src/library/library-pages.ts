import { z } from "zod";
import { MULTIPART_BODY } from "../http/body/body-decoders.ts";
import { BackQuery } from "../web/forms/back.tsx";
import { isView } from "../web/page-answers.ts";
import { local } from "../web/urls.ts";
import { seeOther } from "../web/view.ts";
import { BulkForm, changeTickedBookmarks } from "./bulk-page.tsx";
import { DuplicatesQuery, MergeForm, merge, showDuplicates } from "./duplicates-page.tsx";
import { AddForm, AddQuery, add, addView, showAdd } from "./entries/add-page.tsx";
import { withAdded } from "./entries/added-notice.tsx";
import { EditForm, EntryParams, edit, editAgain, showEdit } from "./entries/edit-page.tsx";
import {
  exportAsCsv,
  exportAsHtml,
  exportAsJson,
  showBookmarklet,
  showExport,
} from "./entries/keep-pages.tsx";
import {
  confirmRemoval,
  RemovedQuery,
  RestoreForm,
  remove,
  restore,
  showRemoved,
  UndoParams,
  undo,
} from "./entries/removal-pages.tsx";
import { withUndo } from "./entries/undo-notice.tsx";
import {
  changeFeeds,
  FeedForm,
  FeedParams,
  FeedQuery,
  showFeed,
  showFeeds,
  showPrivateFeed,
} from "./feed-pages.tsx";
import { openSearch } from "./head-links.tsx";
import type { LibraryParts } from "./library-parts.ts";
import { LibraryQuery } from "./library-query.ts";
import { libraryPage } from "./list-page.tsx";
import { changeTags, showTags, TagsForm, TagsQuery, tagsView } from "./tags-page.tsx";
import { ImportParams, undoOneImport } from "./transfer/earlier-imports.ts";
import { IMPORT_MAX, importView, showImport, UploadForm, upload } from "./transfer/import-page.tsx";
import {
  ImportForm,
  importUpload,
  PreviewQuery,
  showOneImport,
  UploadParams,
} from "./transfer/one-import.tsx";
import { downloadRefused, RefusedParams } from "./transfer/refused-rows.ts";

/** The pages of the library. */
export function libraryPages(parts: LibraryParts) {
  const { pages, readAccess, writeAccess } = parts;

  const list = pages.page({ access: readAccess, query: LibraryQuery }, async (call) => {
    const shown = await libraryPage(parts, call);
    return isView(shown) ? withUndo(call, await withAdded(parts, call, shown)) : shown;
  });

  const showNew = pages.page({ access: writeAccess, query: AddQuery }, (call) => showAdd(parts, call));

  const saveNew = pages.page(
    {
      access: writeAccess,
      body: AddForm,
      again: (refused) => addView(parts, refused, refused.form),
    },
    (call) => add(parts, call),
  );

  const showOne = pages.page({ access: writeAccess, params: EntryParams, query: BackQuery }, (call) =>
    showEdit(parts, call),
  );

  const saveOne = pages.page(
    {
      access: writeAccess,
      params: EntryParams,
      body: EditForm,
      again: (refused) => editAgain(parts, refused),
    },
    (call) => edit(parts, call),
  );

  /** A redirect to the form, with the same query. */
  const toNew = pages.page({ query: z.object({}) }, ({ search }) =>
    seeOther(local("/library/new", Object.fromEntries(new URLSearchParams(search)))),
  );

  return {
    ...{ list, showNew, saveNew, showOne, saveOne, toNew },
    ...removalPages(parts),
    ...tidyingPages(parts),
    ...importPages(parts),
    ...keepingPages(parts),
  };
}

function removalPages(parts: LibraryParts) {
  const { pages, writeAccess: access } = parts;
  return {
    confirmRemoval: pages.page({ access, params: EntryParams, query: BackQuery }, (call) =>
      confirmRemoval(parts, call),
    ),
    remove: pages.page({ access, params: EntryParams, body: BackQuery }, (call) => remove(parts, call)),
    removed: pages.page({ access, query: RemovedQuery }, (call) => showRemoved(parts, call)),
    restore: pages.page({ access, body: RestoreForm }, (call) => restore(parts, call)),
    undo: pages.page({ access, params: UndoParams, body: BackQuery }, (call) => undo(parts, call)),
    changeTickedBookmarks: pages.page({ access, body: BulkForm }, (call) =>
      changeTickedBookmarks(parts, call),
    ),
  };
}

function tidyingPages(parts: LibraryParts) {
  const { pages, writeAccess: access } = parts;
  return {
    tags: pages.page({ access, query: TagsQuery }, (call) => showTags(parts, call)),
    changeTags: pages.page(
      { access, body: TagsForm, again: (refused) => tagsView(parts, refused, {}, refused.form) },
      (call) => changeTags(parts, call),
    ),
    duplicates: pages.page({ access, query: DuplicatesQuery }, (call) => showDuplicates(parts, call)),
    merge: pages.page({ access, body: MergeForm }, (call) => merge(parts, call)),
  };
}

function importPages(parts: LibraryParts) {
  const { pages, writeAccess: access } = parts;
  return {
    showImport: pages.page({ access }, (call) => showImport(parts, call)),
    upload: pages.page(
      {
        access,
        body: UploadForm,
        takes: [MULTIPART_BODY],
        bodyLimit: IMPORT_MAX,
        again: (refused) => importView(parts, refused, refused.form),
      },
      (call) => upload(parts, call),
    ),
    look: pages.page({ access, params: UploadParams, query: PreviewQuery }, (call) =>
      showOneImport(parts, call),
    ),
    refusedRows: pages.page({ access, params: RefusedParams }, (call) => downloadRefused(parts, call)),
    importUpload: pages.page({ access, params: UploadParams, body: ImportForm }, (call) =>
      importUpload(parts, call),
    ),
    undoImport: pages.page({ access, params: ImportParams }, (call) => undoOneImport(parts, call)),
  };
}

function keepingPages(parts: LibraryParts) {
  const { pages, readAccess, writeAccess } = parts;
  return {
    bookmarklet: pages.page({ access: writeAccess }, (call) => showBookmarklet(call)),
    showExport: pages.page({ access: readAccess }, (call) => showExport(call)),
    exportAsHtml: pages.page({ access: readAccess }, () => exportAsHtml(parts)),
    exportAsJson: pages.page({ access: readAccess }, () => exportAsJson(parts)),
    exportAsCsv: pages.page({ access: readAccess }, () => exportAsCsv(parts)),
    openSearch: pages.page({ access: readAccess }, (call) => openSearch(call)),
    feed: pages.page({ access: readAccess, query: FeedQuery }, (call) => showFeed(parts, call)),
    privateFeed: pages.page({ params: FeedParams }, (call) => showPrivateFeed(parts, call)),
    feeds: pages.page({ access: writeAccess, query: FeedQuery }, (call) => showFeeds(parts, call)),
    changeFeeds: pages.page({ access: writeAccess, body: FeedForm }, (call) => changeFeeds(parts, call)),
  };
}
