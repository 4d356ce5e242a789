import { z } from "zod";
import { fragment, joined } from "../../database/fragment.ts";
import { kept } from "../../kept/kept.ts";
import { LONG_AT_ONCE, tableLines, text as textOf } from "../../kept/lines.ts";
import { NO_POST, type RecordedRow, type RecordResult, thereAlready } from "../../kept/staged-record.ts";
import { parseEditKey } from "../../records/edit-key.ts";
import { instant, optionalUsername, recordVersion } from "../../records/record.ts";
import { text } from "../../text.ts";
import {
  type ImportedEdit,
  type ImportedVersion,
  insertImportedEdits,
  insertImportedVersions,
} from "../import/insert-imported-posts.ts";
import { deleteEdit, lockEdit } from "./edit-store.ts";

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

    lines: tableLines({
      columns: fragment`post_id as post, number, title, content, published, replaced_at, username as replaced_by`,
      from: fragment`post_versions left join accounts on accounts.id = post_versions.replaced_by`,
      key: [fragment`post_id, number`, "post", "number"],
      as: { post: Number, number: Number, published: Boolean, replaced_at: textOf },
      atOnce: LONG_AT_ONCE,
    }),

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

    lines: tableLines({
      columns: fragment`key, posts.id as post, case when posts.id is not null then base_version end as base_version,
        edits.title, edits.content, fields, edits.version, edits.created_at, edits.updated_at,
        username as created_by`,
      from: fragment`edits left join posts on posts.id = post_id
        left join accounts on accounts.id = edits.created_by`,
      key: [fragment`key`, "key"],
      as: {
        ...{ post: Number, base_version: Number, version: Number, fields: JSON.parse },
        ...{ created_at: textOf, updated_at: textOf },
      },
      atOnce: LONG_AT_ONCE,
    }),

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
