import { expect, test } from "bun:test";
import { DateFormatter } from "./date-formatter.ts";

test("days and times are those of the zone, in the language", () => {
  const date = new Date("2026-11-21T23:41:00Z");
  const here = new DateFormatter("en", "Europe/Berlin");
  expect([here.isoDay(date), here.time(date), here.shortDay(date)]).toEqual([
    "2026-11-22",
    "00:41",
    "Nov\u00a022,\u00a02026",
  ]);
  const there = new DateFormatter("de", "America/New_York");
  expect([there.isoDay(date), there.time(date), there.day(date)]).toEqual([
    "2026-11-21",
    "18:41",
    "21.\u00a0November\u00a02026",
  ]);
  expect(here.daysAgo(date, new Date("2026-11-23T12:00:00Z"))).toBe(1);
});

test("a day is one unbroken piece of text, after which its time may stand on the next line", () => {
  const date = new Date("2026-11-21T09:41:00Z");
  for (const [language, day, dayAndTime] of [
    ["en", "November~21,~2026", "Nov~21,~2026, 09:41"],
    ["de", "21.~November~2026", "21.11.2026, 09:41"],
    ["fr", "21~novembre~2026", "21~nov.~2026, 09:41"],
  ] as const) {
    const dates = new DateFormatter(language, "UTC");
    const spaced = (text: string) => text.replaceAll("\u00a0", "~");
    expect([language, spaced(dates.day(date)), spaced(dates.dayAndTime(date))]).toEqual([
      language,
      day,
      dayAndTime,
    ]);
  }
});
