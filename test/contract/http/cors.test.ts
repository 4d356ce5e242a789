import { beforeAll, describe, expect, test } from "bun:test";
import { COLLECTION, create, draft, pathOf } from "../../support/records/bookmarks.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { describeHttp } from "../../support/server/contract.ts";

const APP = "https://app.example";
const OTHER = "https://other.example:8443";
const STRANGER = "https://evil.example";
const EXPOSED = [
  "ETag",
  "Link",
  "Location",
  "Retry-After",
  "X-Request-Id",
  "Idempotency-Replayed",
  "RateLimit",
  "RateLimit-Policy",
];

describeHttp("CORS without CORS_ORIGINS", (service) => {
  test("is off: no response lets a page of another origin read it", async () => {
    for (const path of [COLLECTION, "/nothing", "/bookmarks"]) {
      const response = await service.send(path, { headers: { origin: APP } });
      expect(crossOriginFields(response)).toEqual([]);
    }
  });

  test("is off: a preflight is answered as any OPTIONS", async () => {
    const response = await preflight(service.send, COLLECTION, APP);
    expect(response.status).toBe(204);
    expect(crossOriginFields(response)).toEqual([]);
    expect(response.headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS");
  });

  test("leaves Origin out of Vary", async () => {
    expect((await service.send(COLLECTION)).headers.get("vary")).toBe("Accept-Encoding");
  });
});

describeHttp(
  "CORS with CORS_ORIGINS",
  (service) => {
    let path: string;
    beforeAll(async () => {
      path = pathOf(await create(service.send));
    });

    const kinds: [kind: string, send: (origin: string) => Promise<Response>][] = [
      ["the list", (origin) => service.send(COLLECTION, { headers: { origin } })],
      ["a bookmark", (origin) => service.send(path, { headers: { origin } })],
      ["a 304", (origin) => service.send(path, { headers: { origin, "if-none-match": "*" } })],
      ["a 201", (origin) => service.send(COLLECTION, { method: "POST", headers: { origin }, json: draft })],
      ["a 308", (origin) => service.send("/bookmarks", { headers: { origin } })],
      ["a 404", (origin) => service.send("/nothing", { headers: { origin } })],
      ["a 405", (origin) => service.send(path, { method: "POST", headers: { origin } })],
      ["a 412", (origin) => service.send(path, { method: "DELETE", headers: { origin, "if-match": '"x"' } })],
      ["a 422", (origin) => service.send("/bookmarks/abc", { headers: { origin } })],
    ];
    for (const [kind, send] of kinds) {
      test(`lets pages of the origins named read ${kind}`, async () => {
        for (const origin of [APP, OTHER]) {
          const { headers } = await send(origin);
          expect(headers.get("access-control-allow-origin")).toBe(origin);
          expect(namesIn(headers.get("access-control-expose-headers"))).toEqual(
            expect.arrayContaining(EXPOSED),
          );
        }
      });

      test(`lets no page of another origin read ${kind}`, async () => {
        for (const origin of [STRANGER, "null", "http://app.example", `${APP}.evil.example`, `${APP}:444`]) {
          expect(crossOriginFields(await send(origin))).toEqual([]);
        }
      });

      test(`has Origin in Vary for ${kind}, for any origin`, async () => {
        for (const origin of [APP, STRANGER]) {
          expect(namesIn((await send(origin)).headers.get("vary"))).toEqual(["Accept-Encoding", "Origin"]);
        }
      });
    }

    test("has Origin in Vary also when no Origin is sent", async () => {
      const response = await service.send(COLLECTION);
      expect(namesIn(response.headers.get("vary"))).toEqual(["Accept-Encoding", "Origin"]);
      expect(crossOriginFields(response)).toEqual([]);
    });

    const options = (at: string, origin: string) =>
      service.send(at, { method: "OPTIONS", headers: { origin } });

    describe("answers a preflight", () => {
      test("with all methods of the path, and the headers that the contract knows", async () => {
        const response = await preflight(service.send, path, APP);
        expect(response.status).toBe(204);
        const { headers } = response;
        expect(headers.get("access-control-allow-origin")).toBe(APP);
        expect(namesIn(headers.get("access-control-allow-methods"))).toEqual(
          expect.arrayContaining(["GET", "PUT", "PATCH", "DELETE"]),
        );
        const allowed = namesIn(headers.get("access-control-allow-headers")).map((name) =>
          name.toLowerCase(),
        );
        expect(allowed).toEqual(
          expect.arrayContaining([
            "authorization",
            "content-type",
            "idempotency-key",
            "if-match",
            "if-none-match",
            "x-request-id",
          ]),
        );
        expect(Number(headers.get("access-control-max-age"))).toBeGreaterThan(0);
      });

      test("on the other slash form too, without a redirect", async () => {
        for (const other of ["/bookmarks", `${path}/`]) {
          const response = await preflight(service.send, other, APP);
          expect(response.status).toBe(204);
          expect(response.headers.get("access-control-allow-origin")).toBe(APP);
        }
      });

      test("where nothing is, so that the page can read the 404", async () => {
        const response = await preflight(service.send, "/bookmark/", APP);
        expect(response.status).toBe(204);
        expect(response.headers.get("access-control-allow-origin")).toBe(APP);
        expect(namesIn(response.headers.get("access-control-allow-methods"))).toContain("PUT");
        expect(response.headers.get("access-control-allow-headers")).toContain("If-Match");
        for (const other of [preflight(service.send, "/bookmark/", STRANGER), options("/bookmark/", APP)])
          expect((await other).status).toBe(404);
      });

      test("of an unlisted origin without any CORS header", async () => {
        const response = await preflight(service.send, path, STRANGER);
        expect(response.status).toBe(204);
        expect(crossOriginFields(response)).toEqual([]);
      });
    });
  },
  { CORS_ORIGINS: `${APP}, ${OTHER}` },
);

describeHttp("CORS with CORS_ORIGINS=*", (service) => {
  test("lets every page read, but none with credentials", async () => {
    const send = sendTo((await service.serveAnother({ CORS_ORIGINS: "*" })).url);
    for (const origin of [APP, STRANGER, "null"]) {
      const { headers } = await send(COLLECTION, { headers: { origin } });
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.has("access-control-allow-credentials")).toBeFalse();
    }
  });
});

function preflight(send: Send, path: string, origin: string): Promise<Response> {
  return send(path, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "PUT",
      "access-control-request-headers": "content-type,if-match",
    },
  });
}

function crossOriginFields(response: Response): string[] {
  return [...response.headers.keys()].filter((name) => name.startsWith("access-control-"));
}

function namesIn(field: string | null): string[] {
  return field === null ? [] : field.split(/, */);
}
