import { giveLimits, givenLimits, type Limits } from "../../../src/limits.ts";
import { multiplyAnonymousCommentLimits } from "../../../src/posts/comments/anonymous-comment-limits.ts";
import { multiplyTimeLimits, timeLimitFactor } from "../../../src/time-limit.ts";

/** What only tests give to the application: to their own process, and through `test/server.ts` to others. */
export interface Given {
  /** The factor of all time limits. */
  readonly timeLimits: number;
  /** The factor of the limits on comments of strangers. */
  readonly strangers: number;
  /** Other limits than those of a real server. */
  readonly limits: Partial<Limits>;
}

/** In tests that are not about time limits, a loaded machine must not change an answer. */
export const UNHURRIED = 100;

/** Tests that are not about their limits comment as often as they like. */
export const TALKATIVE = 1_000;

export function give({ timeLimits, strangers, limits }: Partial<Given>): void {
  if (timeLimits !== undefined) multiplyTimeLimits(timeLimits);
  if (strangers !== undefined) multiplyAnonymousCommentLimits(strangers);
  if (limits !== undefined) giveLimits(limits);
}

/** What this process was given, for the processes that it starts. */
export function given(): Given {
  return { timeLimits: timeLimitFactor(), strangers: TALKATIVE, limits: givenLimits() };
}
