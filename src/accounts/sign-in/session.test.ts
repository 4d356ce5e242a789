import { describe, expect, test } from "bun:test";
import { clearCookie, hasEnded, hashOfSession, newSessionKey, sessionKeyOf, setCookie } from "./session.ts";

describe("A session's cookie", () => {
  test("holds 256 random bits, stored as another value", () => {
    const keys = Array.from({ length: 1_000 }, newSessionKey);
    expect(new Set(keys).size).toBe(1_000);
    for (const key of keys) {
      expect(Buffer.from(key, "base64url")).toHaveLength(32);
      expect(hashOfSession(key)).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  test("is set and deleted with the same attributes", () => {
    for (const scheme of ["http", "https"] as const) {
      const set = setCookie(scheme, "KEY", 60);
      expect(clearCookie(scheme)).toBe(set.replace("KEY", "").replace("Max-Age=60", "Max-Age=0"));
    }
  });

  test.each([
    ["commonplace_session=KEY", "KEY"],
    ["a=b; commonplace_session=KEY; c=d", "KEY"],
    ["a=b;commonplace_session=KEY;c=d", "KEY"],
    ["commonplace_session=KEY=", "KEY="],
    ["commonplace_session=", undefined],
    ["commonplace_session", undefined],
    ["xcommonplace_session=KEY", undefined],
    ["COMMONPLACE_SESSION=KEY", undefined],
    ["a=commonplace_session=KEY", undefined],
    ["__Host-commonplace_session=KEY", undefined],
    ["", undefined],
  ])("in `Cookie: %s` over plain HTTP is %j", (cookie, key) => {
    const request = new Request("http://localhost/", { headers: { cookie } });
    expect(sessionKeyOf(request, "http")).toBe(key);
  });

  test("over TLS can only be set by this host itself", () => {
    const cookie = "commonplace_session=PLANTED; __Host-commonplace_session=KEY";
    expect(sessionKeyOf(new Request("http://localhost/", { headers: { cookie } }), "https")).toBe("KEY");
  });
});

describe("A session", () => {
  const limits = { idle: 100, max: 1_000 };
  const at = (createdAt: number, lastSeenAt: number) => ({
    createdAt: new Date(createdAt),
    lastSeenAt: new Date(lastSeenAt),
  });

  test.each([
    [at(0, 0), 99, false],
    [at(0, 0), 100, true],
    [at(0, 950), 999, false],
    [at(0, 950), 1_000, true],
    [at(500, 500), 0, false],
  ])("of %j has ended at %d: %j", (session, now, ended) => {
    expect(hasEnded(session, limits, now)).toBe(ended);
  });
});
