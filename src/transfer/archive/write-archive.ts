import type { Database, Sql } from "../../database/database.ts";
import { NewIds } from "../../database/ids/new-ids.ts";
import type { Archived } from "../../kept/kept.ts";
import { allLines, type UnreadableRecords } from "../../kept/lines.ts";
import { type ObjectStore, readObject } from "../../media/object-store.ts";
import { ARCHIVED, type ArchivedKind, titleOf } from "../../nouns.ts";
import { VERSION } from "../../version.ts";
import { ZipWriter } from "../files/zip-writer.ts";
import { ARCHIVE_VERSION, MANIFEST, type Manifest } from "./archive-format.ts";

/** The number of written records of each kind. */
export type WrittenCounts = Record<ArchivedKind, number>;

/**
 * Everything but secrets as one zip archive (docs/archive-format.md), in chunks. It must be read to the end within
 * `sql`'s snapshot, so that the archive is consistent. Records are not kept in memory.
 *
 * @param objects the store of images beside the database
 * @param unreadable takes what cannot be read of a damaged database; without it, that is an error
 * @throws Refusal `unavailable` when an image cannot be read from its store
 */
export async function* writeArchive(
  sql: Sql,
  engine: Database["engine"],
  written: WrittenCounts,
  now: Date,
  objects?: ObjectStore,
  unreadable?: UnreadableRecords,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipWriter(now);
  yield await zip.add(MANIFEST, `${JSON.stringify(await manifest(sql, engine, now), null, 2)}\n`);
  for (const noun of ARCHIVED)
    yield* zip.stream(noun.archive.file, textLines(sql, noun, written, unreadable));
  const readFrom = (name: string) => readObject(objects, name);
  for (const noun of ARCHIVED) {
    const { kind, archive } = noun;
    if (archive.files === undefined) continue;
    for await (const line of linesOf(sql, noun, unreadable)) {
      const reading = async <T>(work: () => Promise<T>) => {
        const found = unreadable === undefined ? await work() : await unreadable.attempt(work);
        if (found === undefined) unreadable?.leaveOut(kind, titleOf(kind, line));
        return found;
      };
      for (const { path, content } of (await reading(async () => archive.files?.(sql, line, readFrom))) ??
        []) {
        const found = await reading(content);
        if (found !== undefined)
          yield typeof found === "string" ? await zip.add(path, found) : zip.store(path, found);
      }
    }
  }
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

async function* linesOf(sql: Sql, { kind, archive }: Archived, unreadable?: UnreadableRecords) {
  for (const lines of [archive.lines].flat()) yield* allLines(sql, kind, lines, unreadable);
}

async function* textLines(
  sql: Sql,
  noun: Archived,
  written: Record<string, number>,
  unreadable?: UnreadableRecords,
): AsyncGenerator<string> {
  for await (const line of linesOf(sql, noun, unreadable)) {
    written[noun.kind] = (written[noun.kind] ?? 0) + 1;
    yield `${JSON.stringify(line)}\n`;
  }
}
