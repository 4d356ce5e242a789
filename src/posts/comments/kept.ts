import { z } from "zod";
import { pages } from "../../batches.ts";
import type { Instant, Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import { kept, type RecordCount, SHORT_AT_ONCE, text as textOf } from "../../kept/kept.ts";
import { instant, optionalUsername } from "../../kept/record-fields.ts";
import { text } from "../../text.ts";
import { PostCounts } from "../post-counters.ts";
import { lockPostsOf, touchPosts } from "../post-store.ts";
import { AUTHOR_MAX, COMMENT_MAX, CommentStatus } from "./comment.ts";
import { CommentChanges } from "./comment-store.ts";
import { importComments } from "./import-comments.ts";
import { forgetSenders } from "./waiting-comments.ts";

const shape = z.object({
  author: text({ min: 1, max: AUTHOR_MAX }),
  text: text({ min: 1, max: COMMENT_MAX }),
  status: CommentStatus,
  created_at: instant,
  created_by: optionalUsername,
  reasons: text({ max: 1_000 }).nullable().default(null),
  /** The reference of the comment to which it replies: in our own formats its id. */
  parent: z
    .union([z.int().min(1).transform(String), text({ min: 1, max: 500 })])
    .nullable()
    .default(null),
});

/** A checked comment of a file. */
export type CommentRecord = z.output<typeof shape>;

interface Row {
  readonly id: number;
  readonly post_id: number;
  readonly author: string;
  readonly text: string;
  readonly status: CommentStatus;
  readonly created_at: Instant;
  readonly username: string | null;
  readonly reasons: string | null;
  readonly parent: number | null;
}

/** All comments, or those of one post. A comment whose parent is gone has none. */
export async function* archivedComments(sql: Sql, ofPost?: number) {
  const among = ofPost === undefined ? fragment`` : fragment`post_id = ${ofPost} and`;
  const after = (last?: Row) => sql<Row>`
    select comments.id, post_id, author, text, status, comments.created_at, username, reasons,
      (select p.id from comments p where p.id = comments.parent_id) as parent
    from comments left join accounts on accounts.id = created_by
    where ${among} comments.id > ${Number(last?.id ?? 0)} order by comments.id limit ${SHORT_AT_ONCE}`;
  for await (const rows of pages(after))
    for (const { id, post_id, author, text: said, status, created_at, username, reasons, parent } of rows)
      yield {
        ...{ id: Number(id), post: Number(post_id), author, text: said, status },
        ...{ created_at: textOf(created_at), created_by: username, reasons },
        parent: parent === null ? null : Number(parent),
      };
}

const FIRST = new Date(0);
const LAST = new Date("9999-12-31T23:59:59.999Z");

/** Comments of any status. */
export const keptComments = kept({
  kind: "comment",
  names: ["comment", "comments"],
  /** The networks from which they came. */
  purge: forgetSenders,
  archive: {
    file: "comments.jsonl",
    shape,
    title: "author",
    of: "post",
    table: "comments",
    records: archivedComments,
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

  check: async (sql) => [
    [
      "comments with an id below 1 or a date beyond the years 1970 to 9999",
      await sql<RecordCount>`select count(*) as n, min(id) as example from comments
        where id < 1 or created_at < ${FIRST} or created_at > ${LAST}`,
    ],
  ],
});
