import { beforeEach, describe, expect, test } from "bun:test";
import { LONG_RESPONSES_MAX, LongResponses } from "./long-responses.ts";

/** The time of a chunk of 64 KiB at 16 KiB/s, in milliseconds. */
const SLOW_AFTER = 4_000;

describe("When all places for long responses are taken, another one", () => {
  let now = 0;
  let responses: LongResponses;
  let dropped: number[];
  const enter = (number: number) => {
    const place = responses.enter();
    place.onDrop = () => dropped.push(number);
    return place;
  };
  beforeEach(() => {
    now = 0;
    dropped = [];
    responses = new LongResponses(() => now);
  });
  const fill = () => Array.from({ length: LONG_RESPONSES_MAX }, (_, number) => enter(number));
  const refused = expect.objectContaining({ reason: "unavailable", retryAfter: 2 });

  test("is refused, with a Retry-After, until one has ended", () => {
    const [first] = fill();
    expect(responses.enter.bind(responses)).toThrow(refused);
    first?.leave();
    first?.leave();
    first?.noteRead();
    enter(LONG_RESPONSES_MAX);
    expect(responses.enter.bind(responses)).toThrow(refused);
    expect(dropped).toEqual([]);
  });

  test("takes the place of a client slower than 16 KiB/s, the longest waiting first", () => {
    const [first, second] = fill();
    now = SLOW_AFTER;
    first?.noteRead();
    now++;
    second?.noteRead();
    for (let number = 2; number < LONG_RESPONSES_MAX; number++) {
      enter(LONG_RESPONSES_MAX);
      expect(dropped.at(-1)).toBe(number);
    }
    // The first two clients and the new ones are fast enough.
    now = 2 * SLOW_AFTER - 1;
    expect(responses.enter.bind(responses)).toThrow(refused);
    expect(dropped).toHaveLength(LONG_RESPONSES_MAX - 2);
  });
});
