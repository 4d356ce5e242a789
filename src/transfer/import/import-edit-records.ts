import { fragment, joined } from "../../database/fragment.ts";
import {
  type ImportedEdit,
  type ImportedVersion,
  insertImportedEdits,
  insertImportedVersions,
} from "../../posts/import/insert-imported-posts.ts";
import type { ImportRun } from "./import-run.ts";
import { NO_POST, type RecordResult, thereAlready } from "./staged-record.ts";

/** Imports the versions of new posts; those of existing posts are skipped. */
export async function importVersionRecords(run: ImportRun): Promise<void> {
  await run.each("version", async (batch) => {
    const added: ImportedVersion[] = [];
    const results = batch.map((staged): RecordResult => {
      const { position, record, parent } = staged;
      const post = parent === null ? undefined : run.staged.references.resolve("post", parent);
      if (post === undefined) return { position, ...NO_POST };
      if (!post.isNew)
        return thereAlready(position, "The post already exists, so its earlier versions are not imported.");
      const replacedBy = run.ownerOf(record.replaced_by);
      if (post.id !== null)
        added.push({
          ...{ postId: post.id, number: record.number, title: record.title, content: record.content },
          ...{ published: record.published, replacedAt: new Date(record.replaced_at) },
          replacedBy,
        });
      return { position, outcome: "added" };
    });
    if (!run.isDry) await insertImportedVersions(run.sql, added);
    return results;
  });
}

/** Inserts working copies whose keys do not exist yet. */
export async function importEditRecords(run: ImportRun): Promise<void> {
  await run.each("edit", async (batch) => {
    const keys = batch.map(({ record }) => fragment`key = ${record.key}`);
    const rows = await run.sql<{ key: string }>`select key from edits where ${joined(keys, fragment` or `)}`;
    const known = new Set(rows.map(({ key }) => key));
    const added: ImportedEdit[] = [];
    const results = batch.map(({ position, record, parent }): RecordResult => {
      const { key } = record;
      if (known.has(key))
        return thereAlready(position, "A working copy with this key already exists.", { key });
      known.add(key);
      const post = parent === null ? undefined : run.staged.references.resolve("post", parent);
      added.push({
        ...{
          key,
          title: record.title,
          content: record.content,
          fields: record.fields,
          version: record.version,
        },
        // The version numbers of another database do not apply to this post.
        ...{ postId: post?.id ?? null, baseVersion: post?.isNew === true ? record.base_version : null },
        ...{ createdAt: new Date(record.created_at), updatedAt: new Date(record.updated_at) },
        createdBy: run.ownerOf(record.created_by),
      });
      return { position, outcome: "added", key, version: record.version };
    });
    if (!run.isDry) await insertImportedEdits(run.sql, added);
    return results;
  });
}
