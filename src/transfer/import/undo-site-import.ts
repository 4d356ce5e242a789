import { setImmediate } from "node:timers/promises";
import type { Database, Instant, Sql } from "../../database/database.ts";
import { deleteMedia } from "../../media/media-store.ts";
import { countCommentChanges } from "../../posts/comments/comment-store.ts";
import { deleteEdit, lockEdit } from "../../posts/editing/edit-store.ts";
import { findUsedMedia } from "../../posts/editing/shown-media.ts";
import { indexedPosts } from "../../posts/indexed-posts.ts";
import { collectionOf } from "../../posts/post.ts";
import { PostCounts } from "../../posts/post-counters.ts";
import { lockPosts, lockPostsOf, touchPost } from "../../posts/post-store.ts";
import { removeEntries } from "../../search/index/entries.ts";
import { addedRows, type RecordedRow } from "./recorded-imports.ts";
import { STYLE_SHEET, storedName } from "./setting-values.ts";
import { undoImportWithin } from "./undo-import.ts";

/** The report of undoing an import of posts or of an archive, and the document that `import --undo --json` prints. */
export interface SiteUndoReport {
  readonly import_id: number;
  readonly file: string;
  readonly imported_at: string;
  readonly dry_run: boolean;
  /** Records that the import had added and that are removed, by their kind. */
  readonly removed: Readonly<Record<string, number>>;
  /** The records that were kept, since they or related records have changed. */
  readonly kept: readonly KeptRecord[];
}

export interface KeptRecord {
  readonly kind: string;
  readonly id: number | null;
  readonly key: string | null;
  readonly title: string;
}

/**
 * Undoes an import of posts or of an archive in one transaction. A post stays, with its comments, when it, its
 * publication or its comments have changed since, or when it is being edited; a comment, working copy, setting or
 * bookmark stays when it has changed; an image while it is used.
 *
 * @throws Refusal as {@link Database.write} does; `not_found`; `conflict` when it was already undone
 */
export function undoSiteImport(database: Database, id: number, now: Date): Promise<SiteUndoReport> {
  return database.write((sql) => undo(sql, id, now, false));
}

/** A dry run of {@link undoSiteImport}; changes nothing. @throws Refusal as it does */
export async function previewSiteUndo(database: Database, id: number, now: Date): Promise<SiteUndoReport> {
  try {
    await database.write(async (sql) => {
      throw new Previewed(await undo(sql, id, now, true));
    });
  } catch (error) {
    if (error instanceof Previewed) return error.report;
    throw error;
  }
  throw new Error("a preview must not be stored");
}

/** Thrown to roll back the transaction of a preview. */
class Previewed extends Error {
  readonly report: SiteUndoReport;

  constructor(report: SiteUndoReport) {
    super("previewed");
    this.report = report;
  }
}

async function undo(sql: Sql, id: number, now: Date, isDry: boolean): Promise<SiteUndoReport> {
  const bookmarks = await undoImportWithin(sql, id, now);
  const undoing = new Undoing(sql, id, now);
  undoing.count("bookmark", bookmarks.removed);
  for (const { bookmark_id, title } of bookmarks.kept)
    undoing.kept.push({ kind: "bookmark", id: bookmark_id, key: null, title });
  await undoing.each("edit", (rows) => undoing.removeEdits(rows));
  const posts = await undoing.removePosts();
  await undoing.removeComments(posts);
  await undoing.each("setting", (rows) => undoing.removeSettings(rows));
  await undoing.each("image", (rows) => undoing.removeImages(rows));
  const { file, imported_at } = bookmarks;
  return { import_id: id, file, imported_at, dry_run: isDry, removed: undoing.removed, kept: undoing.kept };
}

class Undoing {
  readonly #sql: Sql;
  readonly #importId: number;
  readonly #now: Date;
  readonly removed: Record<string, number> = {};
  readonly kept: KeptRecord[] = [];

  constructor(sql: Sql, importId: number, now: Date) {
    this.#sql = sql;
    this.#importId = importId;
    this.#now = now;
  }

  count(kind: string, count: number): void {
    if (count > 0) this.removed[kind] = (this.removed[kind] ?? 0) + count;
  }

  /** Removes the added records of a kind. @param remove returns the rows whose records stay */
  async each(kind: string, remove: (rows: RecordedRow[]) => Promise<RecordedRow[]>): Promise<void> {
    for await (const rows of addedRows(this.#sql, this.#importId, kind)) {
      for (const { id, key, title } of await remove(rows)) this.kept.push({ kind, id, key, title });
      // On SQLite, only this lets other requests of the process run.
      await setImmediate();
    }
  }

  async removePosts(): Promise<PostCounts> {
    const counts = new PostCounts();
    await this.each("post", async (rows) => {
      const ids = rows.flatMap(({ id }) => id ?? []);
      // Waits for other changes of posts and their comments, before it is read whether there were any.
      await lockPosts(this.#sql, ids);
      const unchanged = await this.#unchangedPosts(ids);
      for (const { published, created_at } of unchanged)
        counts.add(collectionOf(Boolean(published)), new Date(created_at), -1);
      const removed = new Set(unchanged.map(({ id }) => Number(id)));
      if (removed.size > 0) {
        const comments = await this.#sql`
          delete from comments where post_id in ${[...removed]} returning id`;
        this.#commentChanges += comments.length;
        this.count("comment", comments.length);
        await this.#sql`delete from posts where id in ${[...removed]}`;
        await removeEntries(this.#sql, indexedPosts, [...removed]);
      }
      this.count("post", removed.size);
      const there = new Set(await this.#existingPosts(ids));
      return rows.filter(({ id }) => id !== null && !removed.has(id) && there.has(id));
    });
    return counts;
  }

  /** Removes comments on posts that were there before the import. @param posts counted after the comments */
  async removeComments(posts: PostCounts): Promise<void> {
    const touched = new Set<number>();
    await this.each("comment", async (rows) => {
      const ids = rows.flatMap(({ id }) => id ?? []);
      await lockPostsOf(this.#sql, ids);
      const found = await this.#sql<{ id: number; post_id: number; status: string; own: number }>`
        select id, post_id, status, (select count(*) from import_rows r
          where r.import_id = ${this.#importId} and r.kind = 'post' and r.outcome = 'added'
            and r.record_id = comments.post_id) as own
        from comments where id in ${ids}`;
      const there = new Map(found.map((comment) => [Number(comment.id), comment]));
      const removable = rows.filter(({ id, key }) => {
        const comment = there.get(id ?? 0);
        return comment !== undefined && comment.status === key && Number(comment.own) === 0;
      });
      for (const { id } of removable) touched.add(Number(there.get(id ?? 0)?.post_id));
      if (removable.length > 0)
        await this.#sql`delete from comments where id in ${removable.map(({ id }) => id ?? 0)}`;
      this.#commentChanges += removable.length;
      this.count("comment", removable.length);
      return rows.filter((row) => there.has(row.id ?? 0) && !removable.includes(row));
    });
    if (this.#commentChanges > 0) await countCommentChanges(this.#sql, this.#commentChanges);
    await posts.store(this.#sql);
    for (const id of [...touched].toSorted((a, b) => a - b)) await touchPost(this.#sql, id);
  }

  #commentChanges = 0;

  async removeEdits(rows: RecordedRow[]): Promise<RecordedRow[]> {
    const kept: RecordedRow[] = [];
    for (const row of rows) {
      const edit = row.key === null ? undefined : await lockEdit(this.#sql, row.key);
      if (edit === undefined) continue;
      if (edit.version !== row.version) kept.push(row);
      else {
        await deleteEdit(this.#sql, edit.key);
        this.count("edit", 1);
      }
    }
    return kept;
  }

  async removeImages(rows: RecordedRow[]): Promise<RecordedRow[]> {
    const used = await findUsedMedia(this.#sql);
    const kept: RecordedRow[] = [];
    for (const row of rows) {
      if (row.key === null) continue;
      if (used.has(row.key)) kept.push(row);
      else if (await deleteMedia(this.#sql, row.key, this.#now)) this.count("image", 1);
    }
    return kept;
  }

  async removeSettings(rows: RecordedRow[]): Promise<RecordedRow[]> {
    const kept: RecordedRow[] = [];
    for (const row of rows) {
      const name = storedName(row.key ?? "");
      const [setting] = await this.#sql<{ updated_at: Instant }>`
        update site_settings set value = value where name = ${name} returning updated_at`;
      if (setting === undefined) continue;
      if (new Date(setting.updated_at).getTime() !== row.version) kept.push(row);
      else {
        await this.#sql`delete from site_settings where name = ${name}`;
        if (row.key === STYLE_SHEET) await this.#sql`delete from themes`;
        this.count("setting", 1);
      }
    }
    return kept;
  }

  /** Posts that have not changed since the import, and neither have their comments. @param ids at least one */
  #unchangedPosts(ids: readonly number[]) {
    const mine = this.#importId;
    return this.#sql<{ id: number; published: boolean | number; created_at: Instant }>`
      select p.id, p.published, p.created_at from posts p
        join import_rows r on r.kind = 'post' and r.record_id = p.id and r.import_id = ${mine}
      where p.id in ${ids} and r.outcome = 'added'
        and p.version + p.publication_version = r.record_version
        and not exists (select 1 from comments c where c.post_id = p.id and not exists (
          select 1 from import_rows k where k.kind = 'comment' and k.record_id = c.id
            and k.import_id = ${mine} and k.outcome = 'added' and k.record_key = c.status))
        and not exists (select 1 from edits e where e.post_id = p.id)`;
  }

  async #existingPosts(ids: readonly number[]): Promise<number[]> {
    const rows = await this.#sql<{ id: number }>`select id from posts where id in ${ids}`;
    return rows.map(({ id }) => Number(id));
  }
}
