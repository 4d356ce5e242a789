import { expect, test } from "bun:test";
import { RequestStamp } from "./request-stamp.ts";

test("A stamp that took a round trip can then be used at once", async () => {
  const stamp = new RequestStamp({ stamp: async () => "1:2:", stampNow: () => undefined });
  expect(stamp.stampNow()).toBeUndefined();
  expect(await stamp.stamp()).toBe("1:2:");
  expect(stamp.stampNow()).toBe("1:2:");
});

test("A failed stamp is not used", async () => {
  const stamp = new RequestStamp({
    stamp: () => Promise.reject(new Error("gone")),
    stampNow: () => undefined,
  });
  expect(await Promise.resolve(stamp.stamp()).catch(String)).toBe("Error: gone");
  expect(stamp.stampNow()).toBeUndefined();
});
