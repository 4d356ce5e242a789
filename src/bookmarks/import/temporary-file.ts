import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf, Refusal } from "../../errors.ts";
import { type FileBytes, fileAt } from "./file-bytes.ts";

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

/** An unnamed temporary file to which files are written one after another. */
export class TemporaryFile implements Disposable {
  readonly #descriptor: number;
  #size = 0;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  static async open(): Promise<TemporaryFile> {
    return new TemporaryFile(await openTemporaryFile());
  }

  /** Its size in bytes. */
  get size(): number {
    return this.#size;
  }

  /** @throws Refusal as {@link writeTemporary} */
  append(bytes: Uint8Array): void {
    writeTemporary(this.#descriptor, bytes, this.#size);
    this.#size += bytes.length;
  }

  /** The current bytes from a position on. */
  from(start: number): FileBytes {
    const size = this.#size - start;
    return fileAt(size, (buffer, position) => {
      const length = Math.max(0, Math.min(buffer.length, size - position));
      return length === 0 ? 0 : readSync(this.#descriptor, buffer, 0, length, start + position);
    });
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}
