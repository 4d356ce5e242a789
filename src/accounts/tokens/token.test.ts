import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { hashOfSecret, isSecret, keyOf, newSecret, parseKey } from "./token.ts";

describe("A token's key", () => {
  test("has a prefix for scanners of leaked secrets, and a fixed format", () => {
    expect(keyOf(42, newSecret())).toMatch(/^cmpl_42_[0-9a-f]{40}[0-9a-f]{8}$/);
  });

  test("holds 160 random bits", () => {
    const secrets = Array.from({ length: 1_000 }, newSecret);
    expect(new Set(secrets).size).toBe(1_000);
    for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{40}$/);
  });

  test("contains its id and secret", () => {
    const secret = newSecret();
    for (const id of [1, 42, 999_999_999_999_999])
      expect(parseKey(keyOf(id, secret))).toEqual({ id, secret });
  });

  test("with one changed character is invalid by its checksum, without a query", () => {
    const key = keyOf(42, "3f786850e387550fdab836ed7e6dc881de23001b");
    for (let index = 0; index < key.length; index++) {
      const other = key[index] === "7" ? "8" : "7";
      expect(parseKey(key.slice(0, index) + other + key.slice(index + 1))).toBeUndefined();
    }
  });

  test("with two neighboring characters swapped is invalid", () => {
    const key = keyOf(42, "3f786850e387550fdab836ed7e6dc881de23001b");
    for (let index = 0; index < key.length - 1; index++) {
      const [one = "", other = ""] = key.slice(index, index + 2);
      if (one !== other)
        expect(parseKey(key.slice(0, index) + other + one + key.slice(index + 2))).toBeUndefined();
    }
  });

  test.each([
    "",
    "cmpl_",
    "9944b09199c62bcf9418ad846dd0e4bbdfc6ee4b",
    `${keyOf(1, newSecret())}0`,
    ` ${keyOf(1, newSecret())}`,
    `${keyOf(1, newSecret())}\n`,
    keyOf(1, newSecret()).toUpperCase(),
    keyOf(-1, newSecret()),
    keyOf(1.5, newSecret()),
    keyOf(1e21, newSecret()),
  ])("is not %j", (text) => {
    expect(parseKey(text)).toBeUndefined();
  });
});

describe("A token's secret", () => {
  test("is stored and compared as its SHA-256", () => {
    const secret = newSecret();
    const stored = hashOfSecret(secret);
    expect(stored).toBe(createHash("sha256").update(secret).digest("hex"));
    const secretHash = Buffer.from(stored, "hex");
    expect(isSecret(secret, secretHash)).toBe(true);
    expect(isSecret(newSecret(), secretHash)).toBe(false);
    expect(isSecret("", secretHash)).toBe(false);
  });
});
