import { describe, expect, test } from "bun:test";
import { Refusal } from "../errors.ts";
import { ANONYMOUS, authorize, type Caller, invalidToken, unauthenticated } from "./access.ts";

function callerWith(...scopes: string[]): Caller {
  return {
    key: "account:1",
    account: { id: 1, username: "editor", displayName: "editor" },
    by: "token",
    scopes: new Set(scopes),
  };
}

function refusalOf(caller: Caller, access: Parameters<typeof authorize>[1]): Refusal | undefined {
  try {
    authorize(caller, access);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

const SCOPES = ["letters:read", "letters:write", "parcels:read"];

describe("Access", () => {
  test.each(SCOPES)("that requires %s is given by that scope alone", (scope) => {
    const access = { scope, anonymous: false };
    expect(refusalOf(callerWith(scope), access)).toBeUndefined();
    const others = SCOPES.filter((other) => other !== scope);
    const refusal = refusalOf(callerWith(...others), access);
    expect(refusal?.reason).toBe("forbidden");
    expect(refusal?.headers).toEqual({
      "www-authenticate": `Bearer realm="commonplace", error="insufficient_scope", scope="${scope}"`,
    });
  });

  test("without credentials is refused with a hint: the token endpoint and the command", () => {
    const refusal = refusalOf(ANONYMOUS, { scope: "letters:write", anonymous: false });
    expect(refusal?.reason).toBe("unauthenticated");
    expect(refusal?.message).toContain("POST /api/token/");
    expect(refusal?.message).toContain("commonplace account add");
  });
});

describe("The challenge of a 401", () => {
  test("names both schemes, and an invalid token where there is one", () => {
    expect(unauthenticated().headers).toEqual({
      "www-authenticate": 'Bearer realm="commonplace", Token realm="commonplace"',
    });
    expect(invalidToken().headers).toEqual({
      "www-authenticate": 'Bearer realm="commonplace", error="invalid_token", Token realm="commonplace"',
    });
  });
});
