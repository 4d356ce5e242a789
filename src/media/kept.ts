import type { Sql } from "../database/database.ts";
import { fragment } from "../database/fragment.ts";
import { kept } from "../kept/kept.ts";
import { IncompleteRecord, tableLines, text } from "../kept/lines.ts";
import { type RecordedRow, type RecordResult, thereAlready } from "../kept/staged-record.ts";
import { ImageRecord } from "../records/record.ts";
import { deleteMedia, findAllMedia, insertMedia, type StoredBytes } from "./media-store.ts";

/** The images that are stored at a time, with their bytes. */
const STORED_AT_ONCE = 10;

/** The path of an image in the archive. @param width of a smaller version; without it, full size */
export function imageFile(sha: string, type: string, width?: number): string {
  return `media/${sha}${width === undefined ? "" : `-${width}`}.${type}`;
}

/** Uploaded images. @param findUsed the names of all that something shows */
export function keptImages(findUsed: (sql: Sql) => Promise<ReadonlySet<string>>) {
  return kept({
    kind: "image",
    names: ["image", "images"],
    archive: {
      file: "images.jsonl",
      shape: ImageRecord,
      title: "sha",
      lines: tableLines({
        columns: fragment`sha, type, width, height, media.created_at, username as created_by`,
        from: fragment`media left join accounts on accounts.id = media.created_by`,
        key: [fragment`sha`, "sha"],
        as: { width: Number, height: Number, created_at: text },
      }),

      async files(sql, { sha, type }, readObject) {
        const widths = await sql<{ width: number }>`
          select width from media_forms where sha = ${sha} order by width`;
        return widths.map(({ width }, index) => ({
          path: imageFile(sha, type, index === widths.length - 1 ? undefined : Number(width)),
          async content() {
            const [form] = await sql<StoredBytes>`
              select bytes, object from media_forms where sha = ${sha} and width = ${width}`;
            if (form === undefined) throw new IncompleteRecord(`the image ${sha} has no bytes`);
            return form.bytes ?? (await readObject(String(form.object)));
          },
        }));
      },

      async bringIn(run, images) {
        await images.each(async (batch) => {
          const found = await findAllMedia(
            run.sql,
            batch.map(({ record }) => record.sha),
          );
          const known = new Set(found.map(({ sha }) => sha));
          const results: RecordResult[] = [];
          for (const { position, record } of batch) {
            const { sha, type, width, height } = record;
            if (known.has(sha)) {
              results.push(thereAlready(position, "The same image already exists.", { key: sha }));
              continue;
            }
            known.add(sha);
            const owner = run.ownerOf(record.created_by) ?? undefined;
            if (!run.isDry) {
              const forms = run.forms(sha);
              const media = { sha, type, width, height, size: forms.at(-1)?.size ?? 0 };
              await insertMedia(run.sql, { media, forms }, owner, new Date(record.created_at));
            }
            results.push({ position, outcome: "added", key: sha });
          }
          return results;
        }, STORED_AT_ONCE);
      },

      async takeBack(undo) {
        await undo.each(async (rows) => {
          const used = await findUsed(undo.sql);
          const stay: RecordedRow[] = [];
          for (const row of rows) {
            if (row.key === null) continue;
            if (used.has(row.key)) stay.push(row);
            else if (await deleteMedia(undo.sql, row.key, undo.now)) undo.count(1);
          }
          return stay;
        });
      },
    },

    check: async (sql) => [
      [
        "images whose bytes are nowhere",
        await sql`select count(*) as n, min(sha) as example from media_forms
          where bytes is null and object is null`,
      ],
    ],
  });
}
