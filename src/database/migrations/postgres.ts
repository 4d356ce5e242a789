import type { Migration } from "../migrate.ts";
import foundation from "./postgres/0001-foundation.sql" with { type: "text" };
import accounts from "./postgres/0002-accounts.sql" with { type: "text" };
import posts from "./postgres/0003-posts.sql" with { type: "text" };
import importUndo from "./postgres/0004-import-undo.sql" with { type: "text" };
import search from "./postgres/0006-search.sql" with { type: "text" };
import searchIndex from "./postgres/0006-search-index.sql" with { type: "text" };
import tags from "./postgres/0007-tags.sql" with { type: "text" };
import site from "./postgres/0008-site.sql" with { type: "text" };
import jobs from "./postgres/0009-jobs.sql" with { type: "text" };
import publications from "./postgres/0010-publications.sql" with { type: "text" };
import media from "./postgres/0011-media.sql" with { type: "text" };
import commentReasons from "./postgres/0012-comment-reasons.sql" with { type: "text" };
import uploadsAndFeeds from "./postgres/0013-uploads-and-feeds.sql" with { type: "text" };
import listTotals from "./postgres/0016-list-totals.sql" with { type: "text" };
import searchIndexAnew from "./postgres/0017-search-index.sql" with { type: "text" };
import searchablePostTags from "./postgres/0018-searchable-post-tags.sql" with { type: "text" };
import importedPosts from "./postgres/0019-imported-posts.sql" with { type: "text" };
import contentKeys from "./postgres/0021-content-keys.sql" with { type: "text" };
import clients from "./postgres/0022-clients.sql" with { type: "text" };
import toolbarFolders from "./postgres/0023-toolbar-folders.sql" with { type: "text" };
import backgroundImports from "./postgres/0024-background-imports.sql" with { type: "text" };
import publishedLinks from "./postgres/0025-published-links.sql" with { type: "text" };
import themeAndCommentFeeds from "./postgres/0026-theme-and-comment-feeds.sql" with { type: "text" };
import smallerSearchIndex from "./postgres/0027-search-index.sql" with { type: "text" };
import cheaperMarks from "./postgres/0028-cheaper-marks.sql" with { type: "text" };

/** The PostgreSQL schema's history: the same numbers and names as the other engine's. */
export const postgresMigrations: readonly Migration[] = [
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
