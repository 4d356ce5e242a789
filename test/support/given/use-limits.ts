import { afterAll, beforeAll } from "bun:test";
import type { Limits } from "../../../src/limits.ts";
import { give } from "./given.ts";

/** For a file, or a group of tests, about what happens beyond a limit: lower ones are reached sooner. */
export function useLimits(limits: Partial<Limits>): void {
  beforeAll(() => give({ limits }));
  afterAll(() => give({ limits: {} }));
}
