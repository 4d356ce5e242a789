import type { Database, Sql } from "../../database/database.ts";
import type { TableWithIds } from "../../database/ids/engine-ids.ts";
import { NewIds } from "../../database/ids/new-ids.ts";
import type { ObjectStore } from "../../media/object-store.ts";
import { RECORD_KINDS, type RecordKind } from "../../records/record.ts";
import { VERSION } from "../../version.ts";
import { ZipWriter } from "../files/zip-writer.ts";
import { ARCHIVE_VERSION, imageFile, MANIFEST, type Manifest, RECORD_FILES } from "./archive-format.ts";
import {
  type ArchivedRecord,
  bookmarks,
  comments,
  edits,
  icons,
  imageBytes,
  images,
  imageWidths,
  settings,
  tags,
  versions,
} from "./archive-store.ts";
import { posts } from "./archived-posts.ts";
import { markdownCopy, markdownPath } from "./markdown-copy.ts";

const SOURCES: { readonly [K in RecordKind]: (sql: Sql) => AsyncGenerator<ArchivedRecord<K>> } = {
  setting: settings,
  tag: tags,
  image: images,
  icon: icons,
  bookmark: bookmarks,
  post: posts,
  version: versions,
  comment: comments,
  edit: edits,
};

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
  for (const kind of RECORD_KINDS) yield* zip.stream(RECORD_FILES[kind], lines(sql, kind, written));
  for await (const { sha, type } of images(sql)) {
    const widths = await imageWidths(sql, sha);
    for (const [index, width] of widths.entries()) {
      const path = imageFile(sha, type, index === widths.length - 1 ? undefined : width);
      yield zip.store(path, await imageBytes(sql, objects, { sha, width }));
    }
  }
  for await (const post of posts(sql)) yield await zip.add(markdownPath(post), markdownCopy(post));
  yield* zip.end();
}

export function nothingWritten(): WrittenCounts {
  return Object.fromEntries(RECORD_KINDS.map((kind) => [kind, 0])) as WrittenCounts;
}

async function manifest(sql: Sql, engine: Database["engine"], now: Date): Promise<Manifest> {
  const last = async (table: TableWithIds) => (await NewIds.of(sql, engine, table)).before;
  return {
    format: "commonplace",
    version: ARCHIVE_VERSION,
    program: VERSION,
    exported_at: now.toISOString(),
    last_ids: {
      bookmarks: await last("bookmarks"),
      posts: await last("posts"),
      comments: await last("comments"),
      tags: await last("tags"),
    },
  };
}

async function* lines(sql: Sql, kind: RecordKind, written: WrittenCounts): AsyncGenerator<string> {
  for await (const record of SOURCES[kind](sql)) {
    written[kind]++;
    yield `${JSON.stringify(record)}\n`;
  }
}
