import { INSERT_MAX, insertBookmark, writeBookmarks } from "../../src/bookmarks/bookmark-writer.ts";
import type { Database } from "../../src/database/database.ts";
import { insertComment } from "../../src/posts/comments/comment-store.ts";
import { insertPost } from "../../src/posts/post-store.ts";
import { inBatches } from "./batches.ts";
import { type SampleBookmark, sampleBookmarks } from "./sample-bookmarks.ts";
import { type Period, samplePosts } from "./sample-posts.ts";
import { searchableBookmarks } from "./searchable-bookmarks.ts";

/** What a database of the benchmark holds; ids from 1 on. */
export interface DataSet {
  readonly bookmarks?: number;
  readonly posts?: number;
  /** Bookmarks of {@link searchableBookmarks}, after the others. */
  readonly searchable?: number;
  /** Bookmarks that have the tag `tag0`, after the others. */
  readonly tagged?: number;
  /** Whether the bookmarks are in the search index already. */
  readonly indexed?: boolean;
  /** When the posts were written. */
  readonly over?: Period;
}

/** Fills an empty database of any engine as the service itself would. For thousands of rows, not for millions. */
export async function fill(database: Database, set: DataSet): Promise<void> {
  const { bookmarks = 0, posts = 0, over } = set;
  await database.write(async (sql) => {
    for (const { createdAt, ...fields } of sampleBookmarks(bookmarks))
      await insertBookmark(sql, fields, undefined, createdAt);
    for (const { createdAt, comments, ...fields } of samplePosts(posts, over)) {
      const { id } = await insertPost(sql, fields, undefined, createdAt);
      for (const comment of comments)
        await insertComment(
          sql,
          { ...comment, postId: id, status: "shown", accountId: undefined },
          createdAt,
        );
    }
  });
  for (const batch of inBatches(otherBookmarks(set), BATCH))
    await writeBookmarks(database, new Date(), async (writer) => {
      for (const few of inBatches(batch, INSERT_MAX)) await writer.insertMany(few);
    });
}

/** The bookmarks that are there to be searched and tagged. */
export function* otherBookmarks({ searchable = 0, tagged = 0 }: DataSet): Generator<SampleBookmark> {
  yield* searchableBookmarks(searchable);
  for (const bookmark of sampleBookmarks(tagged, 9)) yield { ...bookmark, description: "Some text.\n#tag0" };
}

/** Bookmarks of one transaction. */
const BATCH = 2_000;
