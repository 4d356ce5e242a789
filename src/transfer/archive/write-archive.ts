import type { Database, Sql } from "../../database/database.ts";
import { NewIds } from "../../database/ids/new-ids.ts";
import type { Archived } from "../../kept/kept.ts";
import { type ObjectStore, readObject } from "../../media/object-store.ts";
import { ARCHIVED, type RecordKind } from "../../nouns.ts";
import { VERSION } from "../../version.ts";
import { ZipWriter } from "../files/zip-writer.ts";
import { ARCHIVE_VERSION, MANIFEST, type Manifest } from "./archive-format.ts";

/** The number of written records of each kind. */
export type WrittenCounts = Record<RecordKind, number>;

/**
 * Everything but secrets as one zip archive (docs/archive-format.md), in chunks. It must be read to the end within
 * `sql`'s snapshot, so that the archive is consistent. Records are not kept in memory.
 *
 * @param objects the store of images beside the database
 * @throws Refusal `unavailable` when an image cannot be read from there
 */
export async function* writeArchive(
  sql: Sql,
  engine: Database["engine"],
  written: WrittenCounts,
  now: Date,
  objects?: ObjectStore,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipWriter(now);
  yield await zip.add(MANIFEST, `${JSON.stringify(await manifest(sql, engine, now), null, 2)}\n`);
  for (const noun of ARCHIVED) yield* zip.stream(noun.archive.file, lines(sql, noun, written));
  const read = (name: string) => readObject(objects, name);
  for (const { archive } of ARCHIVED)
    for await (const { path, content } of archive.files?.(sql, read) ?? [])
      yield typeof content === "string" ? await zip.add(path, content) : zip.store(path, content);
  yield* zip.end();
}

export function nothingWritten(): WrittenCounts {
  return Object.fromEntries(ARCHIVED.map(({ kind }) => [kind, 0])) as WrittenCounts;
}

async function manifest(sql: Sql, engine: Database["engine"], now: Date): Promise<Manifest> {
  // In the order that they always had.
  const last_ids: Record<string, number> = { bookmarks: 0, posts: 0, comments: 0, tags: 0 };
  for (const { archive } of ARCHIVED)
    if (archive.table !== undefined)
      last_ids[archive.table] = (await NewIds.of(sql, engine, archive.table)).before;
  return {
    format: "commonplace",
    version: ARCHIVE_VERSION,
    program: VERSION,
    exported_at: now.toISOString(),
    last_ids,
  };
}

async function* lines(
  sql: Sql,
  { kind, archive }: Archived,
  written: Record<string, number>,
): AsyncGenerator<string> {
  for await (const record of archive.records(sql)) {
    written[kind] = (written[kind] ?? 0) + 1;
    yield `${JSON.stringify(record)}\n`;
  }
}
