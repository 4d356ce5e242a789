import { z } from "zod";
import { pages } from "../../batches.ts";
import type { Instant } from "../../database/database.ts";
import { fragment, joined } from "../../database/fragment.ts";
import { kept, LONG_AT_ONCE, text as textOf } from "../../kept/kept.ts";
import { instant, optionalUsername, recordVersion } from "../../kept/record-fields.ts";
import { NO_POST, type RecordedRow, type RecordResult, thereAlready } from "../../kept/staged-record.ts";
import { text } from "../../text.ts";
import {
  type ImportedEdit,
  type ImportedVersion,
  insertImportedEdits,
  insertImportedVersions,
} from "../import/insert-imported-posts.ts";
import { parseEditKey } from "./edit.ts";
import { deleteEdit, lockEdit } from "./edit-store.ts";

interface VersionRow {
  readonly post_id: number;
  readonly number: number;
  readonly title: string;
  readonly content: string;
  readonly published: boolean | number;
  readonly replaced_at: Instant;
  readonly username: string | null;
}

/** The earlier versions of posts, which come and go with their posts. */
export const keptVersions = kept({
  kind: "version",
  names: ["earlier version", "earlier versions"],
  archive: {
    file: "versions.jsonl",
    shape: z.object({
      number: recordVersion,
      title: text({ max: 500 }),
      content: text(),
      published: z.boolean(),
      replaced_at: instant,
      replaced_by: optionalUsername,
    }),
    title: "title",
    isCounted: true,
    of: "post",

    async *records(sql) {
      const after = (last?: VersionRow) => sql<VersionRow>`
        select post_id, number, title, content, published, replaced_at, username
        from post_versions left join accounts on accounts.id = replaced_by
        where (post_id, number) > (${Number(last?.post_id ?? 0)}, ${Number(last?.number ?? 0)})
        order by post_id, number limit ${LONG_AT_ONCE}`;
      for await (const rows of pages(after))
        for (const { post_id, number, title, content, published, replaced_at, username } of rows)
          yield {
            ...{ post: Number(post_id), number: Number(number), title, content },
            ...{
              published: Boolean(published),
              replaced_at: textOf(replaced_at),
              replaced_by: username,
            },
          };
    },

    /** Those of new posts. */
    async bringIn(run, versions) {
      await versions.each(async (batch) => {
        const added: ImportedVersion[] = [];
        const results = batch.map((staged): RecordResult => {
          const { position, record, parent } = staged;
          const post = parent === null ? undefined : run.references.resolve("post", parent);
          if (post === undefined) return { position, ...NO_POST };
          if (!post.isNew)
            return thereAlready(
              position,
              "The post already exists, so its earlier versions are not imported.",
            );
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
    },
  },
});

interface EditRow {
  readonly key: string;
  readonly post_id: number | null;
  readonly base_version: number | null;
  readonly title: string;
  readonly content: string;
  readonly fields: string;
  readonly version: number;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly username: string | null;
}

/** Working copies. If the post of one is deleted, the copy is that of a new post. */
export const keptEdits = kept({
  kind: "edit",
  names: ["working copy", "working copies"],
  archive: {
    file: "edits.jsonl",
    shape: z.object({
      key: z.string().refine((key) => parseEditKey(key) === key, "A UUID in lower case."),
      base_version: recordVersion.nullable().default(null),
      title: text({ max: 5_000 }),
      content: text(),
      fields: z.record(text({ min: 1, max: 64 }), text({ max: 10_000 })).default({}),
      version: recordVersion.default(1),
      created_at: instant,
      updated_at: instant,
      created_by: optionalUsername,
    }),
    title: "title",
    of: "post",

    async *records(sql) {
      const after = (last?: EditRow) => sql<EditRow>`
        select key, posts.id as post_id, base_version, edits.title, edits.content, fields, edits.version,
          edits.created_at, edits.updated_at, username
        from edits left join posts on posts.id = post_id left join accounts on accounts.id = edits.created_by
        where key > ${last?.key ?? ""} order by key limit ${LONG_AT_ONCE}`;
      for await (const rows of pages(after))
        for (const row of rows) {
          const { key, post_id, base_version, title, content, fields, version, username } = row;
          yield {
            ...{ key, post: post_id === null ? null : Number(post_id) },
            base_version: post_id === null || base_version === null ? null : Number(base_version),
            ...{ title, content, fields: JSON.parse(fields), version: Number(version) },
            ...{
              created_at: textOf(row.created_at),
              updated_at: textOf(row.updated_at),
              created_by: username,
            },
          };
        }
    },

    /** Those whose keys do not exist yet. */
    async bringIn(run, edits) {
      await edits.each(async (batch) => {
        const keys = batch.map(({ record }) => fragment`key = ${record.key}`);
        const rows = await run.sql<{
          key: string;
        }>`select key from edits where ${joined(keys, fragment` or `)}`;
        const known = new Set(rows.map(({ key }) => key));
        const added: ImportedEdit[] = [];
        const results = batch.map(({ position, record, parent }): RecordResult => {
          const { key } = record;
          if (known.has(key))
            return thereAlready(position, "A working copy with this key already exists.", { key });
          known.add(key);
          const post = parent === null ? undefined : run.references.resolve("post", parent);
          added.push({
            ...{ key, title: record.title, content: record.content },
            ...{ fields: record.fields, version: record.version },
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
    },

    async takeBack(undo) {
      await undo.each(async (rows) => {
        const stay: RecordedRow[] = [];
        for (const row of rows) {
          const edit = row.key === null ? undefined : await lockEdit(undo.sql, row.key);
          if (edit === undefined) continue;
          if (edit.version !== row.version) stay.push(row);
          else {
            await deleteEdit(undo.sql, edit.key);
            undo.count(1);
          }
        }
        return stay;
      });
    },
  },
});
