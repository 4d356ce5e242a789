import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { Database, Sql } from "../database/database.ts";
import { Refusal } from "../errors.ts";

/** The part of the disk that stays free beside a database in a file. */
const FREE_PART = 0.1;

/** The bytes of a copy whose page has no pictures, as measured (decision 159). */
const USUAL_SIZE = 30 * 1024;
/** As many copies are enough to tell from them how much others will take. */
const ENOUGH = 20;

export interface RoomOfCopies {
  readonly count: number;
  readonly taken: number;
  readonly max: number;
}

/** About how many bytes a copy takes: as those that are there, if they are enough to tell. */
export function usualSize({ count, taken }: RoomOfCopies): number {
  return count >= ENOUGH ? taken / count : USUAL_SIZE;
}

/** How much room copies may take. */
export class CopyRoom {
  readonly #database: Pick<Database, "state" | "location">;
  readonly #max: number;
  readonly #diskOf: typeof diskOf;

  /**
   * @param max in bytes
   * @param disk only tests have another one
   */
  constructor(database: Pick<Database, "state" | "location">, max: number, disk = diskOf) {
    this.#database = database;
    this.#max = max;
    this.#diskOf = disk;
  }

  /** How many copies there are, and what they take and may take, in bytes. */
  async state(sql: Sql): Promise<RoomOfCopies> {
    const [row] = await sql<{ n: number }>`select count(*) as n from copies`;
    return { count: Number(row?.n), taken: await takenRoom(sql), max: this.#max };
  }

  /**
   * Checks that there is room, in the transaction that stores a copy, after it has excluded others that do.
   * @param size of the copy, in bytes
   * @throws Refusal `storage_full`
   */
  async check(sql: Sql, size: number): Promise<void> {
    const taken = await takenRoom(sql);
    if (taken + size > this.#max)
      throw new Refusal(
        "storage_full",
        `The copies of pages take ${megabytes(taken)}, and this one ${megabytes(size)} more: ${megabytes(this.#max)} are allowed (COPIES_MAX). Delete some first.`,
      );
    this.checkDisk(size);
  }

  /**
   * Checks that a part of the disk stays free, beside a database in a file.
   * @param size of what is to be stored, in bytes
   * @throws Refusal `storage_full`
   */
  checkDisk(size: number): void {
    // Only a database in a file is on this disk.
    if (this.#database.state().files === undefined) return;
    const disk = this.#diskOf(this.#database.location);
    if (disk !== undefined && disk.free - size < disk.all * FREE_PART)
      throw new Refusal(
        "storage_full",
        `The disk of the database has ${megabytes(disk.free)} left: a tenth of it stays free of copies and pictures of pages.`,
      );
  }
}

/** The bytes that all copies take. */
export async function takenRoom(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }>`select coalesce(sum(size), 0) as n from copies`;
  return Number(row?.n);
}

function diskOf(location: string): { readonly free: number; readonly all: number } | undefined {
  try {
    const { bavail, blocks, bsize } = statfsSync(dirname(location));
    return { free: bavail * bsize, all: blocks * bsize };
  } catch {
    return undefined;
  }
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / (1024 * 1024)).toLocaleString("en")} MB`;
}
