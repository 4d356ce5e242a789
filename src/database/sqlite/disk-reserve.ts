import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  rmSync,
  statfsSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { Refusal } from "../../errors.ts";
import { readOnly } from "../errors.ts";
import { sizeOf } from "./file.ts";

/** The room that is set aside for deleting and signing in, in bytes. */
const RESERVE = 4 * 1024 * 1024;
/** The disk is full until it has this much free space. */
const ENOUGH = 2 * RESERVE;
/** A reserve is set aside only where it is a small part of what is free. */
const PLENTY = 8 * RESERVE;
const CHUNK = 64 * 1024;

/**
 * Whether there is room for a SQLite database to grow, and a file next to it that is given up when there is none: its
 * room is enough to delete records and to sign in, which need a little.
 */
export class DiskReserve {
  readonly #given: string;
  #isFull = false;

  /** @param location of the database */
  constructor(location: string) {
    this.#given = location;
  }

  /** The file itself, which is made when this is made already; a link to it may be on another disk. */
  get #location(): string {
    return existsSync(this.#given) ? realpathSync(this.#given) : this.#given;
  }

  get #reserve(): string {
    return `${this.#location}-reserve`;
  }

  /** Why nothing can be stored; undefined when it can be tried. */
  obstacle(): Refusal | undefined {
    if (!this.#isFull) return undefined;
    if (isReadOnlyFileSystem(this.#location)) return readOnlyFileSystem();
    if (freeBytes(this.#location) >= ENOUGH) {
      this.#isFull = false;
      this.setAside();
      return undefined;
    }
    return new Refusal("storage_full", "The disk is full.", { retryAfter: 30 });
  }

  /** A write has failed because there is no room. */
  foundFull(): void {
    this.#isFull = true;
  }

  /** Gives up the room that is set aside. @returns whether there was any */
  release(): boolean {
    try {
      const had = sizeOf(this.#reserve) > 0;
      rmSync(this.#reserve, { force: true });
      return had;
    } catch {
      return false;
    }
  }

  /** Sets room aside, if none is and the disk has plenty. Never throws. */
  setAside(): void {
    try {
      if (sizeOf(this.#reserve) >= RESERVE || freeBytes(this.#location) < PLENTY) return;
      // Recreated, so that nothing is written to what somebody else has put there.
      rmSync(this.#reserve, { force: true });
      const file = openSync(this.#reserve, "wx", 0o600);
      try {
        // Written, since a file system may keep no room for a file that is only long.
        const chunk = new Uint8Array(CHUNK);
        for (let size = 0; size < RESERVE; size += CHUNK) writeSync(file, chunk);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    } catch {
      this.release();
    }
  }
}

/** The refusal of every write to a database on a file system that can only be read. */
export function readOnlyFileSystem(cause?: unknown): Refusal {
  return readOnly("its file system cannot be written to", cause);
}

/** The refusal of every write after a start at which nothing could be written. */
export function readOnlyUntilRestart(): Refusal {
  return readOnly(
    "its disk was full at the start, or could not be written to; restart it when that has changed",
  );
}

/** Whether the file system of a database is read-only; a file without the right to write it is something else. */
export function isReadOnlyFileSystem(location: string): boolean {
  try {
    accessSync(dirname(existsSync(location) ? realpathSync(location) : location), constants.W_OK);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EROFS";
  }
}

/** Of the file system of a database; where it cannot be asked, a write finds out what is wrong. */
function freeBytes(location: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(location));
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
