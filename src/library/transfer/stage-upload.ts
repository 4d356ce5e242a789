import { setImmediate } from "node:timers/promises";
import { isReadApart, type ReadingMessage, readApart } from "../../bookmarks/import/apart/read-apart.ts";
import { imports } from "../../bookmarks/import/import-queue.ts";
import type { StagedImport, StagingOptions } from "../../bookmarks/import/staging/import-staging.ts";
import { StagedRows } from "../../bookmarks/import/staging/staged-rows.ts";
import { readUpload, type Upload } from "../../bookmarks/import/uploads.ts";
import type { Sql } from "../../database/database.ts";

/** Rows between two pauses for other requests. */
const COUNTED_AT_ONCE = 500;

/** Reads and checks a stored file. The caller disposes of the result. @throws Refusal `not_found` */
export async function stageUpload(
  sql: Sql,
  { key, fileName }: Pick<Upload, "key" | "fileName">,
  tags: boolean,
  now: Date,
): Promise<StagedImport> {
  return stage(fileName, await readUpload(sql, key), { now, tags });
}

/** The key of a file in the cache of previews: with its tags and folders as tags, or without. */
export function previewKey(key: string, tags: boolean): string {
  return `${key} ${tags}`;
}

/** Reads and checks a file; the readers of all formats are loaded with the first one, not when the server starts. */
export async function stage(
  fileName: string,
  bytes: Uint8Array,
  { signal, ...options }: StagingOptions & { readonly signal?: AbortSignal },
): Promise<StagedImport> {
  if (isReadApart(bytes)) return imports.turn(() => stageApart(fileName, bytes, options, signal));
  const { stageImport } = await import("../../bookmarks/import/staging/import-staging.ts");
  return imports.turn(() => stageImport(fileName, bytes, options));
}

async function stageApart(
  fileName: string,
  bytes: Uint8Array,
  { now, tags, onProgress }: StagingOptions,
  signal: AbortSignal | undefined,
): Promise<StagedImport> {
  const order = { kind: "bookmarks", fileName, now: now.getTime(), tags } as const;
  const onMessage = ({ progress }: ReadingMessage) => progress && onProgress?.(...progress);
  const staged = await readApart(bytes, order, { onMessage, signal }, (found, scratch): StagedImport => {
    const rows = StagedRows.open(scratch);
    const known = found as Pick<StagedImport, "format" | "rowUnit" | "encoding" | "notes" | "toolbar">;
    return { ...known, fileName, now, rows, [Symbol.dispose]: () => rows[Symbol.dispose]() };
  });
  if (staged === undefined) throw new Error("a file of bookmarks was read as none");
  return staged;
}

/** How many rows a file has. */
export async function countRows({ rows }: StagedImport): Promise<number> {
  let last = 0;
  for (const { staged } of rows.rows()) {
    last = staged.row.position;
    if (last % COUNTED_AT_ONCE === 0) await setImmediate();
  }
  return last;
}
