import { expect, test } from "bun:test";
import { DateFormatter } from "./date-formatter.ts";

test("days and times are those of the zone, in the language", () => {
  const date = new Date("2026-11-21T23:41:00Z");
  const here = new DateFormatter("en", "Europe/Berlin");
  expect([here.isoDay(date), here.time(date), here.shortDay(date)]).toEqual([
    "2026-11-22",
    "00:41",
    "Nov 22, 2026",
  ]);
  const there = new DateFormatter("de", "America/New_York");
  expect([there.isoDay(date), there.time(date), there.day(date)]).toEqual([
    "2026-11-21",
    "18:41",
    "21. November 2026",
  ]);
  expect(here.daysAgo(date, new Date("2026-11-23T12:00:00Z"))).toBe(1);
});
