import type { Sql } from "../database/database.ts";
import { type Fragment, fragment } from "../database/fragment.ts";
import type { Vocabulary } from "./query/atoms.ts";
import type { IndexedRecord, Part } from "./text/document.ts";

/** A searchable collection, described by its own service. */
export interface Collection {
  readonly name: CollectionName;
  readonly vocabulary: Vocabulary;
  /** The current records, in any order; deleted ones are left out. */
  records(sql: Sql, ids: readonly number[]): Promise<IndexedRecord[]>;
  /** At most `limit` ids of records after one, ascending. */
  idsAfter(sql: Sql, id: number, limit: number): Promise<number[]>;
  /** How many records have a greater id. */
  countAfter(sql: Sql, id: number): Promise<number>;
}

export type CollectionName = "bookmarks" | "posts";

/** The names of an index's tables, as pieces of SQL. */
export interface IndexTables {
  /** The entries: ids, dates, beginnings of titles, pages and hosts. */
  readonly entries: Fragment;
  /** The records themselves. */
  readonly records: Fragment;
  /** SQLite's full-text table. */
  readonly words: Fragment;
  /** The pages of that table, by segment. */
  readonly segments: Fragment;
  /** Its columns: parts that can be searched by name. Everything else stands in the first. */
  readonly columns: readonly Part[];
  /** Tags and sites with their counts, where the collection has them. */
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
