import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { inBatches, pages } from "../../batches.ts";
import type { Instant } from "../../database/database.ts";
import { type Fragment, fragment, joined } from "../../database/fragment.ts";
import type { ImportRun, StagedOfKind } from "../../kept/import-run.ts";
import { NO_POST, type RecordResult, type StagedRecord, thereAlready } from "../../kept/staged-record.ts";
import type { RecordOf } from "../../records/record.ts";
import { type ImportedComment, insertImportedComments } from "../import/insert-imported-posts.ts";
import { PostCounts } from "../post-counters.ts";
import { touchPosts } from "../post-store.ts";
import { findPostOfPath } from "../publication/redirects.ts";
import { CommentChanges } from "./comment-store.ts";

/** A reply that came before the comment to which it replies, or without it. */
interface LateReply {
  readonly id: number;
  readonly position: number;
  readonly own: string | null;
  readonly parent: string;
}

/** The most late replies that are linked at a time. */
const LATE_REPLIES = 500;

/**
 * Imports comments, including new ones on existing posts, which count as changed, and to which one each replies. Duplicates
 * are skipped.
 */
export async function importComments(
  run: ImportRun,
  comments: StagedOfKind<RecordOf<"comment">>,
): Promise<void> {
  const changed = new Set<number>();
  const ids = await run.ids("comments");
  const { references } = run;
  const late: LateReply[] = [];
  const unknown = new UnknownPaths();
  const known = new KnownComments(run);
  let stored = 0;
  await comments.each(async (batch) => {
    await ids.prepare(batch.length);
    await unknown.bindKnown(run, batch);
    await known.prepare(batch);
    const added: ImportedComment[] = [];
    const results = batch.map((staged): RecordResult => {
      const { position, record, ref, parent, wantedId } = staged;
      const post = parent === null ? undefined : references.resolve("post", parent);
      if (parent?.startsWith("/") && post === undefined) return unknown.skip(parent, position);
      if (parent === null || post === undefined) return { position, ...NO_POST };
      const own = ref === null ? null : refOnPost(parent, ref);
      const same =
        post.id === null ? undefined : known.find(post.id, record.created_at, record.author, record.text);
      if (same !== undefined) {
        if (own !== null) references.bind("comment", own, same, false);
        return thereAlready(position, `This comment is already here, as comment ${same}.`, { id: same });
      }
      const id = ids.take(wantedId);
      const repliesTo = record.parent === null ? null : refOnPost(parent, record.parent);
      const found = repliesTo === null ? undefined : references.resolve("comment", repliesTo);
      if (repliesTo !== null && found === undefined) late.push({ id, position, own, parent: repliesTo });
      if (own !== null) references.bind("comment", own, run.isDry ? null : id, true);
      const createdBy = run.commenterOf(record.created_by);
      if (post.id !== null && !post.isNew) changed.add(post.id);
      if (post.id !== null)
        added.push({
          ...{ id, postId: post.id, author: record.author, text: record.text, status: record.status },
          ...{ createdAt: new Date(record.created_at), createdBy },
          reasons: record.reasons,
          parentId: found?.id ?? null,
        });
      return { position, outcome: "added", id: run.isDry ? null : id, key: record.status };
    });
    if (!run.isDry) await insertImportedComments(run.sql, added);
    stored += added.length;
    return results;
  });
  await linkLateReplies(run, late);
  unknown.report(run);
  if (run.isDry) return;
  await touchPosts(run.sql, changed, run.shared(PostCounts));
  run.shared(CommentChanges).add(stored);
}

/** The number of paths without a post that a report names. */
const PATHS_NAMED = 10;

/** The paths of posts that comments of a file name, and that no post has. */
class UnknownPaths {
  readonly #comments = new Map<string, { count: number; readonly first: number }>();

  /** Binds the paths that posts have. */
  async bindKnown(
    { sql, references }: ImportRun,
    batch: readonly StagedRecord<RecordOf<"comment">>[],
  ): Promise<void> {
    for (const { parent } of batch) {
      if (!parent?.startsWith("/") || this.#comments.has(parent)) continue;
      if (references.resolve("post", parent) !== undefined) continue;
      const id = await findPostOfPath(sql, parent);
      if (id !== undefined) references.bind("post", parent, id, false);
    }
  }

  skip(path: string, position: number): RecordResult {
    const known = this.#comments.get(path);
    if (known === undefined) this.#comments.set(path, { count: 1, first: position });
    else known.count++;
    const detail = `No post here has the address ${path}.`;
    return { position, outcome: "skipped", reason: "no_post", detail };
  }

  report(run: ImportRun): void {
    const [first] = this.#comments.values();
    if (first === undefined) return;
    const paths = [...this.#comments].map(([path, { count }]) => `${path} (${count})`);
    const more = paths.length > PATHS_NAMED ? `, and ${paths.length - PATHS_NAMED} more` : "";
    const detail = `No post here has the address of these comments: ${paths.slice(0, PATHS_NAMED).join(", ")}${more}. Import the posts before their comments.`;
    run.note(first.first, "no_post", detail);
  }
}

/** The reference of a comment on a post of the file. A reply to a comment on another post finds none. */
function refOnPost(post: string, comment: string): string {
  return JSON.stringify([post, comment]);
}

async function linkLateReplies(run: ImportRun, late: readonly LateReply[]): Promise<void> {
  const alone: LateReply[] = [];
  for (const batch of inBatches(late, LATE_REPLIES)) {
    const links: Fragment[] = [];
    for (const reply of batch) {
      const isToItself = reply.parent === reply.own;
      const found = isToItself ? undefined : run.references.resolve("comment", reply.parent);
      if (found === undefined) alone.push(reply);
      else links.push(fragment`(cast(${reply.id} as bigint), cast(${found.id} as bigint))`);
    }
    if (links.length > 0 && !run.isDry)
      await run.sql`
        with linked (id, parent_id) as (values ${joined(links, fragment`, `)})
        update comments set parent_id = linked.parent_id from linked where comments.id = linked.id`;
    // On SQLite, only this lets other requests of the process run.
    await setImmediate();
  }
  const [first] = alone;
  if (first === undefined) return;
  const detail =
    alone.length === 1
      ? "1 comment replies to one that did not come in; it stands alone."
      : `${alone.length} comments reply to others that did not come in; they stand alone.`;
  run.note(first.position, "reply_alone", detail);
}

/** Existing comments that are read at a time: each may have {@link COMMENT_MAX} characters. */
const COMMENTS_AT_ONCE = 100;

/** The comments from before the import on posts that the file has comments on: each is read once. */
class KnownComments {
  readonly #run: ImportRun;
  /** By post, the ids of its comments by their digests: memory does not grow with their texts. */
  readonly #byPost = new Map<number, Map<string, number>>();

  constructor(run: ImportRun) {
    this.#run = run;
  }

  /** Reads the comments of the posts from before the import that a batch has comments on. */
  async prepare(batch: readonly StagedRecord<RecordOf<"comment">>[]): Promise<void> {
    for (const { parent } of batch) {
      const post = parent === null ? undefined : this.#run.references.resolve("post", parent);
      if (post === undefined || post.isNew || post.id === null || this.#byPost.has(post.id)) continue;
      this.#byPost.set(post.id, await this.#read(post.id));
    }
  }

  find(postId: number, createdAt: string, author: string, text: string): number | undefined {
    return this.#byPost.get(postId)?.get(digestOf(createdAt, author, text));
  }

  async #read(postId: number): Promise<Map<string, number>> {
    const { sql } = this.#run;
    const known = new Map<string, number>();
    // In the order of the index by post.
    const read = (last: CommentRow | undefined) =>
      last === undefined
        ? sql<CommentRow>`
            select id, status, author, text, created_at from comments where post_id = ${postId}
            order by status, created_at, id limit ${COMMENTS_AT_ONCE}`
        : sql<CommentRow>`
            select id, status, author, text, created_at from comments
            where post_id = ${postId} and (status, created_at, id) > (${last.status}, ${last.created_at}, ${last.id})
            order by status, created_at, id limit ${COMMENTS_AT_ONCE}`;
    for await (const rows of pages<CommentRow>(async (last) => read(last)))
      for (const { id, author, text, created_at } of rows)
        known.set(digestOf(new Date(created_at).toISOString(), author, text), Number(id));
    return known;
  }
}

interface CommentRow {
  readonly id: number;
  readonly status: string;
  readonly author: string;
  readonly text: string;
  readonly created_at: Instant;
}

function digestOf(createdAt: string, author: string, text: string): string {
  return createHash("sha256")
    .update(JSON.stringify([createdAt, author, text]))
    .digest("base64url");
}
