import { z } from "zod";
import { pages } from "../batches.ts";
import type { Instant, Sql } from "../database/database.ts";
import { kept } from "../kept/kept.ts";
import { instant, optionalUsername } from "../kept/record-fields.ts";
import { type RecordedRow, type RecordResult, thereAlready } from "../kept/staged-record.ts";
import type { ImageType } from "./media.ts";
import { deleteMedia, findAllMedia, insertMedia, type StoredBytes } from "./media-store.ts";

const AT_ONCE = 500;
/** The images that are stored at a time, with their bytes. */
const STORED_AT_ONCE = 10;

interface Row {
  readonly sha: string;
  readonly type: ImageType;
  readonly width: number;
  readonly height: number;
  readonly created_at: Instant;
  readonly username: string | null;
}

async function* records(sql: Sql) {
  const after = (last?: Row) => sql<Row>`
    select sha, type, width, height, media.created_at, username from media
      left join accounts on accounts.id = created_by
    where sha > ${last?.sha ?? ""} order by sha limit ${AT_ONCE}`;
  for await (const rows of pages(after))
    for (const { sha, type, width, height, created_at, username } of rows)
      yield {
        ...{ sha, type, width: Number(width), height: Number(height) },
        ...{ created_at: new Date(created_at).toISOString(), created_by: username },
      };
}

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
      shape: z.object({
        sha: z.string().regex(/^[0-9a-f]{40}$/),
        type: z.enum(["jpg", "png", "webp"]),
        width: z.int().min(1).max(100_000),
        height: z.int().min(1).max(100_000),
        created_at: instant,
        created_by: optionalUsername,
      }),
      title: "sha",
      records,

      async *files(sql, readObject) {
        for await (const { sha, type } of records(sql)) {
          const widths = await sql<{ width: number }>`
            select width from media_forms where sha = ${sha} order by width`;
          for (const [index, { width }] of widths.entries()) {
            const [form] = await sql<StoredBytes>`
              select bytes, object from media_forms where sha = ${sha} and width = ${width}`;
            if (form === undefined) throw new Error(`the image ${sha} has no bytes`);
            yield {
              path: imageFile(sha, type, index === widths.length - 1 ? undefined : Number(width)),
              content: form.bytes ?? (await readObject(String(form.object))),
            };
          }
        }
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
