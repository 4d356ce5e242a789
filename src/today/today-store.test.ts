import { expect, test } from "bun:test";
import { sameDays } from "./today-store.ts";

const iso = ({ from, before }: { from: Date; before: Date }) => [from.toISOString(), before.toISOString()];

test("a day has the same one in earlier years, by the clock of the site", () => {
  const [last = [], ...others] = sameDays("2026-03-29", "Europe/Berlin").map(iso);
  expect(last).toEqual(["2025-03-28T23:00:00.000Z", "2025-03-29T23:00:00.000Z"]);
  expect(others).toHaveLength(34);
  // Clocks were put forward on that day.
  expect(others[4]).toEqual(["2020-03-28T23:00:00.000Z", "2020-03-29T22:00:00.000Z"]);
  expect(sameDays("2027-12-31", "UTC").map(iso)[0]).toEqual([
    "2026-12-31T00:00:00.000Z",
    "2027-01-01T00:00:00.000Z",
  ]);
});

test("February 29 has only that of leap years", () => {
  expect(sameDays("2028-02-29", "UTC").map(({ from }) => from.getUTCFullYear())).toEqual([
    ...[2024, 2020, 2016, 2012, 2008, 2004, 2000, 1996],
  ]);
});
