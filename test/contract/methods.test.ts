import { beforeAll, describe, expect, test } from "bun:test";
import { create } from "../support/records/bookmarks.ts";
import { exchange, type RawResponse } from "../support/requests/raw-http.ts";
import { describeHttp } from "../support/server/contract.ts";

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
});

/** The fields by which two responses are compared: all except the time, which may differ by a second. */
function comparable({ fields }: RawResponse): string[] {
  return fields.map(([name, value]) => `${name}: ${name === "date" ? "a date" : value}`).toSorted();
}
