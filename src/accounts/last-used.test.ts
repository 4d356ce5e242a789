import { describe, expect, test } from "bun:test";
import { Touches } from "./last-used.ts";

const MINUTE = 60_000;
const work = async () => {};

describe("A last use", () => {
  test("is written when none is stored or the stored one is a minute old", () => {
    for (const [stored, due] of [
      [null, 1],
      [0, 1],
      [1, 0],
      [MINUTE, 0],
    ] as const) {
      const { touches, writes } = counted();
      touches.ifDue("token 1", stored === null ? null : new Date(stored), MINUTE, MINUTE, work);
      expect(writes()).toBe(due);
    }
  });

  test("is written once while what is stored is still the old one", () => {
    const { touches, writes } = counted();
    for (let now = MINUTE; now < 2 * MINUTE; now += 1_000) touches.ifDue("token 1", null, now, MINUTE, work);
    expect(writes()).toBe(1);
    touches.ifDue("token 1", null, 2 * MINUTE, MINUTE, work);
    expect(writes()).toBe(2);
  });

  test("of one subject says nothing of another's", () => {
    const { touches, writes } = counted();
    for (const subject of ["token 1", "token 2", "session 1"])
      touches.ifDue(subject, null, MINUTE, MINUTE, work);
    expect(writes()).toBe(3);
  });

  test("is remembered for a bounded number of subjects", () => {
    const { touches, writes } = counted();
    for (let id = 0; id < 30_000; id++) touches.ifDue(`token ${id}`, null, MINUTE, MINUTE, work);
    const before = writes();
    touches.ifDue("token 0", null, MINUTE, MINUTE, work);
    expect(writes()).toBe(before + 1);
  });

  function counted() {
    let count = 0;
    const touches = new Touches(() => {
      count++;
    });
    return { touches, writes: () => count };
  }
});
