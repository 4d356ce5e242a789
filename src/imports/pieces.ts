import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Database, Sql } from "../database/database.ts";
import { temporaryFolder, writeTemporary } from "../temporary-file.ts";
import type { StagedBookmarks, StagedSite } from "../transfer/import/staged-file.ts";
import { clientGone, LargeLooks } from "./large-looks.ts";
import { FILES } from "./reading-process.ts";
import { expiredUpload, type RequestedImport, type Upload } from "./uploads.ts";

/** A file in the database: as it was uploaded, its records once it is read, or the pictures fetched for them. */
export interface StoredFile {
  readonly key: string;
  readonly part: "file" | "records" | "pictures";
}

/** The size of a piece in bytes: memory does not grow with the file. */
export const PIECE = 1024 * 1024;

/** Stores the next bytes of a file in pieces. @param from the number of the first piece */
export async function storePieces(
  sql: Sql,
  { key, part }: StoredFile,
  bytes: Uint8Array,
  from = 0,
): Promise<void> {
  for (let start = 0; start < bytes.length; start += PIECE)
    await sql`
      insert into import_pieces (key, part, number, bytes)
      values (${key}, ${part}, ${from + start / PIECE}, ${bytes.subarray(start, start + PIECE)})`;
}

export async function deletePieces(sql: Sql, { key, part }: StoredFile): Promise<void> {
  await sql`delete from import_pieces where key = ${key} and part = ${part}`;
}

async function countPieces({ read }: Pick<Database, "read">, { key, part }: StoredFile): Promise<number> {
  const [{ n = 0 } = {}] = await read<{ n: number }>`
    select count(*) as n from import_pieces where key = ${key} and part = ${part}`;
  return Number(n);
}

/**
 * Writes a stored file to a new one, piece by piece.
 * @param signal aborts when nobody waits for it any more
 * @returns its size in bytes; 0 when it is gone
 * @throws Refusal `unavailable` when it is aborted
 */
export async function copyPieces(
  database: Pick<Database, "read">,
  { key, part }: StoredFile,
  path: string,
  signal?: AbortSignal,
): Promise<number> {
  const { read } = database;
  const descriptor = openSync(path, "wx", 0o600);
  try {
    const count = await countPieces(database, { key, part });
    let size = 0;
    for (let number = 0; number < count; number++) {
      if (signal?.aborted) throw clientGone();
      const [piece] = await read<{ bytes: Uint8Array }>`
        select bytes from import_pieces where key = ${key} and part = ${part} and number = ${number}`;
      if (piece === undefined) return 0;
      // Not on the event loop, which other requests need: there are as many pieces as the file has megabytes.
      const bytes = part === "file" ? piece.bytes : await Bun.zstdDecompress(piece.bytes);
      writeTemporary(descriptor, bytes, size);
      size += bytes.length;
    }
    return size;
  } finally {
    closeSync(descriptor);
  }
}

/** Who waits for the records of a file. */
export interface Looking {
  /** Aborts when the client has closed its connection; none for a job, which does not wait for a place. */
  readonly signal?: AbortSignal | undefined;
}

/** The bookmarks of a file that was read. The caller disposes of the result. @throws Refusal `not_found` */
export async function stagedBookmarks(
  database: Pick<Database, "read" | "clock">,
  upload: Upload,
  { tags, signal }: Pick<RequestedImport, "tags"> & Looking,
): Promise<StagedBookmarks> {
  return (await stagedUpload(database, upload, { tags, signal })) as StagedBookmarks;
}

/** The records of a blog or an archive that was read. The caller disposes of the result. @throws Refusal `not_found` */
export async function stagedSite(
  database: Pick<Database, "read" | "clock">,
  upload: Upload,
  { signal }: Looking = {},
): Promise<StagedSite> {
  return (await stagedUpload(database, upload, { tags: true, signal })) as StagedSite;
}

const largeLooks = new LargeLooks();

/** Opens a copy of the records; its name is removed while it is open. */
async function stagedUpload(
  database: Pick<Database, "read" | "clock">,
  { key, fileName }: Upload,
  { tags, signal }: { readonly tags: boolean } & Looking,
): Promise<StagedSite | StagedBookmarks> {
  const stored = { key, part: "records" } as const;
  const isLarge = signal !== undefined && (await countPieces(database, stored)) > 1;
  const giveBack = isLarge ? await largeLooks.take(signal) : () => {};
  try {
    await using folder = await temporaryFolder();
    const path = join(folder.path, FILES.records);
    if ((await copyPieces(database, stored, path, signal)) === 0) throw expiredUpload();
    // The checks of all records are loaded with the first file, not when the server starts.
    const { openStaged } = await import("../transfer/import/staged-file.ts");
    const staged = openStaged(path, { fileName, now: database.clock.now(), tags });
    return {
      ...staged,
      [Symbol.dispose]() {
        staged[Symbol.dispose]();
        giveBack();
      },
    };
  } catch (error) {
    giveBack();
    throw error;
  }
}
