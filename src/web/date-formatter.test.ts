import { expect, test } from "bun:test";
import { DateFormatter, dateStyleFor, localeOf } from "./date-formatter.ts";

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

test.each([
  ["en", "language", "November~20,~2026", "Nov~20,~2026, 12:00", "November~20"],
  ["en-GB", "language", "20~November~2026", "20~Nov~2026, 12:00", "20~November"],
  ["de", "language", "20~November~2026", "20~Nov~2026, 12:00", "20~November"],
  ["en", "dmy", "20~November~2026", "20~Nov~2026, 12:00", "20~November"],
  ["de", "mdy", "November~20,~2026", "Nov~20,~2026, 12:00", "November~20"],
  ["en", "ymd", "2026-11-20", "2026-11-20, 12:00", "2026-11-20"],
] as const)(
  "the dates of a site in %p are written in the style %p",
  (language, style, day, dayAndTime, dayAndMonth) => {
    const date = new Date("2026-11-20T12:00:00Z");
    const dates = new DateFormatter(localeOf({ language }), "UTC", style);
    const shown = [dates.day(date), dates.dayAndTime(date), dates.dayAndMonth(date)];
    expect(shown.map((text) => text.replaceAll("\u00a0", "~"))).toEqual([day, dayAndTime, dayAndMonth]);
  },
);

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

test.each([
  ["language", "2026-11-16", "2026-11-22", "2026-11-25", "November~16~–~22"],
  ["language", "2026-10-26", "2026-11-01", "2026-11-25", "October~26~–~November~1"],
  ["language", "2025-12-29", "2026-01-04", "2026-11-25", "December~29,~2025~–~January~4,~2026"],
  ["language", "2025-12-29", "2026-01-04", "2025-12-30", "December~29,~2025~–~January~4,~2026"],
  ["language", "2025-11-17", "2025-11-23", "2026-11-25", "November~17~–~23,~2025"],
  ["ymd", "2026-11-16", "2026-11-22", "2026-11-25", "2026-11-16~–~2026-11-22"],
] as const)("in the style %p, the days from %s to %s are, on %s: %s", (style, first, last, today, span) => {
  const dates = new DateFormatter(localeOf({ language: "en" }), "UTC", style);
  expect(dates.span(first, last, today).replaceAll(/\s/g, "~")).toBe(span);
});

test.each([
  ["de-DE,de;q=0.9,en;q=0.8", "dmy"],
  ["en-GB", "dmy"],
  ["pl;q=0.9", "dmy"],
  ["en-US,en;q=0.5", "language"],
  ["en", "language"],
  ["sv-SE", "ymd"],
  ["ja", "ymd"],
  ["zh-Hant-TW", "ymd"],
  ["fa-IR", "ymd"],
  ["*", "language"],
  ["", "language"],
  [null, "language"],
  ["no language at all", "language"],
  [`de-${"x".repeat(9_000)}`, "language"],
] as const)("dates of a browser that asks for %s are written %s", (header, style) => {
  expect(dateStyleFor(header)).toBe(style);
});
