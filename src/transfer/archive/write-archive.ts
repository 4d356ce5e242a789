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
import type { UnreadableRecords } from "./unreadable-records.ts";

const SOURCES: {
  readonly [K in RecordKind]: (sql: Sql, unreadable?: UnreadableRecords) => AsyncGenerator<ArchivedRecord<K>>;
} = {
  setting: settings,
  tag: tags,
  image: images,
  icon: icons,
  bookmark: bookmarks,
  post: posts,
  version: versions,
  comment: (sql, unreadable) => comments(sql, { unreadable }),
  edit: edits,
};

/** The number of written records of each kind. */
export type WrittenCounts = Record<RecordKind, number>;

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
  for (const kind of RECORD_KINDS)
    yield* zip.stream(RECORD_FILES[kind], lines(sql, kind, written, unreadable));
  for await (const image of images(sql, unreadable)) yield* imageFiles(sql, zip, image, objects, unreadable);
  for await (const post of posts(sql, unreadable))
    yield await zip.add(markdownPath(post), markdownCopy(post));
  yield* zip.end();
}

async function* imageFiles(
  sql: Sql,
  zip: ZipWriter,
  { sha, type }: ArchivedRecord<"image">,
  objects?: ObjectStore,
  unreadable?: UnreadableRecords,
): AsyncGenerator<Uint8Array> {
  const reading = async <T>(work: () => Promise<T>) => {
    const found = unreadable === undefined ? await work() : await unreadable.attempt(work);
    if (found === undefined) unreadable?.leaveOut("image", String(sha));
    return found;
  };
  const widths = (await reading(() => imageWidths(sql, sha))) ?? [];
  for (const [index, width] of widths.entries()) {
    const path = imageFile(sha, type, index === widths.length - 1 ? undefined : width);
    const bytes = await reading(() => imageBytes(sql, objects, { sha, width }));
    if (bytes !== undefined) yield zip.store(path, bytes);
  }
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

async function* lines(
  sql: Sql,
  kind: RecordKind,
  written: WrittenCounts,
  unreadable?: UnreadableRecords,
): AsyncGenerator<string> {
  for await (const record of SOURCES[kind](sql, unreadable)) {
    written[kind]++;
    yield `${JSON.stringify(record)}\n`;
  }
}
