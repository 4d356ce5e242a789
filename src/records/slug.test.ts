import { describe, expect, test } from "bun:test";
import { isSlug, slugFrom } from "./slug.ts";

describe("The slug of a title", () => {
  test.each([
    ["First light", "first-light"],
    ["  What's new — in 2026?  ", "whats-new-in-2026"],
    ["Überraschung: Öl, Straße & naïveté", "uberraschung-ol-strasse-naivete"],
    ["Łódź, Ærø, Đorđe", "lodz-aero-dorde"],
    ["日本語のタイトル", "日本語のタイトル"],
    ["हिन्दी में", "हिन्दी-में"],
    ["ﬁne ＡＢＣ", "fine-abc"],
    ["İstanbul", "istanbul"],
    ["2026", "post-2026"],
    ["٢٠٢٦", "post-٢٠٢٦"],
    ["2026-11", "2026-11"],
    ["?!", ""],
    ["../../etc/passwd", "etc-passwd"],
    ["<script>", "script"],
  ])("of %j is %j", (title, slug) => {
    expect(slugFrom(title)).toBe(slug);
  });

  test("ends at a word before 80 characters, whole characters always", () => {
    const long = slugFrom("seven letters ".repeat(20));
    expect(long).toEndWith("seven");
    expect(long.length).toBeLessThanOrEqual(80);
    expect(slugFrom("𐐨".repeat(100))).toBe("𐐨".repeat(80));
  });

  test("is accepted when an author enters it", () => {
    for (const title of ["First light", "日本語", "हिन्दी में", "İstanbul", "2026", "x".repeat(500)])
      expect([title, isSlug(slugFrom(title))]).toEqual([title, true]);
  });
});

test("Invalid slugs are refused", () => {
  for (const text of [
    "",
    "-",
    "a-",
    "-a",
    "a--b",
    "A",
    "a b",
    "2026",
    "a/b",
    "a.b",
    "e\u0301",
    "a\n",
    "x".repeat(101),
  ])
    expect([text, isSlug(text)]).toEqual([text, false]);
});
