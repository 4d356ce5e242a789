import { describe, expect, test } from "bun:test";
import { readDate } from "./dates.ts";

const now = new Date("2026-11-21T06:40:12.345Z");

describe("a date", () => {
  test.each([
    ["1456433748", "2016-02-25T20:55:48.000Z", "seconds"],
    ["1456433748.5", "2016-02-25T20:55:48.500Z", "seconds with a fraction"],
    ["1456433748123", "2016-02-25T20:55:48.123Z", "milliseconds, as Takeout writes them"],
    ["1515515697780642", "2018-01-09T16:34:57.780Z", "microseconds, as Google Bookmarks wrote them"],
    [" 1456433748 ", "2016-02-25T20:55:48.000Z", "seconds between spaces"],
    ["631152000", "1990-01-01T00:00:00.000Z", "the earliest that is believed"],
    ["1795329612", "2026-11-22T06:40:12.000Z", "a clock that is almost a day fast"],
    ["13300000000000000", "2022-06-18T04:26:40.000Z", "microseconds since 1601, as Chromium counts"],
    [
      "132000000000000000",
      "2019-04-17T18:40:00.000Z",
      "tenths of microseconds since 1601, as Windows counts",
    ],
    ["1700000000123456789", "2023-11-14T22:13:20.123Z", "nanoseconds"],
    ["10/Oct/2000:13:55:36 +0300", "2000-10-10T10:55:36.000Z", "the common log format"],
    [
      "2016-09-08T11:55:58+0200",
      "2016-09-08T09:55:58.000Z",
      "ISO 8601 without a colon in the zone, as in wallabag",
    ],
    ["2015-09-09 11:10:32 UTC", "2015-09-09T11:10:32.000Z", "with a space and UTC, as in elCurator"],
    ["2016-08-01T05:24:16", "2016-08-01T05:24:16.000Z", "without a zone, as in Readability: UTC"],
    ["2024-01-02 10:11:12", "2024-01-02T10:11:12.000Z", "with a space and no zone"],
    ["2024/11/14 05:48:28 +0000", "2024-11-14T05:48:28.000Z", "with slashes, as in Diigo"],
    ["Sat, 05 Apr 2025 20:59:49 GMT", "2025-04-05T20:59:49.000Z", "in words"],
    ["2020-06-06", "2020-06-06T00:00:00.000Z", "a day, as spreadsheets leave it"],
    ["2020-06-06T15:50:45+02:00", "2020-06-06T13:50:45.000Z", "ISO 8601 with a zone"],
  ])("%j is %s: %s", (raw, instant) => {
    expect(readDate(raw, now)).toEqual(new Date(instant));
  });

  test.each([
    [null, "date_missing"],
    ["", "date_missing"],
    ["0", "date_missing"],
    ["yesterday", "date_unreadable"],
    ["2020-02-30", "date_unreadable"],
    ["2020-13-45", "date_unreadable"],
    ["06/06/2020", "date_unreadable"],
    ["99/Xyz/2000:13:55:36 +0300", "date_unreadable"],
    ["2020-06-06T15:50:45+0260", "date_unreadable"],
    ["2020-13-45 00:00:00", "date_unreadable"],
    ["2020-13-45T00:00:00Z", "date_unreadable"],
    ["1e9", "date_unreadable"],
    ["-1456433748", "date_absurd"],
    ["1", "date_absurd"],
    ["631151999", "date_absurd"],
    ["1795329613", "date_absurd"],
    ["9000000000000000", "date_absurd"],
    ["90000000000000000", "date_absurd"],
    ["400000000000000000", "date_absurd"],
    ["9000000000000000000", "date_absurd"],
    ["9".repeat(30), "date_absurd"],
    ["9".repeat(100_000), "date_unreadable"],
  ] as const)("%j is not used: %s", (raw, note) => {
    expect(readDate(raw, now)).toBe(note);
  });
});

test("a date of our own export may be of any time, and a day alone", () => {
  const exact = (raw: string) => readDate(raw, now, "exact");
  expect(exact("1980-01-01T00:00:00.001Z")).toEqual(new Date("1980-01-01T00:00:00.001Z"));
  expect(exact("2024-01-02")).toEqual(new Date("2024-01-02T00:00:00Z"));
  expect(exact("2024-01-02 10:11:12")).toEqual(new Date("2024-01-02T10:11:12Z"));
  expect([exact("yesterday"), exact("1"), exact("2024-02-30")]).toEqual([
    "date_unreadable",
    "date_absurd",
    "date_unreadable",
  ]);
});
