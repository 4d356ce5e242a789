import type { Random } from "../../support/run/random.ts";
import type { Change, FileChange } from "./disk.ts";

/** Which of the unsynced changes are on the disk after a power cut. */
export interface Survivors {
  /** A description for people. */
  readonly name: string;
  amongWrites(pending: readonly FileChange[]): readonly FileChange[];
  amongEntries<T extends Change>(pending: readonly T[]): readonly T[];
  /** Fills the gap between the end of a file and a surviving write beyond it. */
  hole(hole: Buffer): void;
}

/** The size of a disk's sector in bytes. Disks write a sector atomically. */
const SECTOR = 512;

/** Selects some of the unsynced changes. */
type Choose = <T extends Change>(pending: readonly T[]) => readonly T[];

const none: Choose = () => [];
const all: Choose = (pending) => pending;

export const EVERYTHING: Survivors = { name: "everything", amongWrites: all, amongEntries: all, hole: zeros };

/** Draws one of the ways in which disks lose writes. @param now the number of the last operation */
export function drawSurvivors(random: Random, now: number): Survivors {
  const kinds: readonly (() => Survivors)[] = [
    () => ({ name: "only what was synced", amongWrites: none, amongEntries: none, hole: zeros }),
    () => EVERYTHING,
    () => {
      // Most unsynced changes are recent.
      const first = Math.max(0, now - random.below(200));
      const earlier: Choose = (pending) => pending.filter(({ at }) => at < first);
      return {
        name: `what was begun before operation ${first}`,
        amongWrites: earlier,
        amongEntries: earlier,
        hole: zeros,
      };
    },
    () => {
      const some = subset(random, random.next());
      return { name: "some writes", amongWrites: some, amongEntries: some, hole: zeros };
    },
    () => {
      const some = subset(random, random.next());
      const torn = (pending: readonly FileChange[]) => some(pending.flatMap(sectorsOf));
      return {
        name: "some sectors",
        amongWrites: torn,
        amongEntries: some,
        hole: random.chance(0.5) ? zeros : garbage(random),
      };
    },
    () => {
      // Draws for each file and folder independently: for example, all of the log and none of the database file.
      const one = () => random.pick([none, all, subset(random, random.next()), prefix(random)]);
      return {
        name: "some files more than others",
        amongWrites: (pending) => one()(random.chance(0.3) ? pending.flatMap(sectorsOf) : pending),
        amongEntries: (pending) => one()(pending),
        hole: random.chance(0.5) ? zeros : garbage(random),
      };
    },
  ];
  return random.pick(kinds)();
}

function subset(random: Random, probability: number): Choose {
  return (pending) => pending.filter(() => random.chance(probability));
}

function prefix(random: Random): Choose {
  return (pending) => pending.slice(0, random.below(pending.length + 1));
}

/** Splits a write at the sector boundaries of the file. */
function sectorsOf(change: FileChange): FileChange[] {
  const { bytes, offset } = change;
  if (bytes === undefined) return [change];
  const pieces: FileChange[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = Math.min(bytes.length, start + SECTOR - ((offset + start) % SECTOR));
    pieces.push({ ...change, offset: offset + start, bytes: bytes.subarray(start, end) });
    start = end;
  }
  return pieces;
}

function zeros(hole: Buffer): void {
  hole.fill(0);
}

/** Fills a hole with random bytes, like earlier contents of the disk's blocks. */
function garbage(random: Random): (hole: Buffer) => void {
  return (hole) => {
    for (let at = 0; at < hole.length; at++) hole[at] = random.below(256);
  };
}
