import { exportJson } from "../../bookmarks/export/export-bookmarks.ts";
import type { Instant, Sql } from "../../database/database.ts";
import { VERSION } from "../../version.ts";
import { PARENT_OF_COMMENT } from "../archive/archive-store.ts";
import { postsAfter } from "../archive/archived-posts.ts";

/** The number of comments that are read at a time. */
const COMMENTS = 500;

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
  let after = 0;
  for (let batch = await postsAfter(sql, after); batch.length > 0; batch = await postsAfter(sql, after))
    for (const post of batch) {
      yield `${after === 0 ? "" : ","}\n${JSON.stringify(post).slice(0, -1)},"comments":[`;
      yield* comments(sql, post.id, written);
      yield "]}";
      written.posts++;
      after = post.id;
    }
}

interface CommentRow {
  readonly id: number;
  readonly author: string;
  readonly text: string;
  readonly status: string;
  readonly created_at: Instant;
  readonly username: string | null;
  readonly reasons: string | null;
  readonly parent: number | null;
}

async function* comments(sql: Sql, postId: number, written: Written): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const batch: CommentRow[] = await sql<CommentRow>`
      select comments.id, author, text, status, comments.created_at, username, reasons,
        ${PARENT_OF_COMMENT} as parent
      from comments left join accounts on accounts.id = created_by
      where post_id = ${postId} and comments.id > ${after} order by comments.id limit ${COMMENTS}`;
    if (batch.length === 0) return;
    const items = batch.map(({ id, author, text, status, created_at, username, reasons, parent }) =>
      JSON.stringify({
        ...{ id: Number(id), author, text, status },
        ...{ created_at: new Date(created_at), created_by: username, reasons },
        parent: parent === null ? null : Number(parent),
      }),
    );
    yield `${after === 0 ? "" : ","}${items.join(",")}`;
    written.comments += batch.length;
    after = Number(batch.at(-1)?.id);
  }
}
