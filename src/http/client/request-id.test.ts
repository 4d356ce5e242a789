import { describe, expect, test } from "bun:test";
import { requestIdOf } from "./request-id.ts";

const idOf = (given?: string) =>
  requestIdOf(
    new Request("http://localhost/", { headers: given === undefined ? {} : { "x-request-id": given } }),
  );

describe("requestIdOf", () => {
  test("keeps an id of up to 128 letters, digits, dots, underscores and hyphens", () => {
    for (const id of ["a", "A-1_b.c", "x".repeat(128)]) expect(idOf(id)).toBe(id);
  });

  test("replaces any other id", () => {
    for (const id of ["", "a b", "x".repeat(129), 'a"b', "a/b", "a,b"]) {
      expect(idOf(id)).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
      expect(idOf(id)).not.toBe(id);
    }
  });

  test("generates a unique id", () => {
    const ids = Array.from({ length: 1_000 }, () => idOf());
    expect(new Set(ids).size).toBe(1_000);
  });
});
