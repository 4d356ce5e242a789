import { describe, expect, test } from "bun:test";
import { withHeaders } from "../../support/records/accounts.ts";
import { COLLECTION, draft } from "../../support/records/bookmarks.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import { sendTo } from "../../support/requests/send.ts";
import { startApp, type TestApp } from "../../support/server/app.ts";
import { describeHttp } from "../../support/server/contract.ts";

const limitsIn = ({ headers }: Response) => [headers.get("ratelimit-policy"), headers.get("ratelimit")];

describeHttp("Without RATE_LIMIT", (service) => {
  test("requests are not limited, and responses have no limit headers", async () => {
    for (let n = 0; n < 200; n++) {
      const response = await service.send(COLLECTION);
      expect([response.status, ...limitsIn(response)]).toEqual([200, null, null]);
      await response.body?.cancel();
    }
  });
});

describeHttp("RATE_LIMIT", (service) => {
  test("holds over the wire, for everything that an address sends", async () => {
    const { url } = await service.serveAnother({ RATE_LIMIT: "5/1h" });
    const send = sendTo(url);
    const statuses = [];
    for (const path of ["/bookmarks/", "/bookmarks", "/nothing", "/docs", "/bookmarks/x", "/bookmarks/"])
      statuses.push((await send(path)).status);
    expect(statuses).toEqual([200, 308, 404, 200, 422, 429]);
    const refused = await send(COLLECTION, { method: "POST", json: draft });
    expect(limitsIn(refused)).toEqual([
      '"address";q=5;w=3600',
      expect.stringMatching(/^"address";r=0;t=3[56]\d\d$/),
    ]);
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(600, 721);
    expect(refused.headers.get("cache-control")).toBe("private, no-store");
    const { detail } = await expectProblem(refused, 429);
    expect(detail).toMatch(/^Too many requests: this address may send 5 in 3600 s; wait \d+ s\.$/);
    for (const path of ["/healthz", "/readyz"]) expect((await send(path)).status).toBe(200);
  });
});

describe("A limit for each address", () => {
  test("is in each response, counts down, and is per client", async () => {
    await using app = await limited({
      RATE_LIMIT: "3/1h",
      TRUSTED_PROXIES: "127.0.0.1",
      BOOKMARKS_ACCESS: "open",
    });
    const from = (address: string) => withHeaders(app.request, { "x-forwarded-for": address })(COLLECTION);
    for (const left of [2, 1, 0]) {
      const response = await from("2001:db8::1");
      expect(response.status).toBe(200);
      expect(response.headers.get("ratelimit")).toStartWith(`"address";r=${left};t=`);
    }
    expect((await from("2001:db8::2")).status).toBe(429);
    expect((await from("2001:db8:0:1::1")).status).toBe(200);
    expect((await from("192.0.2.1")).status).toBe(200);
    // What a client itself says before its proxy is hearsay.
    expect((await from("192.0.2.9, 2001:db8::3")).status).toBe(429);
  });

  test("ignores the headers of an untrusted proxy", async () => {
    await using app = await limited({ RATE_LIMIT: "1/1h" });
    await app.request(COLLECTION);
    const headers = { "x-forwarded-for": "192.0.2.7", forwarded: "for=192.0.2.7", "x-real-ip": "192.0.2.7" };
    expect((await app.request(COLLECTION, { headers })).status).toBe(429);
  });

  test("comes after 421 and before everything else", async () => {
    await using app = await limited({ RATE_LIMIT: "1/1h", BOOKMARKS_ACCESS: "private" });
    expect((await app.request(COLLECTION, { headers: { host: "evil.example" } })).status).toBe(421);
    expect((await app.request(COLLECTION)).status).toBe(401);
    for (const path of ["/bookmarks", "/nothing", "/bookmarks/x", COLLECTION])
      for (const method of ["GET", "PATCH", "OPTIONS", "HEAD"])
        expect((await app.request(path, { method })).status).toBe(429);
    expect((await app.request(COLLECTION, { headers: { host: "evil.example" } })).status).toBe(421);
  });

  test("can be read by pages of other origins", async () => {
    await using app = await limited({ RATE_LIMIT: "1/1h", CORS_ORIGINS: "https://app.example" });
    const headers = { origin: "https://app.example" };
    for (const status of [200, 429]) {
      const response = await app.request(COLLECTION, { headers });
      expect(response.status).toBe(status);
      const exposed = response.headers.get("access-control-expose-headers")?.split(", ");
      expect(exposed).toContainValues(["RateLimit", "RateLimit-Policy", "Retry-After"]);
      expect(limitsIn(response)).not.toContain(null);
    }
  });

  test("does not count preflights, whose refusal no page could read", async () => {
    await using app = await limited({ RATE_LIMIT: "1/1h", CORS_ORIGINS: "https://app.example" });
    const origin = "https://app.example";
    const preflight = { method: "OPTIONS", headers: { origin, "access-control-request-method": "PUT" } };
    for (let count = 0; count < 3; count++)
      expect((await app.request(COLLECTION, preflight)).status).toBe(204);
    expect((await app.request(COLLECTION, { headers: { origin } })).status).toBe(200);
    expect((await app.request(COLLECTION, { headers: { origin } })).status).toBe(429);
    expect((await app.request(COLLECTION, preflight)).status).toBe(204);
    const foreign = { ...preflight.headers, origin: "https://other.example" };
    expect((await app.request(COLLECTION, { method: "OPTIONS", headers: foreign })).status).toBe(429);
  });

  test("changes nothing when it refuses", async () => {
    await using app = await limited({ RATE_LIMIT: "1/1h" });
    await app.request(COLLECTION, { method: "POST", json: draft });
    expect((await app.request(COLLECTION, { method: "POST", json: draft })).status).toBe(429);
    expect(await app.database.read`select count(*) as n from bookmarks`).toEqual([{ n: 1 }]);
  });
});

async function limited(settings: Readonly<Record<string, string>>): Promise<TestApp & AsyncDisposable> {
  const app = await startApp(settings);
  return { ...app, [Symbol.asyncDispose]: () => app.close() };
}
