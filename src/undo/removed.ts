import { findBookmarks } from "../bookmarks/bookmark-store.ts";
import { anyOf, standing } from "../changes/change-store.ts";
import type { Instant, Sql } from "../database/database.ts";
import { fragment } from "../database/fragment.ts";
import type { RemovedMark } from "../marks/undo-marks.ts";
import { findTaggedPosts } from "../posts/post-store.ts";
import type { RemovedComment } from "../posts/removal/remove-comments.ts";

/** A removed record that can be restored. */
export interface Removed {
  readonly id: number;
  readonly removedAt: Date;
  /** The number of the change that removed it. */
  readonly change: number;
  /** The key that undoes the whole change. */
  readonly undo: string;
  readonly record: string;
  readonly title: string;
  /** Of a bookmark. */
  readonly url?: string;
  readonly description?: string;
  readonly comment?: Pick<RemovedComment, "author" | "text"> & Part;
  readonly mark?: Pick<RemovedMark, "quote"> & Part;
}

/** Of a part of another record: a comment or a mark. */
interface Part {
  /** The title of its post, or of its link; undefined while that is gone, and the part cannot come back. */
  readonly on: string | undefined;
}

/** The end of a page of removed records. */
export type RemovedPosition = Pick<Removed, "change" | "id">;

interface Row {
  readonly change_id: number;
  readonly record: string;
  readonly record_id: number;
  /** Of a post, the details of the change: its text may be long. */
  readonly before: string;
  readonly created_at: Instant;
  readonly key: string;
}

/** At most `limit` removed records, those removed last first (then by id, descending). @param of at least one kind */
export async function listRemoved(
  sql: Sql,
  of: readonly string[],
  now: Date,
  limit: number,
  after?: RemovedPosition,
): Promise<Removed[]> {
  const where = after ? fragment`and (change_id, record_id) < (${after.change}, ${after.id})` : fragment``;
  const rows = await sql<Row>`
    select change_id, change_rows.record, record_id, key, changes.created_at,
      case when change_rows.record = 'post' then details else before end as before
    from change_rows join changes on changes.id = change_id and changes.record = change_rows.record
    where outcome = 'deleted' and changes.record in ${anyOf(of)} and ${standing(now)} ${where}
    order by change_id desc, record_id desc limit ${limit}`;
  const posts = await postsOf(sql, rows);
  const links = await linksOf(sql, rows);
  return rows.map((row) => {
    const { record } = row;
    const before = JSON.parse(row.before);
    const common = {
      id: Number(row.record_id),
      removedAt: new Date(row.created_at),
      change: Number(row.change_id),
      undo: row.key,
    };
    const { title, url, description } = before;
    if (record === "mark") {
      const { quote, bookmark } = before as RemovedMark;
      const link = links.get(bookmark);
      return { ...common, record, title: quote, mark: { quote, on: link && (link.title || link.url) } };
    }
    if (record !== "comment") return { ...common, record, title, url, description };
    const { author, text, post } = before as RemovedComment;
    return { ...common, record, title: author, comment: { author, text, on: posts.get(post)?.title } };
  });
}

function linksOf(sql: Sql, rows: readonly Row[]) {
  const ids = rows.flatMap(({ record, before }) =>
    record === "mark" ? [(JSON.parse(before) as RemovedMark).bookmark] : [],
  );
  return findBookmarks(sql, ids);
}

async function postsOf(sql: Sql, rows: readonly Row[]) {
  const ids = rows.flatMap(({ record, before }) =>
    record === "comment" ? [(JSON.parse(before) as RemovedComment).post] : [],
  );
  return ids.length === 0 ? new Map<number, never>() : findTaggedPosts(sql, ids);
}
