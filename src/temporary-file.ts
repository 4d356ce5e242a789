import { openSync, writeSync } from "node:fs";
import { lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Refusal } from "./errors.ts";

const PREFIX = "commonplace-temporary-";
/** A folder of this age was left by a process that was killed, in milliseconds: no file is read for as long. */
const LEFT_AFTER = 24 * 60 * 60 * 1000;

/** A folder for files that need a name. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * Makes a folder that is deleted when it is disposed of, and deletes those that killed processes have left.
 * @throws Refusal as {@link writeTemporary}
 */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  await deleteLeft().catch(() => {});
  const path = await newFolder();
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function deleteLeft(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(tmpdir(), name);
    if ((await lstat(path)).mtimeMs < Date.now() - LEFT_AFTER)
      await rm(path, { recursive: true, force: true });
  }
}

async function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), PREFIX)).catch((cause) => {
    throw temporaryFileRefusal(cause);
  });
}

/**
 * Opens an unnamed temporary file, which is deleted when its descriptor is closed.
 * @throws Refusal as {@link writeTemporary}
 */
export async function openTemporaryFile(): Promise<number> {
  const folder = await newFolder();
  try {
    return openSync(join(folder, "input"), "wx+", 0o600);
  } catch (cause) {
    throw temporaryFileRefusal(cause);
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
  const detail = "Temporary files cannot be written: TMPDIR must name a folder where the server may write.";
  return new Refusal("unavailable", detail, { cause });
}

/** Without space for temporary files. */
export function noTemporarySpace(cause: unknown): Refusal {
  const detail = "No space left for temporary files. Free some, or set TMPDIR to another directory.";
  return new Refusal("storage_full", detail, { cause });
}
