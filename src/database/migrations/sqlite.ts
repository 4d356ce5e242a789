import type { Migration } from "../migrate.ts";
import foundation from "./sqlite/0001-foundation.sql" with { type: "text" };
import accounts from "./sqlite/0002-accounts.sql" with { type: "text" };
import posts from "./sqlite/0003-posts.sql" with { type: "text" };
import importUndo from "./sqlite/0004-import-undo.sql" with { type: "text" };
import search from "./sqlite/0006-search.sql" with { type: "text" };
import searchIndex from "./sqlite/0006-search-index.sql" with { type: "text" };
import tags from "./sqlite/0007-tags.sql" with { type: "text" };
import site from "./sqlite/0008-site.sql" with { type: "text" };
import jobs from "./sqlite/0009-jobs.sql" with { type: "text" };
import publications from "./sqlite/0010-publications.sql" with { type: "text" };
import media from "./sqlite/0011-media.sql" with { type: "text" };
import commentReasons from "./sqlite/0012-comment-reasons.sql" with { type: "text" };
import uploadsAndFeeds from "./sqlite/0013-uploads-and-feeds.sql" with { type: "text" };
import listTotals from "./sqlite/0016-list-totals.sql" with { type: "text" };
import searchIndexAnew from "./sqlite/0017-search-index.sql" with { type: "text" };
import searchablePostTags from "./sqlite/0018-searchable-post-tags.sql" with { type: "text" };
import importedPosts from "./sqlite/0019-imported-posts.sql" with { type: "text" };
import contentKeys from "./sqlite/0021-content-keys.sql" with { type: "text" };
import clients from "./sqlite/0022-clients.sql" with { type: "text" };
import toolbarFolders from "./sqlite/0023-toolbar-folders.sql" with { type: "text" };
import backgroundImports from "./sqlite/0024-background-imports.sql" with { type: "text" };
import publishedLinks from "./sqlite/0025-published-links.sql" with { type: "text" };
import themeAndCommentFeeds from "./sqlite/0026-theme-and-comment-feeds.sql" with { type: "text" };
import smallerSearchIndex from "./sqlite/0027-search-index.sql" with { type: "text" };
import cheaperMarks from "./sqlite/0028-cheaper-marks.sql" with { type: "text" };

/** The SQLite schema's history, in order. Text imports, so that a one-file build carries them. */
export const sqliteMigrations: readonly Migration[] = [
  { number: 1, name: "foundation", script: foundation },
  { number: 2, name: "accounts", script: accounts },
  { number: 3, name: "posts", script: posts },
  { number: 4, name: "import-undo", script: importUndo },
  { number: 6, name: "search", script: `${search}\n${searchIndex}` },
  { number: 7, name: "tags", script: tags },
  { number: 8, name: "site", script: site },
  { number: 9, name: "jobs", script: jobs },
  { number: 10, name: "publications", script: publications },
  { number: 11, name: "media", script: media },
  { number: 12, name: "comment-reasons", script: commentReasons },
  { number: 13, name: "uploads-and-feeds", script: uploadsAndFeeds },
  { number: 16, name: "list-totals", script: listTotals },
  { number: 17, name: "search-index", script: searchIndexAnew },
  { number: 18, name: "searchable-post-tags", script: searchablePostTags },
  { number: 19, name: "imported-posts", script: importedPosts },
  { number: 21, name: "content-keys", script: contentKeys },
  { number: 22, name: "clients", script: clients },
  { number: 23, name: "toolbar-folders", script: toolbarFolders },
  { number: 24, name: "background-imports", script: backgroundImports },
  { number: 25, name: "published-links", script: publishedLinks },
  { number: 26, name: "theme-and-comment-feeds", script: themeAndCommentFeeds },
  { number: 27, name: "smaller-search-index", script: smallerSearchIndex },
  { number: 28, name: "cheaper-marks", script: cheaperMarks },
];
