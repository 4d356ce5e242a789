import { beforeAll, describe, expect, test } from "bun:test";
import { create, draft } from "../../support/records/bookmarks.ts";
import { exchange, fieldOf, type RawRequest, type RawResponse } from "../../support/requests/raw-http.ts";
import { describeHttp } from "../../support/server/contract.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** A request for each kind of response, by what it answers. */
const requests: Record<string, RawRequest> = {
  "200 of the list": { method: "GET", target: "/bookmarks/" },
  "200 of a page": { method: "GET", target: "/bookmarks/?limit=1" },
  "200 of a bookmark": { method: "GET", target: "/bookmarks/1" },
  "200 of HEAD": { method: "HEAD", target: "/bookmarks/1" },
  "200 of PUT": { method: "PUT", target: "/bookmarks/1", fields: JSON_TYPE, body: JSON.stringify(draft) },
  "200 of PATCH": { method: "PATCH", target: "/bookmarks/1", fields: JSON_TYPE, body: "{}" },
  "200 of the OpenAPI document": { method: "GET", target: "/openapi.json" },
  "200 of the health": { method: "GET", target: "/healthz" },
  "201": { method: "POST", target: "/bookmarks/", fields: JSON_TYPE, body: JSON.stringify(draft) },
  "204 of DELETE": { method: "DELETE", target: "/bookmarks/2" },
  "204 of OPTIONS": { method: "OPTIONS", target: "/bookmarks/" },
  "304": { method: "GET", target: "/bookmarks/1", fields: { "if-none-match": "*" } },
  "308": { method: "GET", target: "/bookmarks" },
  "400": { method: "POST", target: "/bookmarks/", fields: JSON_TYPE, body: "{" },
  "400 for a Host that is none": { method: "GET", target: "/bookmarks/", fields: { host: "a b" } },
  "404 for a path": { method: "GET", target: "/nothing" },
  "404 for a record": { method: "GET", target: "/bookmarks/999999" },
  "405": { method: "POST", target: "/bookmarks/1" },
  "412": { method: "DELETE", target: "/bookmarks/1", fields: { "if-match": '"x"' } },
  "413": { method: "POST", target: "/bookmarks/", fields: JSON_TYPE, body: " ".repeat(1_048_577) },
  "415": { method: "POST", target: "/bookmarks/", body: "{}" },
  "421": { method: "GET", target: "/bookmarks/", fields: { host: "evil.example" } },
  "422": { method: "POST", target: "/bookmarks/", fields: JSON_TYPE, body: "{}" },
};

describeHttp("Headers", (service) => {
  const answers = new Map<string, RawResponse>();
  beforeAll(async () => {
    await create(service.send);
    await create(service.send);
    for (const [kind, request] of Object.entries(requests)) {
      answers.set(kind, await exchange(service.url, request));
    }
  });

  const fieldIn = (kind: string, name: string) => {
    const response = answers.get(kind);
    return response && fieldOf(response, name);
  };

  for (const kind of Object.keys(requests)) {
    describe(`of a response ${kind}`, () => {
      test("belong to a response of this kind", () => {
        expect(answers.get(kind)?.status).toBe(Number.parseInt(kind, 10));
      });

      test("forbid sniffing, framing, scripts and referrers", () => {
        expect(fieldIn(kind, "x-content-type-options")).toBe("nosniff");
        expect(fieldIn(kind, "cross-origin-resource-policy")).toBe("same-origin");
        const policy = fieldIn(kind, "content-security-policy")?.split(/; */);
        expect(policy).toContain("default-src 'none'");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(fieldIn(kind, "referrer-policy")).toBe("no-referrer");
      });

      test("have an id and a date, and do not reveal the program or its version", () => {
        expect(fieldIn(kind, "x-request-id")).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
        expect(fieldIn(kind, "date")).toEndWith(" GMT");
        const { fields = [], body = "" } = answers.get(kind) ?? {};
        for (const [name] of fields) expect(name).not.toMatch(/^(?:server|x-powered-by|via)$/);
        expect(JSON.stringify(fields)).not.toMatch(/bun|commonplace|sqlite/i);
        if (kind >= "4") expect(body).not.toMatch(/bun|sqlite|node:|\.ts|stack|select |insert /i);
      });

      test("come once each", () => {
        const names = answers.get(kind)?.fields.map(([name]) => name) ?? [];
        expect(names).toEqual([...new Set(names)]);
      });
    });
  }

  describe("for caches", () => {
    const kept = ["200 of the list", "200 of a page", "200 of a bookmark", "200 of HEAD", "304"];
    for (const kind of kept) {
      test(`allow caching a response ${kind} with revalidation, by its coding`, () => {
        expect(fieldIn(kind, "cache-control")).toBe("no-cache, no-transform");
        expect(fieldIn(kind, "vary")).toBe("Accept-Encoding");
      });
    }

    for (const kind of Object.keys(requests).filter((kind) => kind >= "4" || /201|PUT|PATCH/.test(kind))) {
      test(`forbid caching of a response ${kind}`, () => {
        expect(fieldIn(kind, "cache-control")).toMatch(/\bno-store\b/);
      });
    }
  });

  describe("of errors", () => {
    for (const kind of Object.keys(requests).filter((kind) => kind >= "4")) {
      test(`say that a ${kind} is a problem, and its body is one`, () => {
        expect(fieldIn(kind, "content-type")).toBe("application/problem+json");
        const { status, body } = answers.get(kind) ?? {};
        expect(JSON.parse(body ?? "")).toMatchObject({ type: "about:blank", status });
      });
    }
  });
});
