import type { Instant, Sql } from "../../database/database.ts";
import { type Fragment, fragment } from "../../database/fragment.ts";
import type { CommentStatus } from "../../records/comment-members.ts";
import type { PostKind } from "../../records/publication-members.ts";
import { shownTitle } from "../shown-title.ts";

/** A comment with its post, as moderators see it. */
export interface CommentWithPost {
  readonly id: number;
  readonly author: string;
  readonly text: string;
  /** The author of the comment that it answers. */
  readonly answered: string | undefined;
  readonly createdAt: Date;
  readonly status: CommentStatus;
  /** The network from which a stranger sent it, for 30 days. */
  readonly sender: string | undefined;
  /** Why it waited: codes of `messages.blog.moderation.reasons`. */
  readonly reasons: readonly string[];
  readonly post: {
    readonly id: number;
    readonly title: string;
    readonly slug: string | null;
    readonly kind: PostKind;
  };
}

/** The position from which a list of comments continues. */
export type CommentPosition = Pick<CommentWithPost, "id" | "createdAt">;

interface Row {
  readonly id: number;
  readonly author: string;
  readonly text: string;
  readonly answered: string | null;
  readonly created_at: Instant;
  readonly status: CommentStatus;
  readonly sender: string | null;
  readonly reasons: string | null;
  readonly post_id: number;
  readonly title: string;
  readonly slug: string | null;
  readonly kind: PostKind;
}

const SELECTED = fragment`
  select comments.id, author, text, comments.created_at, comments.status, sender, reasons, comments.post_id, title, slug, kind,
    (select parents.author from comments parents where parents.id = comments.parent_id) as answered
  from comments join posts on posts.id = comments.post_id`;

const ORDERS: Readonly<Record<"oldest" | "newest", Fragment>> = {
  oldest: fragment`order by comments.created_at, comments.id`,
  newest: fragment`order by comments.created_at desc, comments.id desc`,
};

/** Comments of a status. @param before only those that are older */
export async function listCommentsWithPosts(
  sql: Sql,
  status: CommentStatus,
  first: keyof typeof ORDERS,
  limit: number,
  before?: CommentPosition,
): Promise<CommentWithPost[]> {
  const older =
    before === undefined
      ? fragment``
      : fragment`and (comments.created_at < ${before.createdAt}
          or (comments.created_at = ${before.createdAt} and comments.id < ${before.id}))`;
  const rows = await sql<Row>`${SELECTED} where status = ${status} ${older} ${ORDERS[first]} limit ${limit}`;
  return rows.map(commentOf);
}

/** Comments by their ids, oldest first. */
export async function findCommentsWithPosts(sql: Sql, ids: readonly number[]): Promise<CommentWithPost[]> {
  if (ids.length === 0) return [];
  const rows = await sql<Row>`${SELECTED} where comments.id in ${ids} ${ORDERS.oldest}`;
  return rows.map(commentOf);
}

function commentOf(row: Row): CommentWithPost {
  return {
    id: Number(row.id),
    author: row.author,
    text: row.text,
    answered: row.answered ?? undefined,
    createdAt: new Date(row.created_at),
    status: row.status,
    sender: row.sender ?? undefined,
    reasons: row.reasons?.split(" ") ?? [],
    post: { id: Number(row.post_id), title: shownTitle(row.title), slug: row.slug, kind: row.kind },
  };
}
