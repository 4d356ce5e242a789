import { describe, expect, test } from "bun:test";
import type { Sql } from "../database/database.ts";
import { CopyRoom } from "./copy-room.ts";

const MB = 1024 * 1024;

/** A database whose copies take so many bytes. */
const taking = (n: number) => (async () => [{ n }]) as unknown as Sql;
const inFile = { location: "/data/commonplace.db", state: () => ({ files: { database: 1, log: 0 } }) };
const elsewhere = { location: "db.example/links", state: () => ({}) };
const disk = (free: number) => () => ({ free: free * MB, all: 1_000 * MB });

/** The sentence of a refusal; undefined when there is room. */
async function refusalOf(room: CopyRoom, taken: number, size: number): Promise<string | undefined> {
  try {
    await room.check(taking(taken * MB), size * MB);
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ reason: "storage_full" });
    return (error as Error).message;
  }
}

describe("Copies have room", () => {
  test("up to the limit, the last byte included", async () => {
    const room = new CopyRoom(elsewhere, 10 * MB, disk(0));
    expect(await refusalOf(room, 8, 2)).toBeUndefined();
    expect(await refusalOf(room, 8, 3)).toBe(
      "The copies of pages take 8 MB, and this one 3 MB more: 10 MB are allowed (COPIES_MAX). Delete some first.",
    );
  });

  test("beside a database in a file while a tenth of its disk stays free", async () => {
    expect(await refusalOf(new CopyRoom(inFile, 5_000 * MB, disk(102)), 0, 2)).toBeUndefined();
    expect(await refusalOf(new CopyRoom(inFile, 5_000 * MB, disk(102)), 0, 3)).toContain(
      "a tenth of it stays free",
    );
    expect(await refusalOf(new CopyRoom(inFile, 5_000 * MB, () => undefined), 0, 3)).toBeUndefined();
  });

  test("not at all where none are wanted", async () => {
    expect(await refusalOf(new CopyRoom(elsewhere, 0), 0, 1)).toContain("COPIES_MAX");
  });
});
