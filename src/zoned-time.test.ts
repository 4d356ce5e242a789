import { expect, test } from "bun:test";
import { existingInstantOf, instantOf, instantOfLocal, isTimeZone, localOf, yearOf } from "./zoned-time.ts";

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

test("A typed time exists within the years 1970 to 9999, or is none", () => {
  const typed = (year: number, month = 1, day = 1, hour = 0, minute = 0) =>
    existingInstantOf({ year, month, day, hour, minute }, "Europe/Berlin")?.toISOString();
  expect(typed(2024, 2, 29, 9, 30)).toBe("2024-02-29T08:30:00.000Z");
  expect(typed(9999, 12, 31, 23, 59)).toBe("9999-12-31T22:59:00.000Z");
  const none = [typed(75), typed(1969, 12, 31), typed(1970), typed(10_000), typed(2026, 13), typed(2026, 0)];
  const times = [typed(2026, 2, 29), typed(2026, 1, 0), typed(2026, 1, 1, 24), typed(2026, 1, 1, 9, 60)];
  expect([...none, ...times].filter((found) => found !== undefined)).toEqual([]);
});

test("The year is that of the local time in the zone", () => {
  const newYear = new Date("2026-01-01T02:00:00Z");
  expect([yearOf(newYear, "UTC"), yearOf(newYear, "America/New_York")]).toEqual([2026, 2025]);
});

test("A local time that is given as one of UTC is an instant, and back", () => {
  const local = new Date("2026-07-01T09:30:15.123Z");
  const instant = instantOfLocal(local, "Europe/Berlin");
  expect(instant.toISOString()).toBe("2026-07-01T07:30:15.123Z");
  expect(localOf(instant, "Europe/Berlin")).toEqual(local);
});

test.each([
  ["Europe/Berlin", true],
  ["EST5EDT", true],
  ["Atlantis", false],
  ["", false],
])("The name of a time zone is known: %j %p", (name, isKnown) => {
  expect(isTimeZone(name)).toBe(isKnown);
});
