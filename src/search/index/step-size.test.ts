import { expect, test } from "bun:test";
import { StepSize } from "./step-size.ts";

/** The sizes of the steps after steps of these durations, in milliseconds. */
function sizesAfter(engine: "sqlite" | "postgres", durations: readonly number[]): number[] {
  const size = new StepSize(engine);
  return durations.map((taken) => {
    size.adapt(taken);
    return size.records;
  });
}

test("Steps on PostgreSQL grow while they are short, up to a limit", () => {
  expect(sizesAfter("postgres", [30, 60, 120, 60, 60])).toEqual([512, 1_024, 1_024, 1_024, 1_024]);
});

test("Steps that take long become smaller again, down to a limit", () => {
  expect(sizesAfter("postgres", [30, 30, 200, 160, 500])).toEqual([512, 1_024, 512, 256, 256]);
});

test("Steps on SQLite keep their size", () => {
  expect(sizesAfter("sqlite", [1, 1, 500])).toEqual([256, 256, 256]);
});

test("The next step is small after a reset", () => {
  const size = new StepSize("postgres");
  size.adapt(1);
  size.reset();
  expect(size.records).toBe(256);
});
