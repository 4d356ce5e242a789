import type { Inspection } from "../../database/inspection.ts";
import { inspectDatabase } from "../../database/open-inspection.ts";
import { Refusal, StartError } from "../../errors.ts";
import type { ObjectStore } from "../../media/object-store.ts";
import { DownloadFile } from "../files/download-file.ts";
import { nothingWritten, writeArchive } from "./write-archive.ts";

/** The number of bytes that are written at a time, at least. */
const PIECE = 256 * 1024;

/**
 * Writes the archive to a temporary file, so that the snapshot ends before a client begins to read. It has a connection of
 * its own: other snapshots of this process do not wait for it, and the time limits of the pool do not apply.
 *
 * @param signal ends the work
 * @throws Refusal `storage_full`, or `unavailable`
 */
export async function makeArchiveFile(
  databaseUrl: string,
  signal: AbortSignal,
  now: Date,
  objects?: ObjectStore,
): Promise<DownloadFile> {
  const file = await DownloadFile.open();
  try {
    const snapshot = await openSnapshot(databaseUrl);
    try {
      const archive = writeArchive(snapshot.sql, snapshot.engine, nothingWritten(), now, objects);
      for await (const piece of joined(archive)) {
        if (signal.aborted) throw new Refusal("unavailable", "The client has disconnected.");
        await file.append(piece);
      }
    } finally {
      await snapshot.close();
    }
    return file;
  } catch (error) {
    file[Symbol.dispose]();
    throw error;
  }
}

async function openSnapshot(databaseUrl: string): Promise<Inspection> {
  try {
    return await inspectDatabase(databaseUrl, "export");
  } catch (cause) {
    if (!(cause instanceof StartError)) throw cause;
    throw new Refusal("unavailable", "The database cannot be read now: try again in a moment.", {
      cause,
      retryAfter: 5,
    });
  }
}

/** Joins small pieces to larger ones. */
async function* joined(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    pending.push(piece);
    size += piece.length;
    if (size < PIECE) continue;
    yield pending.length === 1 ? piece : Buffer.concat(pending);
    pending = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(pending);
}
