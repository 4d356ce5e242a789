import { exportJson } from "../../bookmarks/export/export-bookmarks.ts";
import type { Sql } from "../../database/database.ts";
import { allLines } from "../../kept/lines.ts";
import { markLines } from "../../marks/kept.ts";
import { commentLines } from "../../posts/comments/kept.ts";
import { postLines } from "../../posts/import/archived-posts.ts";
import { VERSION } from "../../version.ts";

/** The number of written records of each kind. */
export interface Written {
  bookmarks: number;
  posts: number;
  comments: number;
  marks: number;
}

export function noneWritten(): Written {
  return { bookmarks: 0, posts: 0, comments: 0, marks: 0 };
}

/**
 * All bookmarks and posts, drafts too, with all comments whatever their status, and all marks, as one JSON document in pieces, with
 * one record a line, in the order of the ids (docs/exporting.md). No transaction stays open between the pieces.
 */
export async function* writeFullJson(sql: Sql, written: Written): AsyncGenerator<string> {
  const about = { program: "commonplace", version: VERSION, exported_at: new Date() };
  yield `${JSON.stringify(about).slice(0, -1)},\n"bookmarks":[`;
  yield* exportJson(sql, (count) => {
    written.bookmarks += count;
  });
  yield '\n],\n"posts":[';
  yield* posts(sql, written);
  yield '\n],\n"marks":[';
  for await (const mark of allLines(sql, "mark", markLines))
    yield `${written.marks++ === 0 ? "" : ","}\n${JSON.stringify(mark)}`;
  yield "\n]}\n";
}

async function* posts(sql: Sql, written: Written): AsyncGenerator<string> {
  for await (const post of allLines(sql, "post", postLines)) {
    yield `${written.posts === 0 ? "" : ","}\n${JSON.stringify(post).slice(0, -1)},"comments":[`;
    yield* commentsOf(sql, post.id, written);
    yield "]}";
    written.posts++;
  }
}

/** Each post has its own, so they do not name it. */
async function* commentsOf(sql: Sql, id: number, written: Written): AsyncGenerator<string> {
  let isFirst = true;
  for await (const { post: _, ...comment } of allLines(sql, "comment", commentLines(id))) {
    yield `${isFirst ? "" : ","}${JSON.stringify(comment)}`;
    isFirst = false;
    written.comments++;
  }
}
