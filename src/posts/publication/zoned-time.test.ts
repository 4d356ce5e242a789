import { expect, test } from "bun:test";
import { instantOf, yearOf } from "./zoned-time.ts";

test.each([
  ["UTC", { year: 2026, month: 1 }, "2026-01-01T00:00:00.000Z"],
  ["Europe/Berlin", { year: 2026, month: 7, day: 1, hour: 9, minute: 30 }, "2026-07-01T07:30:00.000Z"],
  ["Europe/Berlin", { year: 2026, month: 1 }, "2025-12-31T23:00:00.000Z"],
  ["Asia/Kathmandu", { year: 2026, month: 1 }, "2025-12-31T18:15:00.000Z"],
  ["America/New_York", { year: 2026, month: 1 }, "2026-01-01T05:00:00.000Z"],
  // Skipped by the clocks of spring, and given twice by those of autumn.
  ["Europe/Berlin", { year: 2026, month: 3, day: 29, hour: 2, minute: 30 }, "2026-03-29T01:30:00.000Z"],
  ["Europe/Berlin", { year: 2026, month: 10, day: 25, hour: 2, minute: 30 }, "2026-10-25T00:30:00.000Z"],
])("In %s, %j is %s", (zone, local, instant) => {
  expect(instantOf(local, zone).toISOString()).toBe(instant);
});

test("The year is that of the local time in the zone", () => {
  const newYear = new Date("2026-01-01T02:00:00Z");
  expect([yearOf(newYear, "UTC"), yearOf(newYear, "America/New_York")]).toEqual([2026, 2025]);
});
