import type { Scope } from "../../accounts/scope.ts";
import { fragment } from "../../database/fragment.ts";
import type { Access } from "../../http/access.ts";
import { FIRST_INSTANT, kept, LAST_INSTANT, type RecordCount } from "../../kept/kept.ts";
import { tableLines, text } from "../../kept/lines.ts";
import { CommentRecord, type RawRecord } from "../../records/record.ts";
import { PostCounts } from "../post-counters.ts";
import { lockPostsOf, touchPosts } from "../post-store.ts";
import { commentUndoer } from "../removal/restore-comments.ts";
import { CommentChanges } from "./comment-store.ts";
import { importComments } from "./import-comments.ts";
import { forgetSenders } from "./waiting-comments.ts";

const moderates: Access = { scope: "comments:moderate" satisfies Scope, anonymous: false };

/** All comments, or those of one post. A comment whose parent is gone has none. */
export function commentLines(ofPost?: number) {
  return tableLines<RawRecord<"comment"> & { readonly id: number; readonly post: number }>({
    columns: fragment`comments.id, post_id as post, author, text, status, comments.created_at, username as created_by,
      reasons, (select p.id from comments p where p.id = comments.parent_id) as parent`,
    from: fragment`comments left join accounts on accounts.id = comments.created_by`,
    where: ofPost === undefined ? fragment`true` : fragment`post_id = ${ofPost}`,
    key: [fragment`comments.id`, "id"],
    as: { id: Number, post: Number, created_at: text, parent: Number },
    ids: "comments",
  });
}

/** Comments of any status. */
export const keptComments = kept({
  kind: "comment",
  names: ["comment", "comments"],
  /** The networks from which they came. */
  purge: forgetSenders,
  archive: {
    file: "comments.jsonl",
    shape: CommentRecord,
    title: "author",
    of: "post",
    table: "comments",
    lines: commentLines(),
    bringIn: importComments,

    /** Those on posts that were there before the import, unless somebody has decided on them. */
    async takeBack(undo) {
      const { sql, importId } = undo;
      const touched = new Set<number>();
      await undo.each(async (rows) => {
        const ids = rows.flatMap(({ id }) => id ?? []);
        await lockPostsOf(sql, ids);
        const found = await sql<{ id: number; post_id: number; status: string; own: number }>`
          select id, post_id, status, (select count(*) from import_rows r
            where r.import_id = ${importId} and r.kind = 'post' and r.outcome = 'added'
              and r.record_id = comments.post_id) as own
          from comments where id in ${ids}`;
        const there = new Map(found.map((comment) => [Number(comment.id), comment]));
        const removable = rows.filter(({ id, key }) => {
          const comment = there.get(id ?? 0);
          return comment !== undefined && comment.status === key && Number(comment.own) === 0;
        });
        for (const { id } of removable) touched.add(Number(there.get(id ?? 0)?.post_id));
        if (removable.length > 0)
          await sql`delete from comments where id in ${removable.map(({ id }) => id ?? 0)}`;
        undo.shared(CommentChanges).add(removable.length);
        undo.count(removable.length);
        return rows.filter((row) => there.has(row.id ?? 0) && !removable.includes(row));
      });
      await touchPosts(sql, touched, undo.shared(PostCounts));
    },
  },

  undo: { undoer: commentUndoer, service: "posts", access: { write: moderates, read: moderates } },

  check: async (sql) => [
    [
      "comments with an id below 1 or a date beyond the years 1970 to 9999",
      await sql<RecordCount>`select count(*) as n, min(id) as example from comments
        where id < 1 or created_at < ${FIRST_INSTANT} or created_at > ${LAST_INSTANT}`,
    ],
  ],
});
