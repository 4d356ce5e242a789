import { createHash } from "node:crypto";
import { inBatches } from "../batches.ts";
import { lockCounter } from "../database/counters.ts";
import { type Sql, withoutResult } from "../database/database.ts";
import { fragment, joined } from "../database/fragment.ts";
import { bytesOf, type StoredBytes } from "../media/media-store.ts";
import type { ObjectStore } from "../media/object-store.ts";
import { unusedSoon } from "../media/place-images.ts";

/** How many blobs one statement deletes. */
const AT_ONCE = 100;

/** Bytes as a blob has them. */
export interface PackedBytes {
  /** Of the bytes before they were compressed. */
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

export async function packed(bytes: Uint8Array): Promise<PackedBytes> {
  return {
    sha256: createHash("sha256").update(bytes).digest("hex"),
    bytes: await Bun.zstdCompress(bytes),
  };
}

/** The bytes of a blob. @throws Refusal `unavailable` when the store of MEDIA is away */
export async function unpacked(
  stored: StoredBytes,
  objects: Pick<ObjectStore, "get"> | undefined,
): Promise<Uint8Array> {
  return Bun.zstdDecompress(await bytesOf(stored, objects));
}

/**
 * Excludes other transactions that store or delete copies or blobs, until the end of this one: so a limit holds, and no bytes are
 * deleted that another one wants. Those that also hold a bookmark hold it first.
 */
export function lockCopies(sql: Sql): Promise<void> {
  return lockCounter(sql, "copies:changes");
}

/** Stores bytes, unless they are there. @param size as they are stored */
export async function storeBlob(
  sql: Sql,
  { sha256, size }: { readonly sha256: string; readonly size: number },
  { bytes, object }: StoredBytes,
): Promise<void> {
  await withoutResult(sql)`
    insert into copy_blobs (sha256, size, object, bytes) values (${sha256}, ${size}, ${object}, ${bytes})
    on conflict (sha256) do nothing`;
}

/** Deletes those of these blobs that nothing has any more; a job removes what is beside the database within a day. */
export async function deleteUnusedBlobs(sql: Sql, all: readonly string[], now: Date): Promise<void> {
  for (const blobs of inBatches(all, AT_ONCE)) {
    const names = joined(
      blobs.map((sha256) => fragment`${sha256}`),
      fragment`, `,
    );
    const rows = await sql<{ object: string | null }>`
      delete from copy_blobs where sha256 in (${names})
        and not exists (select 1 from copy_parts where copy_parts.sha256 = copy_blobs.sha256)
        and not exists (select 1 from page_pictures where page_pictures.sha256 = copy_blobs.sha256)
      returning object`;
    for (const { object } of rows) if (object !== null) await unusedSoon(sql, object, now);
  }
}
