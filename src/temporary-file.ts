import { openSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf, Refusal } from "./errors.ts";

/** Opens an unnamed temporary file, which is deleted when its descriptor is closed. */
export async function openTemporaryFile(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "commonplace-"));
  try {
    return openSync(join(folder, "input"), "wx+", 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Writes bytes at a position of a temporary file.
 * @throws Refusal `storage_full` without space, `unavailable` for other errors of the system
 */
export function writeTemporary(descriptor: number, bytes: Uint8Array, position: number): void {
  try {
    for (let written = 0; written < bytes.length; )
      written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
  } catch (cause) {
    throw temporaryFileRefusal(cause);
  }
}

/** The refusal for an error of the system: `storage_full` without space, else `unavailable`. */
export function temporaryFileRefusal(cause: unknown): Refusal {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG") return noTemporarySpace(cause);
  return new Refusal("unavailable", `A temporary file cannot be written: ${messageOf(cause)}.`, { cause });
}

/** Without space for temporary files. */
export function noTemporarySpace(cause: unknown): Refusal {
  const detail = "No space left for temporary files. Free some, or set TMPDIR to another directory.";
  return new Refusal("storage_full", detail, { cause });
}
