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
  /** The ids of at most `limit` records after the given id, ascending. */
  idsAfter(sql: Sql, id: number, limit: number): Promise<number[]>;
  /** How many records have a greater id. */
  countAfter(sql: Sql, id: number): Promise<number>;
}

export type CollectionName = "bookmarks" | "posts";

/** The names of an index's tables, as SQL fragments. */
export interface IndexTables {
  /** One row for each indexed record: its id, date, page, host and the start of its title. */
  readonly entries: Fragment;
  /** The records themselves. */
  readonly records: Fragment;
  /** SQLite's full-text table. */
  readonly words: Fragment;
  /** The pages of the full-text table, by segment. */
  readonly segments: Fragment;
  /** The columns of the full-text table: the parts with their own column. All other parts share the first column. */
  readonly columns: readonly Part[];
  /** Tag and site counts, for collections that have them. */
  readonly catalog?: CatalogTables;
}

export interface CatalogTables {
  readonly tags: Fragment;
  readonly tagCounts: Fragment;
  readonly tagNames: Fragment;
  readonly sites: Fragment;
}

/** The tables of migration 27, by collection. */
export const INDEX_TABLES: Readonly<Record<CollectionName, IndexTables>> = {
  bookmarks: {
    entries: fragment`search_bookmarks`,
    records: fragment`bookmarks`,
    words: fragment`search_bookmarks_words`,
    segments: fragment`search_bookmarks_words_idx`,
    columns: ["body", "url"],
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
    segments: fragment`search_posts_words_idx`,
    columns: ["body", "author"],
  },
};
