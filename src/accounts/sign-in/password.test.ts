import { afterAll, beforeAll, describe, expect, mock, test } from "bun:test";
import * as crypto from "node:crypto";
import { Refusal } from "../../errors.ts";
import { hashPassword, verifyPassword } from "./password.ts";

const PASSWORD = "correct horse battery";

describe("A password's hash", () => {
  test("is a PHC string of argon2id with the parameters recommended by OWASP, and its own salt", async () => {
    const [one, other] = await Promise.all([hashPassword(PASSWORD), hashPassword(PASSWORD)]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(other).not.toBe(one);
    expect(one).not.toContain(PASSWORD);
  });

  test("accepts the password, and nothing similar", async () => {
    const hash = await hashPassword(PASSWORD);
    expect(await verifyPassword(PASSWORD, hash)).toBe(true);
    for (const wrong of ["", ` ${PASSWORD}`, `${PASSWORD} `, PASSWORD.toUpperCase(), `${PASSWORD}\0`])
      expect(await verifyPassword(wrong, hash)).toBe(false);
  });

  test("counts every byte of a long password", async () => {
    const long = "x".repeat(1_023);
    const hash = await hashPassword(`${long}a`);
    expect(await verifyPassword(`${long}a`, hash)).toBe(true);
    expect(await verifyPassword(`${long}b`, hash)).toBe(false);
  });

  test("distinguishes two encodings of the same letter", async () => {
    const hash = await hashPassword("caf\u00e9 caf\u00e9 caf\u00e9");
    expect(await verifyPassword("cafe\u0301 cafe\u0301 cafe\u0301", hash)).toBe(false);
  });

  test("is checked with its own parameters, so that raising them locks no one out", async () => {
    const message = Buffer.from(PASSWORD);
    const nonce = Buffer.from("somesaltsomesalt");
    const tag = crypto.argon2Sync("argon2id", {
      message,
      nonce,
      parallelism: 2,
      tagLength: 32,
      memory: 8_192,
      passes: 1,
    });
    const hash = `$argon2id$v=19$m=8192,t=1,p=2$${unpadded(nonce)}$${unpadded(tag)}`;
    expect(await verifyPassword(PASSWORD, hash)).toBe(true);
    expect(await verifyPassword("incorrect horse", hash)).toBe(false);
  });

  test("agrees with the reference implementation of RFC 9106", async () => {
    // From the test suite of github.com/P-H-C/phc-winner-argon2 (test.c, version 0x13, argon2id).
    const hash = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
    expect(await verifyPassword("password", hash)).toBe(true);
    expect(await verifyPassword("passwore", hash)).toBe(false);
  });

  test("in another format is an error, not a wrong password", async () => {
    for (const hash of [
      "",
      "no password",
      "$2b$12$abcdefghijklmnopqrstuv",
      "$argon2i$v=19$m=8,t=1,p=1$AAAA$AAAA",
    ])
      await expect(verifyPassword(PASSWORD, hash)).rejects.toThrow("not argon2id");
  });
});

describe("Hashing", () => {
  /** The hashings in progress, each finished by the test. */
  const underWay: { finish: (error?: Error) => void; message: string; cost: unknown }[] = [];
  let moduleCopy: typeof import("./password.ts");
  // A copy, since the mock also changes the module for later test files.
  const real = { ...crypto };

  beforeAll(async () => {
    const argon2 = (
      _algorithm: string,
      { message, nonce: _, ...cost }: { message: Buffer; nonce: Buffer },
      callback: (error: Error | null, tag: Buffer) => void,
    ) => {
      const finish = (error?: Error) => callback(error ?? null, Buffer.alloc(32));
      underWay.push({ finish, message: message.toString(), cost });
    };
    mock.module("node:crypto", () => ({ ...real, argon2 }));
    // A second copy of the module with its own queue, whose hashing the test controls.
    const path = "./password.ts?copy";
    moduleCopy = await import(path);
  });
  afterAll(() => {
    mock.module("node:crypto", () => real);
  });

  test("continues two at a time, in order of arrival", async () => {
    const hashes = Array.from({ length: 5 }, (_, index) => moduleCopy.hashPassword(`password ${index}`));
    const seen = [];
    while (underWay.length > 0) {
      expect(underWay.length).toBeLessThanOrEqual(2);
      if (seen.length < 4) expect(underWay.length).toBe(2);
      const next = underWay.shift();
      seen.push(next?.message);
      next?.finish();
      await turn();
    }
    await Promise.all(hashes);
    expect(seen).toEqual(["password 0", "password 1", "password 2", "password 3", "password 4"]);
  });

  test("continues after one that fails", async () => {
    const [failing, ...others] = Array.from({ length: 4 }, () => moduleCopy.hashPassword(PASSWORD));
    await turn();
    underWay.shift()?.finish(new Error("no memory"));
    await expect(failing).rejects.toThrow("no memory");
    while (underWay.length > 0) {
      underWay.shift()?.finish();
      await turn();
    }
    expect(await Promise.all(others)).toHaveLength(3);
  });

  test("lets 64 wait and refuses the next one at once, with Retry-After", async () => {
    const accepted = Array.from({ length: 66 }, () => moduleCopy.verifyPassword(PASSWORD, undefined));
    const refused = await moduleCopy.verifyPassword(PASSWORD, undefined).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect(refused).toMatchObject({ reason: "unavailable", retryAfter: expect.any(Number) });
    underWay.shift()?.finish();
    await turn();
    accepted.push(moduleCopy.verifyPassword(PASSWORD, undefined));
    while (underWay.length > 0) {
      underWay.shift()?.finish();
      await turn();
    }
    expect(await Promise.all(accepted)).toEqual(Array.from({ length: 67 }, () => false));
  });

  test("is also done for a missing account, at the same cost, and then always fails", async () => {
    const verdicts = [moduleCopy.hashPassword(PASSWORD), moduleCopy.verifyPassword(PASSWORD, undefined)];
    await turn();
    const [known, missing] = underWay.splice(0);
    expect(missing?.message).toBe(PASSWORD);
    expect(missing?.cost).toEqual(known?.cost);
    for (const each of [known, missing]) each?.finish();
    expect((await Promise.all(verdicts))[1]).toBe(false);
  });
});

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
