import { describe, expect, test } from "bun:test";
import { passwordError, usernameError, usernameKey } from "./account.ts";

describe("A username", () => {
  test.each(["a", "7", "editor", "Ed.I_tor-2", ".", "-", "x".repeat(64)])("may be %j", (username) => {
    expect(usernameError(username)).toBeUndefined();
  });

  test.each([
    "",
    "x".repeat(65),
    "two words",
    " editor",
    "editor\n",
    "édith",
    "a@b",
    "a/b",
    "a:b",
    "a\0b",
    "ｅditor",
    "\u212aditor", // the Kelvin sign, which is a `k` in lower case
  ])("may not be %j", (username) => {
    expect(usernameError(username)).toMatch(/1 to 64 letters, digits/);
  });

  test("is the same in another case", () => {
    expect(usernameKey("Ed.I_tor-2")).toBe(usernameKey("eD.i_TOR-2"));
    expect(usernameKey("editor")).not.toBe(usernameKey("edit0r"));
  });
});

describe("A password", () => {
  test.each([
    "x".repeat(10),
    "          ",
    "🔖".repeat(10),
    " no trimming ",
    "aaaaaaaaaa",
    "password12",
    "x".repeat(1_024),
    "é".repeat(512),
    "🔖".repeat(256),
    "tab\tand\nline",
  ])("may be %j: there are no rules but its length", (password) => {
    expect(passwordError(password)).toBeUndefined();
  });

  test.each(["", "x".repeat(9), "🔖".repeat(9), "👩‍👩‍👧‍👦!!"])(
    "may not be %j: too short in code points",
    (password) => {
      expect(passwordError(password)?.detail).toMatch(/at least 10 characters/);
    },
  );

  test.each(["x".repeat(1_025), "é".repeat(513), "🔖".repeat(257)])(
    "may not be %j: too long in bytes of UTF-8",
    (password) => {
      expect(passwordError(password)?.detail).toMatch(/at most 1,?024 bytes/);
    },
  );

  test.each(["nul\0in the middle", "half a \ud83d pair of surrogates"])(
    "may not be %j, which no request can contain",
    (password) => {
      expect(passwordError(password)?.detail).toBeString();
    },
  );
});
