import type { Instant, Sql } from "../database/database.ts";

/** How many posts are read at once; each may have a content of a mebibyte. */
const POSTS = 50;

/** How many comments are read at once. */
const COMMENTS = 500;

interface PostRow {
  readonly id: number;
  readonly title: string;
  readonly content: string;
  readonly published: boolean | number;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly published_at: Instant | null;
  readonly username: string | null;
}

interface CommentRow {
  readonly id: number;
  readonly author: string;
  readonly text: string;
  readonly status: string;
  readonly created_at: Instant;
  readonly username: string | null;
}

/** Called with the number of posts and comments written so far. */
export type OnWritten = (posts: number, comments: number) => void;

/**
 * All posts, drafts too, with all of their comments whatever their status, as the items of a JSON array, in
 * pieces, one a line, in the order of their ids. No transaction stays open between the pieces.
 */
export async function* exportPosts(sql: Sql, onWritten: OnWritten): AsyncGenerator<string> {
  let after = 0;
  for (let batch = await postsAfter(sql, after); batch.length > 0; batch = await postsAfter(sql, after)) {
    for (const row of batch) {
      const { id, title, content, published, username } = row;
      const post = {
        id: Number(id),
        title,
        content,
        published: Boolean(published),
        created_at: new Date(row.created_at),
        updated_at: new Date(row.updated_at),
        published_at: row.published_at === null ? null : new Date(row.published_at),
        created_by: username,
      };
      yield `${after === 0 ? "" : ","}\n${JSON.stringify(post).slice(0, -1)},"comments":[`;
      yield* exportComments(sql, post.id, (count) => onWritten(0, count));
      yield "]}";
      onWritten(1, 0);
      after = post.id;
    }
  }
}

async function* exportComments(
  sql: Sql,
  postId: number,
  onWritten: (count: number) => void,
): AsyncGenerator<string> {
  let after = 0;
  for (
    let batch = await commentsAfter(sql, postId, after);
    batch.length > 0;
    batch = await commentsAfter(sql, postId, after)
  ) {
    const items = batch.map(({ id, author, text, status, created_at, username }) =>
      JSON.stringify({
        id: Number(id),
        author,
        text,
        status,
        created_at: new Date(created_at),
        created_by: username,
      }),
    );
    yield `${after === 0 ? "" : ","}${items.join(",")}`;
    onWritten(batch.length);
    after = Number(batch.at(-1)?.id);
  }
}

async function postsAfter(sql: Sql, id: number): Promise<PostRow[]> {
  return sql<PostRow>`
    select posts.id, title, content, published, posts.created_at, posts.updated_at, published_at, username
    from posts left join accounts on accounts.id = created_by
    where posts.id > ${id} order by posts.id limit ${POSTS}`;
}

async function commentsAfter(sql: Sql, postId: number, id: number): Promise<CommentRow[]> {
  return sql<CommentRow>`
    select comments.id, author, text, status, comments.created_at, username
    from comments left join accounts on accounts.id = created_by
    where post_id = ${postId} and comments.id > ${id} order by comments.id limit ${COMMENTS}`;
}
