import { beforeAll, describe, expect, test } from "bun:test";
import { create } from "../support/records/bookmarks.ts";
import { checkProblem } from "../support/requests/problems.ts";
import { exchange, fieldOf, type RawResponse } from "../support/requests/raw-http.ts";
import { describeHttp } from "../support/server/contract.ts";

const COLLECTION_ALLOW = "GET, HEAD, POST, OPTIONS";
const RECORD_ALLOW = "GET, HEAD, PUT, PATCH, DELETE, OPTIONS";

describeHttp("Methods", (service) => {
  let id: number;
  beforeAll(async () => {
    for (let index = 0; index < 3; index++) id = (await create(service.send)).id;
  });

  const send = (method: string, target: string, fields: Record<string, string> = {}) =>
    exchange(service.url, { method, target: target.replace("{id}", String(id)), fields });

  describe("HEAD has the status and the headers of GET, and no body:", () => {
    const targets: [description: string, target: string, fields?: Record<string, string>][] = [
      ["the list", "/bookmarks/"],
      ["a page of the list", "/bookmarks/?limit=2"],
      ["a bookmark", "/bookmarks/{id}"],
      ["a bookmark that has not changed", "/bookmarks/{id}", { "if-none-match": "*" }],
      ["a list that has not changed", "/bookmarks/", { "if-none-match": "*" }],
      ["a bookmark that is not there", "/bookmarks/999999"],
      ["an id that is none", "/bookmarks/abc"],
      ["a parameter that is wrong", "/bookmarks/?limit=0"],
      ["a path that is not there", "/nothing"],
      ["the other slash form", "/bookmarks"],
      ["a wrong host", "/bookmarks/", { host: "evil.example" }],
      ["/openapi.json", "/openapi.json"],
      ["/healthz", "/healthz"],
      ["/readyz", "/readyz"],
    ];
    for (const [description, target, fields = {}] of targets) {
      test(description, async () => {
        const got = await send("GET", target, { ...fields, "x-request-id": "the-same" });
        const headed = await send("HEAD", target, { ...fields, "x-request-id": "the-same" });
        expect(headed.status).toBe(got.status);
        expect(comparable(headed)).toEqual(comparable(got));
        expect(headed.body).toBe("");
      });
    }
  });

  describe("OPTIONS answers 204 with Allow, never a redirect:", () => {
    const targets: [target: string, allow: string][] = [
      ["/bookmarks/", COLLECTION_ALLOW],
      ["/bookmarks", COLLECTION_ALLOW],
      ["/bookmarks/{id}", RECORD_ALLOW],
      ["/bookmarks/{id}/", RECORD_ALLOW],
      ["/bookmarks/999999", RECORD_ALLOW],
      ["/healthz", "GET, HEAD, OPTIONS"],
      ["/healthz/", "GET, HEAD, OPTIONS"],
    ];
    for (const [target, allow] of targets) {
      test(`${target} has ${allow}`, async () => {
        const response = await send("OPTIONS", target);
        expect(response.status).toBe(204);
        expect(sorted(fieldOf(response, "allow"))).toEqual(sorted(allow));
        expect(fieldOf(response, "location")).toBeUndefined();
        expect(response.body).toBe("");
      });
    }

    test("where PATCH is, Accept-Patch says what it takes", async () => {
      const response = await send("OPTIONS", "/bookmarks/{id}");
      expect(sorted(fieldOf(response, "accept-patch"))).toEqual([
        "application/json",
        "application/merge-patch+json",
      ]);
      const collection = await send("OPTIONS", "/bookmarks/");
      expect(fieldOf(collection, "accept-patch")).toBeUndefined();
    });

    test("an unknown path is 404", async () => {
      expect((await send("OPTIONS", "/nothing")).status).toBe(404);
    });
  });

  describe("An unsupported method is 405, with all supported ones in Allow:", () => {
    const cases: [method: string, target: string, allow: string][] = [
      ...["PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"].map((method): [string, string, string] => [
        method,
        "/bookmarks/",
        COLLECTION_ALLOW,
      ]),
      ...["POST", "TRACE", "MKCOL"].map((method): [string, string, string] => [
        method,
        "/bookmarks/{id}",
        RECORD_ALLOW,
      ]),
      ["POST", "/healthz", "GET, HEAD, OPTIONS"],
      ["DELETE", "/openapi.json", "GET, HEAD, OPTIONS"],
    ];
    for (const [method, target, allow] of cases) {
      test(`${method} ${target}`, async () => {
        const response = await send(method, target);
        expect(response.status).toBe(405);
        expect(sorted(fieldOf(response, "allow"))).toEqual(sorted(allow));
        checkProblem(JSON.parse(response.body), 405);
      });
    }
  });

  describe("This also holds where pages of any origin may read, for every caller:", () => {
    const cases: [method: string, target: string, allow: string][] = [
      ["POST", "/ghost/api/content/posts/", "GET, HEAD, OPTIONS"],
      ["PROPFIND", "/ghost/api/content/settings/", "GET, HEAD, OPTIONS"],
      ["DELETE", "/micropub", "GET, HEAD, POST, OPTIONS"],
      ["HEAD", "/micropub/media", "POST, OPTIONS"],
      ["PUT", "/indieauth/authorize", "GET, HEAD, POST, OPTIONS"],
      ["GET", "/indieauth/token", "POST, OPTIONS"],
      ["POST", "/.well-known/oauth-authorization-server", "GET, HEAD, OPTIONS"],
    ];
    for (const [method, target, allow] of cases) {
      for (const origin of [undefined, "https://app.example"]) {
        test(`${method} ${target} ${origin === undefined ? "without" : "with"} an origin`, async () => {
          const response = await send(method, target, origin === undefined ? {} : { origin });
          expect(response.status).toBe(405);
          expect(sorted(fieldOf(response, "allow"))).toEqual(sorted(allow));
          if (origin !== undefined) expect(fieldOf(response, "access-control-allow-origin")).toBe("*");
        });
      }
    }
  });
});

/** The fields by which two responses are compared: all except the time, which may differ by a second. */
function comparable({ fields }: RawResponse): string[] {
  return fields.map(([name, value]) => `${name}: ${name === "date" ? "a date" : value}`).toSorted();
}

function sorted(list = ""): string[] {
  return list.split(", ").toSorted();
}
