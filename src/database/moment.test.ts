import { expect, test } from "bun:test";
import { Moment } from "./moment.ts";

test("A stamp that took a round trip can then be used at once", async () => {
  const moment = new Moment({ stamp: async () => "1:2:", stampNow: () => undefined });
  expect(moment.stampNow()).toBeUndefined();
  expect(await moment.stamp()).toBe("1:2:");
  expect(moment.stampNow()).toBe("1:2:");
});

test("A failed stamp is not used", async () => {
  const moment = new Moment({ stamp: () => Promise.reject(new Error("gone")), stampNow: () => undefined });
  expect(await Promise.resolve(moment.stamp()).catch(String)).toBe("Error: gone");
  expect(moment.stampNow()).toBeUndefined();
});
