import { expect, test } from "bun:test";
import { countSpans, isPossible, type Presence } from "./possible-counts.ts";

const NEVER = Number.POSITIVE_INFINITY;

/** The counts that a read between two moments may return. */
function possible(presences: readonly Presence[], from: number, to: number): number[] {
  const spans = countSpans(presences);
  return [0, 1, 2, 3].filter((count) => isPossible(count, spans, from, to));
}

const there: Presence = { initially: true, writes: [] };
const made: Presence = { initially: false, writes: [{ invoked: 10, completed: 20, present: true }] };
const deleted: Presence = { initially: true, writes: [{ invoked: 30, completed: 40, present: false }] };

test("What was there from the beginning counts", () => {
  expect(possible([there, there], 0, 1)).toEqual([2]);
});

test("A creation counts perhaps while it is under way, and surely after its response", () => {
  expect(possible([made], 0, 5)).toEqual([0]);
  expect(possible([made], 5, 15)).toEqual([0, 1]);
  expect(possible([made], 25, 26)).toEqual([1]);
});

test("A deletion counts perhaps while it is under way, and surely not after its response", () => {
  expect(possible([deleted], 20, 25)).toEqual([1]);
  expect(possible([deleted], 31, 32)).toEqual([0, 1]);
  expect(possible([deleted], 41, 50)).toEqual([0]);
});

test("Counts of different moments do not mix", () => {
  const swapped: Presence = { initially: true, writes: [{ invoked: 12, completed: 14, present: false }] };
  const later: Presence = { initially: false, writes: [{ invoked: 16, completed: 18, present: true }] };
  expect(possible([swapped, later], 15, 15.5)).toEqual([0]);
  expect(possible([swapped, later], 19, 20)).toEqual([1]);
  expect(possible([swapped, later], 0, 20)).toEqual([0, 1]);
});

test("A write without a response may take effect at any later moment", () => {
  const open: Presence = { initially: false, writes: [{ invoked: 10, completed: NEVER, present: true }] };
  expect(possible([open], 0, 5)).toEqual([0]);
  expect(possible([open, there], 500, 501)).toEqual([1, 2]);
});

test("Of two writes at once either may be the last, until a third is called after both", () => {
  const writes = [
    { invoked: 10, completed: 20, present: true },
    { invoked: 12, completed: 18, present: false },
  ];
  const third = { invoked: 30, completed: 35, present: true };
  expect(possible([{ initially: false, writes }], 25, 26)).toEqual([0, 1]);
  expect(possible([{ initially: false, writes: [...writes, third] }], 36, 37)).toEqual([1]);
});
