import { afterAll, beforeAll, describe } from "bun:test";
import { give, UNHURRIED } from "./given.ts";

/** For a file about time limits, or about what happens after one: they are those of a real server. */
export function useRealTimeLimits(): void {
  beforeAll(() => give({ timeLimits: 1 }));
  afterAll(() => give({ timeLimits: UNHURRIED }));
}

/** The same for some tests of a file. */
export function withRealTimeLimits(define: () => void): void {
  describe("within the time limits of a real server", () => {
    useRealTimeLimits();
    define();
  });
}
