import { expect, test } from "bun:test";
import { SETTINGS } from "./site-settings.ts";

test.each(SETTINGS)("The initial value of $name can be stored", ({ initial, type, stored = type }) => {
  if (initial !== undefined) expect(stored.safeParse(initial).success).toBe(true);
});

test("No two settings have the same member of the API, or the same field", () => {
  for (const key of ["api", "field"] as const) {
    const given = SETTINGS.flatMap((setting) => setting[key] ?? []);
    expect(given).toEqual([...new Set(given)]);
  }
});
