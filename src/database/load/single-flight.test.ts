import { describe, expect, test } from "bun:test";
import { SingleFlight } from "./single-flight.ts";

/** Something that is asked, and answers when it is told to. */
function oracle() {
  const asked: PromiseWithResolvers<number>[] = [];
  const question = new SingleFlight(() => {
    const answer = Promise.withResolvers<number>();
    asked.push(answer);
    return answer.promise;
  });
  return { asked, question };
}

describe("A shared question", () => {
  test("is put once for all who come while another is under way, and only when that is answered", async () => {
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

  test("is asked again for requests that arrive after the answer", async () => {
    const { asked, question } = oracle();
    for (let count = 1; count <= 3; count++) {
      const answer = question.result();
      expect(asked).toHaveLength(count);
      asked[count - 1]?.resolve(count);
      expect(await answer).toBe(count);
    }
  });

  test("that fails late, fails for those too who wait for the next: they have waited long enough", async () => {
    const { asked, question } = oracle();
    const first = question.result();
    const second = question.result();
    await Bun.sleep(260);
    asked[0]?.reject(new Error("gone"));
    await expect(first).rejects.toThrow("gone");
    await expect(second).rejects.toThrow("gone");
    const third = question.result();
    asked[1]?.resolve(2);
    expect(await third).toBe(2);
  });

  test("that fails, fails for those who shared it; the next is put all the same", async () => {
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
