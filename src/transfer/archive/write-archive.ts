import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { Database, Sql } from "../../database/database.ts";
import type { TableWithIds } from "../../database/ids/engine-ids.ts";
import { NewIds } from "../../database/ids/new-ids.ts";
import { VERSION } from "../../version.ts";
import { RECORD_KINDS, type RecordKind } from "../import/record.ts";
import { ARCHIVE_VERSION, imageFile, MANIFEST, type Manifest, RECORD_FILES } from "./archive-format.ts";
import {
  type ArchivedRecord,
  bookmarks,
  comments,
  edits,
  imageBytes,
  images,
  imageWidths,
  settings,
  tags,
  versions,
} from "./archive-store.ts";
import { posts, postsAfter } from "./archived-posts.ts";
import { markdownCopy, markdownPath } from "./markdown-copy.ts";

const SOURCES: { readonly [K in RecordKind]: (sql: Sql) => AsyncGenerator<ArchivedRecord<K>> } = {
  setting: settings,
  tag: tags,
  image: images,
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
 * `sql`'s snapshot, so that the archive is consistent. Memory grows only with the names of posts and images.
 */
export async function* writeArchive(
  sql: Sql,
  engine: Database["engine"],
  written: WrittenCounts,
  now: Date,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  zip.on("error", failed.reject);
  fill(new Entries(zip, now, failed.reject), sql, engine, written, now).then(() => zip.end(), failed.reject);
  const pieces = (zip.outputStream as Readable)[Symbol.asyncIterator]();
  while (true) {
    const { done, value } = await Promise.race([pieces.next(), failed.promise]);
    if (done) return;
    yield value as Uint8Array;
  }
}

/** Adds the files of an archive one after another. */
async function fill(
  entries: Entries,
  sql: Sql,
  engine: Database["engine"],
  written: WrittenCounts,
  now: Date,
): Promise<void> {
  entries.add(MANIFEST, `${JSON.stringify(await manifest(sql, engine, now), null, 2)}\n`);
  for (const kind of RECORD_KINDS) await entries.stream(RECORD_FILES[kind], lines(sql, kind, written));
  for await (const { sha, type } of images(sql)) {
    const widths = await imageWidths(sql, sha);
    for (const [index, width] of widths.entries()) {
      const path = imageFile(sha, type, index === widths.length - 1 ? undefined : width);
      await entries.stream(path, only(imageBytes(sql, sha, width)), false);
    }
  }
  for (let last = 0; ; ) {
    const batch = await postsAfter(sql, last);
    const end = batch.at(-1);
    if (end === undefined) return;
    for (const post of batch.slice(0, -1)) entries.add(markdownPath(post), markdownCopy(post));
    await entries.stream(markdownPath(end), only(markdownCopy(end)));
    last = end.id;
  }
}

/** The files of an archive that is being written. */
class Entries {
  readonly #zip: ZipFile;
  readonly #options: { readonly mtime: Date; readonly mode: number };
  readonly #fail: (error: unknown) => void;

  constructor(zip: ZipFile, now: Date, fail: (error: unknown) => void) {
    this.#zip = zip;
    this.#options = { mtime: now, mode: 0o100600 };
    this.#fail = fail;
  }

  /** Adds a small file. */
  add(path: string, text: string): void {
    this.#zip.addBuffer(Buffer.from(text), path, this.#options);
  }

  /** Adds a file in chunks. @returns when all earlier files are written */
  stream(path: string, pieces: AsyncIterable<string | Uint8Array>, compress = true): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#zip.addReadStreamLazy(path, { ...this.#options, compress }, (ready) => {
      const stream = Readable.from(encoded(pieces), { objectMode: true });
      stream.on("error", this.#fail);
      ready(null, stream);
      resolve();
    });
    return promise;
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

async function* lines(sql: Sql, kind: RecordKind, written: WrittenCounts): AsyncGenerator<string> {
  for await (const record of SOURCES[kind](sql)) {
    written[kind]++;
    yield `${JSON.stringify(record)}\n`;
  }
}

async function* only<T>(piece: T | Promise<T>): AsyncGenerator<T> {
  yield await piece;
}

/** The number of characters that are compressed at a time. */
const AT_ONCE = 64 * 1024;

async function* encoded(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer> {
  let text = "";
  for await (const piece of pieces) {
    if (typeof piece !== "string") {
      yield Buffer.from(piece);
      continue;
    }
    text += piece;
    if (text.length < AT_ONCE) continue;
    yield Buffer.from(text);
    text = "";
  }
  if (text !== "") yield Buffer.from(text);
}
