import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { startApp, type TestApp } from "../../test/support/server/app.ts";
import { invalid } from "../errors.ts";
import { ANONYMOUS, type Caller } from "./access.ts";
import { idempotencyKeyOf, runOnce } from "./idempotency.ts";
import { created } from "./response-data.ts";

describe("idempotencyKeyOf", () => {
  const keyIn = (key: string) =>
    idempotencyKeyOf(new Request("http://localhost/", { headers: { "idempotency-key": key } }));

  test("is undefined without the header", () => {
    expect(idempotencyKeyOf(new Request("http://localhost/"))).toBeUndefined();
  });

  test("accepts 1 to 255 visible ASCII characters", () => {
    for (const key of ["!", "~", '"quoted"', "x".repeat(255)]) expect(keyIn(key)).toBe(key);
  });

  test("refuses anything else", () => {
    for (const key of ["", "a b", "x".repeat(256), "é", "a, b"])
      expect(() => keyIn(key)).toThrow(expect.objectContaining({ reason: "malformed" }));
  });
});

describe("once", () => {
  let app: TestApp;
  let done: number;
  beforeEach(async () => {
    app = await startApp();
    done = 0;
  });
  afterEach(() => app.close());

  interface Attempt {
    readonly caller?: Caller;
    readonly path?: string;
    readonly key?: string | undefined;
    readonly body?: string;
  }
  const attempt = ({ caller = ANONYMOUS, path = "/things/", body = "{}", ...rest }: Attempt = {}) =>
    runOnce(
      app.database,
      { caller, path, rawBody: Buffer.from(body), idempotencyKey: "key" in rest ? rest.key : "k" },
      () => created(`${path}${++done}`, { id: done }, '"e.1"'),
    );

  test("does the work each time without a key", async () => {
    await attempt({ key: undefined });
    await attempt({ key: undefined });
    expect(done).toBe(2);
  });

  test("does it once under a key, and repeats the response", async () => {
    const first = await attempt();
    const again = await attempt();
    expect(done).toBe(1);
    expect(first.headers).toBeUndefined();
    // The record may have changed since, so its first entity tag would be outdated.
    const { etag, ...rest } = first;
    expect(etag).toBeString();
    expect(again).toEqual({ ...rest, headers: { "idempotency-replayed": "true" } });
  });

  test("does it once for concurrent requests", async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => attempt()));
    expect(done).toBe(1);
    expect(new Set(responses.map(({ location }) => location))).toEqual(new Set(["/things/1"]));
  });

  test("separates the keys by caller and path", async () => {
    const account = (id: number): Caller => ({ key: `account:${id}`, scopes: new Set() });
    await attempt();
    await attempt({ path: "/other/" });
    await attempt({ caller: account(1) });
    await attempt({ caller: account(2) });
    expect(done).toBe(4);
  });

  test("refuses a key that was used with another body", async () => {
    await attempt({ body: "{}" });
    await expect(attempt({ body: "{ }" })).rejects.toMatchObject({
      reason: "invalid",
      errors: [{ parameter: "Idempotency-Key", code: "key_reused" }],
    });
    expect(done).toBe(1);
  });

  test("forgets an attempt that failed in any way", async () => {
    for (const error of [invalid([]), new Error("something broke")]) {
      const call = {
        caller: ANONYMOUS,
        path: "/things/",
        rawBody: Buffer.from("{}"),
        idempotencyKey: "k",
      };
      const failing = runOnce(app.database, call, () => {
        throw error;
      });
      await expect(failing).rejects.toBe(error);
    }
    expect(await attempt()).toMatchObject({ status: 201 });
    expect(done).toBe(1);
  });

  test("commits the key and the work together or not at all", async () => {
    const { database } = app;
    await attempt();
    const rows = await database.read<{ key: string; status: number }>`
      select key, status from idempotency_keys`;
    expect(rows).toEqual([expect.objectContaining({ key: "k", status: 201 })]);
  });
});
