import { afterAll, beforeAll, describe } from "bun:test";
import { give, UNHURRIED } from "./given.ts";

/** For a file about deadlines, or about what happens after one: they are those of a real server. */
export function useRealDeadlines(): void {
  beforeAll(() => give({ deadlines: 1 }));
  afterAll(() => give({ deadlines: UNHURRIED }));
}

/** The same for some tests of a file. */
export function withRealDeadlines(define: () => void): void {
  describe("within the deadlines of a real server", () => {
    useRealDeadlines();
    define();
  });
}
