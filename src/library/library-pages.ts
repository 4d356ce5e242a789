import { mergeRoutes, type Routes } from "../http/endpoint.ts";
import { bookmarkImportPages } from "../imports/bookmarks/import-page.tsx";
import { copySettingsPage } from "./copies/copy-settings-page.tsx";
import { failurePages } from "./copies/failures-page.tsx";
import { duplicatesPages } from "./duplicates-page.tsx";
import { addPages } from "./entries/add-page.ts";
import { bookmarkletPage } from "./entries/bookmarklet-page.tsx";
import { editPages } from "./entries/edit-page.tsx";
import { exportPages } from "./entries/export-page.tsx";
import { removalPages } from "./entries/removal-pages.ts";
import { feedPages } from "./feeds/feed-pages.tsx";
import { openSearchPages } from "./head-links.tsx";
import { iconPages } from "./icon-page.ts";
import type { LibraryParts } from "./library-parts.ts";
import { listPages } from "./list-page.tsx";
import { marksPages } from "./marks/marks-page.tsx";
import { monthsPages } from "./months-page.tsx";
import { nextPages } from "./next-to-read/next-page.tsx";
import { picturePages } from "./picture-page.ts";
import { allPicturesPage } from "./pictures-page.tsx";
import { roomPages } from "./reading/room-page.ts";
import { samplesPage } from "./samples.tsx";
import { sharePages } from "./shares/share-pages.tsx";
import { sharedListPages } from "./shares/shared-list.tsx";
import { tagsPages } from "./tags/tags-page.tsx";

/** The pages of the library, but two that show posts, too, and stand in `app/routes.ts`: `entries/link-page.tsx` and `removed-pages.tsx`. */
export function libraryPages(library: LibraryParts): Routes {
  return mergeRoutes(
    listPages(library),
    addPages(library),
    editPages(library),
    removalPages(library),
    nextPages(library),
    roomPages(library),
    marksPages(library),
    tagsPages(library),
    duplicatesPages(library),
    monthsPages(library),
    bookmarkImportPages(library),
    bookmarkletPage(library),
    exportPages(library),
    iconPages(library),
    picturePages(library),
    allPicturesPage(library),
    openSearchPages(library),
    feedPages(library),
    samplesPage(library),
    sharePages(library),
    sharedListPages(library),
    failurePages(library),
    copySettingsPage(library),
  );
}
