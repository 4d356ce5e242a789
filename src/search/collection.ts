import type { Sql } from "../database/database.ts";
import { type Fragment, fragment } from "../database/fragment.ts";
import type { Vocabulary } from "./query/atoms.ts";
import type { StateName } from "./query/query.ts";
import type { IndexedRecord, Part } from "./text/document.ts";

/** A collection in the search index, described by its service. */
export interface IndexedCollection {
  readonly name: CollectionName;
  readonly vocabulary: Vocabulary;
  /** Reads the current records, in any order. Deleted records are left out. */
  records(sql: Sql, ids: readonly number[]): Promise<IndexedRecord[]>;
}

/** Texts inside the records of another collection, such as the copies of bookmarks with their marks: one entry a record that has one. */
export interface IndexedTexts {
  readonly name: "copies";
  /** The condition on the entry `e` of a record that it has a text. */
  readonly hasText: Fragment;
  /** Reads the current texts of records, in any order. Records without one are left out. */
  texts(sql: Sql, ids: readonly number[]): Promise<InsideText[]>;
  /** Keeps other transactions from changing them, until the end of this one. */
  lock(sql: Sql): Promise<void>;
}

/** A text inside a record. */
export interface InsideText {
  /** Of the record. */
  readonly id: number;
  /** 0 without a copy. */
  readonly copyId: number;
  readonly text: string;
}

/** What the search index has entries of. */
export const COLLECTIONS = ["bookmarks", "posts", "copies"] as const;
export type CollectionName = (typeof COLLECTIONS)[number];

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
  /** A further condition on an entry `e`. */
  readonly also?: Fragment;
  /** Whether the texts are so long that the index is asked first, instead of testing the newest entries. */
  readonly isLong?: boolean;
  /** The collection of the texts inside its records. */
  readonly inside?: IndexedTexts["name"];
  /** What `has:` and `is:` ask for, as selections of the ids of records. */
  readonly states?: Readonly<Record<StateName, Fragment>>;
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
    parts: ["title", "tagAndHostWords", "url", "body"],
    catalog: {
      tags: fragment`search_bookmarks_tags`,
      tagCounts: fragment`search_bookmarks_tag_counts`,
      tagNames: fragment`search_bookmarks_tag_names`,
      sites: fragment`search_bookmarks_sites`,
    },
    inside: "copies",
    states: {
      copy: fragment`select bookmark_id from copies`,
      mark: fragment`select bookmark_id from marks`,
      unread: fragment`select id from bookmarks where unread is true`,
      archived: fragment`select id from bookmarks where archived is true`,
    },
  },
  posts: {
    entries: fragment`search_posts`,
    records: fragment`posts`,
    words: fragment`search_posts_words`,
    parts: ["title", "tagAndHostWords", "author", "body"],
  },
  // An entry has the id of its bookmark.
  copies: {
    entries: fragment`search_copies`,
    records: fragment`copies`,
    words: fragment`search_copies_words`,
    parts: ["body"],
  },
};
