import type { Sql } from "../database/database.ts";
import { type Fragment, fragment } from "../database/fragment.ts";
import type { Vocabulary } from "./query/atoms.ts";
import type { IndexedRecord, Part } from "./text/document.ts";

/** A collection in the search index, described by its service. */
export interface IndexedCollection {
  readonly name: CollectionName;
  readonly vocabulary: Vocabulary;
  /** Reads the current records, in any order. Deleted records are left out. */
  records(sql: Sql, ids: readonly number[]): Promise<IndexedRecord[]>;
}

export type CollectionName = "bookmarks" | "posts";

/** The names of an index's tables, as SQL fragments. */
export interface IndexTables {
  /** One row for each record: its id, date, page, host, the start of its title, and the version of its words. */
  readonly entries: Fragment;
  /** The records themselves. */
  readonly records: Fragment;
  /** SQLite's full-text table. */
  readonly words: Fragment;
  /** The parts that have a column in the full-text table. The marks of tags, hosts and days have the last one. */
  readonly parts: readonly Part[];
  /** Tag and site counts, for collections that have them. */
  readonly catalog?: CatalogTables;
}

export interface CatalogTables {
  readonly tags: Fragment;
  readonly tagCounts: Fragment;
  readonly tagNames: Fragment;
  readonly sites: Fragment;
}

export const INDEX_TABLES: Readonly<Record<CollectionName, IndexTables>> = {
  bookmarks: {
    entries: fragment`search_bookmarks`,
    records: fragment`bookmarks`,
    words: fragment`search_bookmarks_words`,
    parts: ["title", "heads", "url", "body"],
    catalog: {
      tags: fragment`search_bookmarks_tags`,
      tagCounts: fragment`search_bookmarks_tag_counts`,
      tagNames: fragment`search_bookmarks_tag_names`,
      sites: fragment`search_bookmarks_sites`,
    },
  },
  posts: {
    entries: fragment`search_posts`,
    records: fragment`posts`,
    words: fragment`search_posts_words`,
    parts: ["title", "heads", "author", "body"],
  },
};
