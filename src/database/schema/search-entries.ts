import type { Database } from "../database.ts";

const HAS_TEXT = "(id in (select bookmark_id from copies) or id in (select bookmark_id from marks))";

/**
 * Statements that give each record its entry in an empty search index. The entries are of version 0: a job of the server
 * indexes their words.
 */
export const ENTRIES_OF_ALL: Readonly<Record<Database["engine"], readonly string[]>> = {
  sqlite: [
    ...["bookmarks", "posts"].map(
      // Two ids that are a multiple of 2^21 apart may want the same key. The job adds the entry that is left out.
      (name) => `insert into search_${name} (key, id, created_at, title, page, host, version)
      select max(0, min(created_at, 4398046511103)) * 2097152 + id % 2097152, id, created_at, substr(title, 1, 16), '', '', 0
      from ${name} where true on conflict do nothing`,
    ),
    `insert into search_copies (key, id, copy_id, version)
      select key, id, 0, 0 from search_bookmarks where ${HAS_TEXT}`,
  ],
  postgres: [
    ...["bookmarks", "posts"].map(
      (name) => `insert into search_${name} (id, created_at, title, page, host, words, version)
      select id, created_at, substr(title, 1, 16), '', '', '', 0 from ${name}`,
    ),
    `insert into search_copies (id, copy_id, words, version)
      select id, 0, '', 0 from search_bookmarks where ${HAS_TEXT}`,
  ],
};
