import { describe, expect, test } from "bun:test";
import { Random } from "../support/run/random.ts";
import { contradictionIn, type Operation } from "./linearizability.ts";

const NEVER = Number.POSITIVE_INFINITY;

function write(invoked: number, completed: number, value: string): Operation {
  return { invoked, completed, reads: false, step: () => value, text: `write ${value}` };
}

function read(invoked: number, completed: number, value: string): Operation {
  const step = (state: string) => (state === value ? state : undefined);
  return { invoked, completed, reads: true, step, text: `read ${value}` };
}

/** A compare-and-set that succeeded. */
function exchange(invoked: number, completed: number, from: string, to: string): Operation {
  const step = (state: string) => (state === from ? to : undefined);
  return { invoked, completed, reads: false, step, text: `exchange ${from} for ${to}` };
}

/** A compare-and-set that was refused. */
function refused(invoked: number, completed: number, from: string): Operation {
  const step = (state: string) => (state === from ? undefined : state);
  return { invoked, completed, reads: true, step, text: `refused ${from}` };
}

const kindOf = (operations: readonly Operation[]) => contradictionIn("a", operations)?.kind;

describe("A history that has an order", () => {
  const good: Readonly<Record<string, readonly Operation[]>> = {
    "with nothing in it": [],
    "one after another": [read(1, 2, "a"), write(3, 4, "b"), read(5, 6, "b")],
    "of a write and a read at once that saw the old value": [write(1, 4, "b"), read(2, 3, "a")],
    "of a write and a read at once that saw the new value": [write(1, 4, "b"), read(2, 3, "b")],
    "of reads that saw a write at once come, in that order": [
      write(1, 9, "b"),
      read(2, 3, "a"),
      read(4, 5, "b"),
    ],
    "of two simultaneous writes whose order a read shows": [
      write(1, 5, "b"),
      write(2, 4, "c"),
      read(6, 7, "b"),
      read(8, 9, "b"),
    ],
    "of a write without an answer that happened": [write(1, NEVER, "b"), read(5, 6, "b")],
    "of a write without an answer that did not happen": [write(1, NEVER, "b"), read(5, 6, "a")],
    "of a write without an answer that happened late": [
      write(1, NEVER, "b"),
      read(5, 6, "a"),
      read(7, 8, "b"),
    ],
    "of exchanges of which one won": [exchange(1, 5, "a", "b"), refused(2, 6, "a"), read(7, 8, "b")],
    "of an exchange that rests on one without an answer": [
      exchange(1, NEVER, "a", "b"),
      exchange(5, 6, "b", "c"),
      read(7, 8, "c"),
    ],
  };
  for (const [name, operations] of Object.entries(good))
    test(name, () => expect(contradictionIn("a", operations)).toBeUndefined());
});

describe("A history that has none", () => {
  const bad: Readonly<Record<string, readonly Operation[]>> = {
    "a value that nobody wrote": [read(1, 2, "b")],
    "a stale read": [write(1, 2, "b"), read(3, 4, "a")],
    "reads that saw a write come and go": [write(1, 9, "b"), read(2, 3, "b"), read(4, 5, "a")],
    "a confirmed write that is lost": [write(1, 2, "b"), write(1, 2, "c"), read(3, 4, "b"), read(5, 6, "c")],
    "two exchanges of one value": [exchange(1, 5, "a", "b"), exchange(2, 6, "a", "c")],
    "an exchange that was refused although nothing had changed": [refused(1, 2, "a")],
    "an exchange that was refused and happened": [refused(3, 4, "b"), exchange(1, 2, "a", "b")],
    "a write without an answer that happened twice": [
      write(1, NEVER, "b"),
      read(3, 4, "b"),
      write(5, 6, "c"),
      read(7, 8, "c"),
      read(9, 10, "b"),
    ],
    "a write without an answer that was seen before it was sent": [read(1, 2, "b"), write(3, NEVER, "b")],
  };
  for (const [name, operations] of Object.entries(bad))
    test(name, () => expect(kindOf(operations)).toBe("impossible"));

  test("is reported with the state, and the requests that cannot come next", () => {
    const found = contradictionIn("a", [write(1, 2, "b"), read(3, 4, "b"), read(5, 6, "a")]);
    expect(found?.state).toBe("b");
    expect(found?.next.map(({ text }) => text)).toEqual(["read a"]);
  });
});

test("A search that takes too long is given up, and says so", () => {
  const writes = Array.from({ length: 12 }, (_, index) => write(1, 9, String(index)));
  expect(contradictionIn("a", [...writes, read(10, 11, "nothing")], 1_000)?.kind).toBe("undecided");
});

test("Histories of a correct register are accepted, and refused after one stale read is added", () => {
  for (let seed = 1; seed <= 100; seed++) {
    const random = new Random(seed);
    const operations = madeUp(random);
    expect(contradictionIn("a", operations)).toBeUndefined();
    const end = Math.max(...operations.map(({ invoked }) => invoked)) + 10;
    const last = contradictionIn("a", [...operations, write(end, end + 1, "z"), read(end + 2, end + 3, "y")]);
    expect(last?.kind).toBe("impossible");
  }
});

/** A correct register, seen by clients whose responses are delayed. */
function madeUp(random: Random): Operation[] {
  let state = "a";
  return Array.from({ length: 60 }, (_, index) => {
    const moment = index * 2;
    const [invoked, completed] = [moment - random.next() * 8, moment + random.next() * 8];
    const isLost = random.chance(0.1);
    if (random.chance(0.5)) return read(invoked, completed, state);
    if (random.chance(0.2)) return refused(invoked, completed, `not ${state}`);
    const before = state;
    if (!isLost || random.chance(0.5)) state = `value ${index}`;
    const end = isLost ? NEVER : completed;
    return random.chance(0.5)
      ? write(invoked, end, `value ${index}`)
      : exchange(invoked, end, before, `value ${index}`);
  });
}
