import { closeSync, openSync } from "node:fs";
import type { Database, Sql } from "../database/database.ts";
import { Refusal } from "../errors.ts";
import { writeTemporary } from "../temporary-file.ts";

/**
 * A file in the database: as it was uploaded; its records once it is read, what pages show of the plan of their import, and the
 * report of it; or the pictures fetched for them.
 */
export interface StoredFile {
  readonly key: string;
  readonly part: "file" | "records" | "preview" | "report" | "pictures";
}

/** The size of a chunk in bytes: memory does not grow with the file. */
export const CHUNK = 1024 * 1024;

/** Stores the next bytes of a file in chunks. @param from the number of the first chunk */
export async function storeChunks(
  sql: Sql,
  { key, part }: StoredFile,
  bytes: Uint8Array,
  from = 0,
): Promise<void> {
  for (let start = 0; start < bytes.length; start += CHUNK)
    await sql`
      insert into import_pieces (key, part, number, bytes)
      values (${key}, ${part}, ${from + start / CHUNK}, ${bytes.subarray(start, start + CHUNK)})`;
}

/** Stores one chunk of a file, whatever its size. */
export async function storeChunk(
  sql: Sql,
  { key, part }: StoredFile,
  number: number,
  bytes: Uint8Array,
): Promise<void> {
  await sql`
    insert into import_pieces (key, part, number, bytes) values (${key}, ${part}, ${number}, ${bytes})`;
}

export async function deleteChunks(sql: Sql, { key, part }: StoredFile): Promise<void> {
  await sql`delete from import_pieces where key = ${key} and part = ${part}`;
}

async function countChunks({ read }: Pick<Database, "read">, { key, part }: StoredFile): Promise<number> {
  const [{ n = 0 } = {}] = await read<{ n: number }>`
    select count(*) as n from import_pieces where key = ${key} and part = ${part}`;
  return Number(n);
}

/**
 * The unpacked chunks of a stored file, one after another.
 * @throws Refusal `not_found` when they are deleted meanwhile
 */
export async function* readChunks(
  database: Pick<Database, "read">,
  { key, part }: StoredFile,
): AsyncGenerator<Uint8Array> {
  const count = await countChunks(database, { key, part });
  for (let number = 0; number < count; number++) {
    const [chunk] = await database.read<{ bytes: Uint8Array }>`
      select bytes from import_pieces where key = ${key} and part = ${part} and number = ${number}`;
    if (chunk === undefined) throw expiredUpload();
    // Not on the event loop, which other requests need: there are as many chunks as the file has megabytes.
    yield part === "file" ? chunk.bytes : await Bun.zstdDecompress(chunk.bytes);
  }
}

/** Writes a stored file to a new one, chunk by chunk. @returns its size in bytes; 0 when it is gone */
export async function copyChunks(
  database: Pick<Database, "read">,
  stored: StoredFile,
  path: string,
): Promise<number> {
  const descriptor = openSync(path, "wx", 0o600);
  try {
    let size = 0;
    for await (const bytes of readChunks(database, stored)) {
      writeTemporary(descriptor, bytes, size);
      size += bytes.length;
    }
    return size;
  } finally {
    closeSync(descriptor);
  }
}

/** 404 for a file that was deleted. */
export function expiredUpload(): Refusal {
  return new Refusal("not_found", "The uploaded file has expired. Choose it again.");
}
