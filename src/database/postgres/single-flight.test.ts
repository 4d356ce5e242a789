import { describe, expect, test } from "bun:test";
import { StoppedClock } from "../../../test/support/machine/stopped-clock.ts";
import { SingleFlight } from "./single-flight.ts";

/** A call that the test completes. */
function oracle() {
  const asked: PromiseWithResolvers<number>[] = [];
  const clock = new StoppedClock();
  const question = new SingleFlight(
    () => {
      const answer = Promise.withResolvers<number>();
      asked.push(answer);
      return answer.promise;
    },
    () => clock.elapsed(),
  );
  return { asked, question, clock };
}

describe("A shared call", () => {
  test("runs once for all callers that arrive during another call, after that has completed", async () => {
    const { asked, question } = oracle();
    const first = question.result();
    const others = [question.result(), question.result(), question.result()];
    await Promise.resolve();
    expect(asked).toHaveLength(1);
    asked[0]?.resolve(1);
    expect(await first).toBe(1);
    await Promise.resolve();
    expect(asked).toHaveLength(2);
    asked[1]?.resolve(2);
    expect(await Promise.all(others)).toEqual([2, 2, 2]);
  });

  test("runs again for callers that arrive after its completion", async () => {
    const { asked, question } = oracle();
    for (let count = 1; count <= 3; count++) {
      const answer = question.result();
      expect(asked).toHaveLength(count);
      asked[count - 1]?.resolve(count);
      expect(await answer).toBe(count);
    }
  });

  test("that fails late, fails for the callers of the next one, too: they have waited long enough", async () => {
    const { asked, question, clock } = oracle();
    const first = question.result();
    const second = question.result();
    clock.move(250);
    asked[0]?.reject(new Error("gone"));
    await expect(first).rejects.toThrow("gone");
    await expect(second).rejects.toThrow("gone");
    const third = question.result();
    asked[1]?.resolve(2);
    expect(await third).toBe(2);
  });

  test("that fails, fails for its callers; the next one still runs", async () => {
    const { asked, question } = oracle();
    const first = question.result();
    const second = question.result();
    asked[0]?.reject(new Error("gone"));
    await expect(first).rejects.toThrow("gone");
    await Promise.resolve();
    asked[1]?.resolve(2);
    expect(await second).toBe(2);
  });
});
