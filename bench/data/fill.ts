import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import type { Database } from "../../src/database/database.ts";
import { insertComment } from "../../src/posts/comments/comment-store.ts";
import { insertPost } from "../../src/posts/post-store.ts";
import { sampleBookmarks } from "./sample-bookmarks.ts";
import { type Period, samplePosts } from "./sample-posts.ts";

/** What a database of the benchmark holds; ids from 1 on. */
export interface DataSet {
  readonly bookmarks?: number;
  readonly posts?: number;
  /** When the posts were written. */
  readonly over?: Period;
}

/** Fills an empty database of any engine as the service itself would. For thousands of rows, not for millions. */
export async function fill(database: Database, { bookmarks = 0, posts = 0, over }: DataSet): Promise<void> {
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
}
