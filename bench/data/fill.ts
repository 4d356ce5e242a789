import { INSERT_MAX, insertBookmark, writeBookmarks } from "../../src/bookmarks/bookmark-writer.ts";
import type { Database } from "../../src/database/database.ts";
import { insertComment } from "../../src/posts/comments/comment-store.ts";
import { insertPost } from "../../src/posts/post-store.ts";
import { inBatches } from "./batches.ts";
import { sampleBookmarks } from "./sample-bookmarks.ts";
import { samplePosts } from "./sample-posts.ts";
import { searchableBookmarks } from "./searchable-bookmarks.ts";

/** The records of a benchmark database; ids start at 1. */
export interface DataSet {
  readonly bookmarks?: number;
  readonly posts?: number;
  /** The number of {@link searchableBookmarks}, which follow the other bookmarks. */
  readonly searchable?: number;
  /** Whether the bookmarks are in the search index from the start. */
  readonly indexed?: boolean;
}

/** Fills an empty database of any engine like the service itself. For thousands of rows, not for millions. */
export async function fill(database: Database, set: DataSet): Promise<void> {
  const { bookmarks = 0, posts = 0, searchable = 0 } = set;
  await database.write(async (sql) => {
    for (const { createdAt, ...fields } of sampleBookmarks(bookmarks))
      await insertBookmark(sql, fields, undefined, createdAt);
    for (const { createdAt, comments, ...fields } of samplePosts(posts)) {
      const { id } = await insertPost(sql, fields, undefined, createdAt);
      for (const comment of comments)
        await insertComment(
          sql,
          { ...comment, postId: id, status: "shown", accountId: undefined },
          createdAt,
        );
    }
  });
  for (const batch of inBatches(searchableBookmarks(searchable), BATCH))
    await writeBookmarks(database, new Date(), async (writer) => {
      for (const few of inBatches(batch, INSERT_MAX)) await writer.insertMany(few);
    });
}

/** Bookmarks per transaction. */
const BATCH = 2_000;
