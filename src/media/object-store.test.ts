import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { useRealTimeLimits } from "../../test/support/given/real-time-limits.ts";
import { ACCESS_KEY, BUCKET, S3Server, SECRET } from "../../test/support/server/s3-server.ts";
import { Refusal } from "../errors.ts";
import { objectName, readObject, S3Store } from "./object-store.ts";

describe("An object store", () => {
  useRealTimeLimits();
  let server: S3Server;
  beforeAll(async () => {
    server = await S3Server.start();
  });
  afterEach(() => {
    server.trouble = "none";
    server.region = "us-east-1";
    server.minutesAhead = 0;
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const bytes = randomBytes(300_000);
  const name = objectName(bytes);
  const storeWith = (options: Partial<ConstructorParameters<typeof S3Store>[0]> = {}) =>
    new S3Store({
      ...{ endpoint: server.endpoint, bucket: BUCKET, prefix: "a/b/", accessKeyId: ACCESS_KEY },
      ...{ secretAccessKey: SECRET, timeout: 60_000, ...options },
    });

  /** The reason of a refusal, which nobody but the log learns, and in which no secret is. */
  async function reasonOf(work: Promise<unknown>): Promise<string> {
    const error = await work.then(
      () => undefined,
      (error) => error,
    );
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject({ reason: "unavailable", retryAfter: 5 });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/s3cr3t|AKEXAMPLE|Signature=/);
    return error.cause.message;
  }

  test("returns what was stored, also when it was stored twice, until it is deleted", async () => {
    const store = storeWith();
    expect(await store.get(name)).toBeUndefined();
    for (let count = 0; count < 2; count++) await store.put(name, bytes);
    expect([...server.objects.keys()]).toEqual([`a/b/${name}`]);
    expect(await readObject(store, name)).toEqual(bytes);
    for (let count = 0; count < 2; count++) await store.delete(name);
    expect(server.objects.size).toBe(0);
  });

  test("signs for the region that the service expects, which it learns from the first refusal", async () => {
    server.region = "garden";
    const store = storeWith();
    await Promise.all([store.put(name, bytes), store.get(objectName(Buffer.alloc(1)))]);
    server.requests.length = 0;
    expect(await store.get(name)).toEqual(bytes);
    await store.delete(name);
    expect(server.requests).toEqual([`GET a/b/${name}`, `DELETE a/b/${name}`]);
  });

  test("keeps its region when another is named that is refused, too, or where it is not the reason", async () => {
    const store = storeWith();
    for (const [trouble, requests] of [
      ["misleads", 2],
      ["denies", 1],
      ["none", 1],
    ] as const) {
      server.trouble = trouble;
      server.requests.length = 0;
      await store.get(name).catch(() => {});
      expect([trouble, server.requests.length]).toEqual([trouble, requests]);
    }
  });

  test("whose clock is up to 15 minutes ahead takes every request", async () => {
    server.minutesAhead = 14;
    expect(await storeWith().get(name)).toBeUndefined();
    server.minutesAhead = 16;
    expect(await reasonOf(storeWith().get(name))).toEndWith("403 (AccessDenied)");
  });

  test("says which of its settings are wrong", async () => {
    const wrong = { secretAccessKey: "another", accessKeyId: "NOBODY", bucket: "elsewhere" };
    const reasons = Object.entries(wrong).map(([key, value]) =>
      reasonOf(storeWith({ [key]: value }).get(name)),
    );
    expect(await Promise.all(reasons)).toEqual([
      `MEDIA: GET of ${name} failed: it responded with 403 (SignatureDoesNotMatch)`,
      `MEDIA: GET of ${name} failed: it responded with 403 (InvalidAccessKeyId)`,
      `MEDIA: GET of ${name} failed: it responded with 404 (NoSuchBucket)`,
    ]);
  });

  test("that fails, redirects or is gone refuses everything", async () => {
    server.trouble = "fails";
    expect(await reasonOf(storeWith().delete(name))).toEndWith("500 (InternalError)");
    server.trouble = "floods";
    expect(await reasonOf(storeWith().delete(name))).toEndWith("500 (InternalError)");
    server.trouble = "redirects";
    expect(await reasonOf(storeWith().put(name, bytes))).toEndWith("it responded with 307");
    await server.stop();
    expect(await reasonOf(storeWith().put(name, bytes))).toEndWith("failed: ECONNREFUSED");
    await server.restart();
  });

  test("that does not respond is given up after the time limit", async () => {
    server.trouble = "hangs";
    expect(await reasonOf(storeWith({ timeout: 300 }).get(name))).toMatch(/timed out/);
  });

  test("that dies in the middle of an object leaves nothing half-read or half-stored", async () => {
    const large = randomBytes(8_000_000);
    server.trouble = "dies";
    expect(await reasonOf(storeWith().put(objectName(large), large))).toContain("PUT of");
    expect(server.objects.size).toBe(0);
    server.objects.set(`a/b/${name}`, bytes);
    expect(await reasonOf(storeWith().get(name))).toContain("GET of");
    expect(server.requests.slice(-2)).toEqual([`PUT a/b/${objectName(large)}`, `GET a/b/${name}`]);
  });

  test("with a missing, changed, cut off or enormous object refuses to read it", async () => {
    const store = storeWith();
    const changed = Buffer.from(bytes);
    changed[200_000] = (changed[200_000] ?? 0) ^ 1;
    for (const other of [changed, bytes.subarray(0, 299_999), Buffer.alloc(0)]) {
      server.objects.set(`a/b/${name}`, other);
      expect(await reasonOf(readObject(store, name))).toBe(
        `MEDIA: ${name} has other bytes in the object store`,
      );
    }
    server.objects.set(`a/b/${name}`, Buffer.alloc(65 * 1024 * 1024));
    expect(await reasonOf(readObject(store, name))).toEndWith("it is larger than any image");
    server.objects.clear();
    expect(await reasonOf(readObject(store, name))).toBe(`MEDIA: ${name} is missing in the object store`);
    expect(await reasonOf(readObject(undefined, name))).toBe(
      `MEDIA: ${name} is in an object store, and MEDIA is not set`,
    );
  });
});
