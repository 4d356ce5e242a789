import { describe, expect, test } from "bun:test";
import { parseQueryParts } from "./query-parts.ts";
import { findSpokenDate } from "./spoken-date.ts";

/** A Wednesday. */
const TODAY = "2026-11-25";
const find = (q: string, today = TODAY) => findSpokenDate(parseQueryParts(q) ?? [], today);

describe("A date in a search", () => {
  test.each([
    ["today", "on:2026-11-25"],
    ["maps yesterday", "on:2026-11-24 maps"],
    ["maps saved yesterday", "on:2026-11-24 maps"],
    ["this week", "after:2026-11-23 before:2026-11-30"],
    ["paper map last week", "after:2026-11-16 before:2026-11-23 paper map"],
    ["last month", "on:2026-10"],
    ["this month", "on:2026-11"],
    ["last year", "on:2025"],
    ["this year", "on:2026"],
    ["paper map last spring", "after:2026-03-01 before:2026-06-01 paper map"],
    ["last autumn", "after:2025-09-01 before:2025-12-01"],
    ["this autumn", "after:2026-09-01 before:2026-12-01"],
    ["last winter", "after:2025-12-01 before:2026-03-01"],
    ["Spring 2024", "after:2024-03-01 before:2024-06-01"],
    ["March 2024", "on:2024-03"],
    ["saved in March 2024", "on:2024-03"],
    ["Mar of 2024 #maps", "on:2024-03 #maps"],
    ["in December", "on:2025-12"],
    ["in November", "on:2026-11"],
    ["last march", "on:2026-03"],
    ["April 17", "on:2026-04-17"],
    ["maps on December 24th", "on:2025-12-24 maps"],
    ["25 nov", "on:2026-11-25"],
    ["17 April 2024", "on:2024-04-17"],
    ["April 17, 2024 maps", "on:2024-04-17 maps"],
    ["February 29", "on:2024-02-29"],
    ["2024-05-14", "on:2024-05-14"],
    ["maps 2024-05", "on:2024-05 maps"],
    ["maps from 2024", "on:2024 maps"],
    ["2024-12-31", "on:2024-12-31"],
    ["site:a.example 2024-02-29", "on:2024-02-29 site:a.example"],
  ])("such as “%s” is found: %s", (q, filtered) => {
    expect(find(q)?.q).toBe(filtered);
  });

  test.each([
    "maps",
    "march",
    "last",
    "the last word",
    "may",
    "in",
    "2023-02-29",
    "February 30",
    "April 0",
    "April 17 2027",
    "17",
    "2024-13",
    "1989",
    "2027",
    "2026-12",
    "March 3024",
    '"last week"',
    "-today",
    "#today",
    "today on:2024",
    "(today OR maps)",
    "",
  ])("is none in “%s”", (q) => {
    expect(find(q)).toBeUndefined();
  });

  test("is said with its first and its last day", () => {
    expect(find("last week")).toMatchObject({ first: "2026-11-16", last: "2026-11-22" });
    expect(find("February 2024")).toMatchObject({ first: "2024-02-01", last: "2024-02-29" });
  });

  test.each([
    ["maps yesterday", "on:2026-11 maps"],
    ["2026-11-01", "on:2026-11"],
    ["last week", "on:2026-11"],
    ["March 2024", undefined],
    ["2024", undefined],
    ["last spring", undefined],
  ])("has the month of a shorter time: “%s”", (q, filtered) => {
    expect(find(q)?.month?.q).toBe(filtered);
  });

  test.each([
    ["2026-11-23", "after:2026-11-16 before:2026-11-23"],
    ["2026-11-29", "after:2026-11-16 before:2026-11-23"],
    ["2027-01-03", "after:2026-12-21 before:2026-12-28"],
  ])("counts weeks from Monday: last week on %s", (today, filtered) => {
    expect(find("last week", today)?.q).toBe(filtered);
  });

  test("of many words costs no more than in proportion", () => {
    const q = "last ".repeat(190).trim();
    expect(find(q)).toBeUndefined();
  });
});
