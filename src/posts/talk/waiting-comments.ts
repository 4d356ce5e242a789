import type { Instant, Sql } from "../../database/database.ts";
import { type Fragment, fragment } from "../../database/fragment.ts";
import type { PostKind } from "../publication/publication.ts";

/** A comment that waits for a decision, with its post. */
export interface WaitingComment {
  readonly id: number;
  readonly author: string;
  readonly text: string;
  readonly createdAt: Date;
  /** Codes of `words.blog.moderation.reasons`. */
  readonly reasons: readonly string[];
  readonly post: {
    readonly id: number;
    readonly title: string;
    readonly slug: string | null;
    readonly kind: PostKind;
  };
}

interface WaitingRow {
  readonly id: number;
  readonly author: string;
  readonly text: string;
  readonly created_at: Instant;
  readonly reasons: string | null;
  readonly post_id: number;
  readonly title: string;
  readonly slug: string | null;
  readonly kind: PostKind | null;
}

const ORDERS: Readonly<Record<"oldest" | "newest", Fragment>> = {
  oldest: fragment`order by comments.created_at, comments.id`,
  newest: fragment`order by comments.created_at desc, comments.id desc`,
};

/** Comments that wait. */
export async function listWaiting(
  sql: Sql,
  first: keyof typeof ORDERS,
  limit: number,
): Promise<WaitingComment[]> {
  const rows = await sql<WaitingRow>`
    select comments.id, author, text, comments.created_at, reasons, comments.post_id, title, slug, kind
    from comments join posts on posts.id = comments.post_id
      left join publications on publications.post_id = posts.id
    where status = 'waiting' ${ORDERS[first]} limit ${limit}`;
  return rows.map((row) => ({
    id: Number(row.id),
    author: row.author,
    text: row.text,
    createdAt: new Date(row.created_at),
    reasons: row.reasons?.split(" ") ?? [],
    post: { id: Number(row.post_id), title: row.title, slug: row.slug, kind: row.kind ?? "post" },
  }));
}
