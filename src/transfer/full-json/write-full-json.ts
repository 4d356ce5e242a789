import { exportJson } from "../../bookmarks/export/export-bookmarks.ts";
import type { Sql } from "../../database/database.ts";
import { VERSION } from "../../version.ts";
import { comments } from "../archive/archive-store.ts";
import { posts as allPosts } from "../archive/archived-posts.ts";

/** The number of written records of each kind. */
export interface Written {
  bookmarks: number;
  posts: number;
  comments: number;
}

/**
 * All bookmarks and posts, drafts too, with all comments whatever their status, as one JSON document in pieces, with one
 * record a line, in the order of the ids (docs/exporting.md). No transaction stays open between the pieces.
 */
export async function* writeFullJson(sql: Sql, written: Written): AsyncGenerator<string> {
  const about = { program: "commonplace", version: VERSION, exported_at: new Date() };
  yield `${JSON.stringify(about).slice(0, -1)},\n"bookmarks":[`;
  yield* exportJson(sql, (count) => {
    written.bookmarks += count;
  });
  yield '\n],\n"posts":[';
  yield* posts(sql, written);
  yield "\n]}\n";
}

async function* posts(sql: Sql, written: Written): AsyncGenerator<string> {
  for await (const post of allPosts(sql)) {
    yield `${written.posts === 0 ? "" : ","}\n${JSON.stringify(post).slice(0, -1)},"comments":[`;
    yield* commentsOf(sql, post.id, written);
    yield "]}";
    written.posts++;
  }
}

/** Each post has its own, so they do not name it. */
async function* commentsOf(sql: Sql, id: number, written: Written): AsyncGenerator<string> {
  let isFirst = true;
  for await (const { post: _, ...comment } of comments(sql, { ofPost: id })) {
    yield `${isFirst ? "" : ","}${JSON.stringify(comment)}`;
    isFirst = false;
    written.comments++;
  }
}
