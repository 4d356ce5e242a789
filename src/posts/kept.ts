import { accessOf } from "../accounts/scope.ts";
import type { Instant } from "../database/database.ts";
import { FIRST_INSTANT, kept, LAST_INSTANT, type RecordCount } from "../kept/kept.ts";
import { PostRecord } from "../records/record.ts";
import { removeEntries } from "../search/index/entries.ts";
import { CommentChanges } from "./comments/comment-store.ts";
import { type ArchivedPost, postLines } from "./import/archived-posts.ts";
import { importPosts } from "./import/import-posts.ts";
import { indexedPosts } from "./indexed-posts.ts";
import { collectionOf } from "./post.ts";
import { PostCounts } from "./post-counters.ts";
import { lockPosts } from "./post-store.ts";
import { purgeRemovedPosts } from "./removal/remove-post.ts";
import { postUndoer } from "./removal/restore-posts.ts";

const { readAccess, writeAccess } = accessOf("private", "posts");

/** Posts and drafts. */
export const keptPosts = kept({
  kind: "post",
  names: ["post", "posts"],
  /** A removed post may have many versions and comments. */
  purge: (sql, now, limit) => purgeRemovedPosts(sql, now, Math.ceil(limit / 50)),
  archive: {
    file: "posts.jsonl",
    shape: PostRecord,
    title: "title",
    table: "posts",
    lines: postLines,

    async files(_, line) {
      // Loaded on demand: a start needs no YAML.
      const { markdownCopy, markdownPath } = await import("./import/markdown-copy.ts");
      const post = line as ArchivedPost;
      return [{ path: markdownPath(post), content: async () => markdownCopy(post) }];
    },

    bringIn: importPosts,

    /** A post stays, with its comments, when it, its publication or its comments have changed since, or when it is being edited. */
    async takeBack(undo) {
      const { sql, importId } = undo;
      const comments = undo.shared(CommentChanges);
      const counts = undo.shared(PostCounts);
      await undo.each(async (rows) => {
        const ids = rows.flatMap(({ id }) => id ?? []);
        // Waits for other changes of posts and their comments, before it is read whether there were any.
        await lockPosts(sql, ids);
        const unchanged = await sql<{ id: number; published: boolean | number; created_at: Instant }>`
          select p.id, p.published, p.created_at from posts p
            join import_rows r on r.kind = 'post' and r.record_id = p.id and r.import_id = ${importId}
          where p.id in ${ids} and r.outcome = 'added'
            and p.version + p.publication_version = r.record_version
            and not exists (select 1 from comments c where c.post_id = p.id and not exists (
              select 1 from import_rows k where k.kind = 'comment' and k.record_id = c.id
                and k.import_id = ${importId} and k.outcome = 'added' and k.record_key = c.status))
            and not exists (select 1 from edits e where e.post_id = p.id)`;
        for (const { published, created_at } of unchanged)
          counts.add(collectionOf(Boolean(published)), new Date(created_at), -1);
        const removed = new Set(unchanged.map(({ id }) => Number(id)));
        if (removed.size > 0) {
          const ofPosts = await sql`delete from comments where post_id in ${[...removed]} returning id`;
          comments.add(ofPosts.length);
          undo.count(ofPosts.length, "comment");
          await sql`delete from posts where id in ${[...removed]}`;
          await removeEntries(sql, indexedPosts, [...removed]);
        }
        undo.count(removed.size);
        const left = await sql<{ id: number }>`select id from posts where id in ${ids}`;
        const there = new Set(left.map(({ id }) => Number(id)));
        return rows.filter(({ id }) => id !== null && !removed.has(id) && there.has(id));
      });
    },
  },

  undo: { undoer: postUndoer, service: "posts", access: { write: writeAccess, read: readAccess } },

  check: async (sql) => [
    [
      "posts with an id or version below 1, or a date beyond the years 1970 to 9999",
      await sql<RecordCount>`select count(*) as n, min(id) as example from posts where id < 1 or version < 1
        or created_at < ${FIRST_INSTANT} or created_at > ${LAST_INSTANT} or updated_at < ${FIRST_INSTANT} or updated_at > ${LAST_INSTANT}`,
    ],
    [
      "published posts without a date of publication",
      await sql<RecordCount>`select count(*) as n, min(id) as example from posts
        where published = ${true} and published_at is null`,
    ],
  ],
});
