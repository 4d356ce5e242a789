import { beforeAll, describe, expect, test } from "bun:test";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import { create, draft, list, read } from "../../support/records/bookmarks.ts";
import { exchange, type RawRequest } from "../../support/requests/raw-http.ts";
import { describeHttp } from "../../support/server/contract.ts";

const LIMIT = 2_000;

/** What can be wrong with one PUT of a bookmark, in the order in which it is refused. */
const REFUSALS = [
  { fault: "a wrong host", status: 421 },
  { fault: "the other slash form", status: 308 },
  { fault: "no such route", status: 404 },
  { fault: "a method that the path has not", status: 405 },
  { fault: "a body that is too long", status: 413 },
  { fault: "a wrong media type", status: 415 },
  { fault: "a body that is not JSON", status: 400 },
  { fault: "members that are not valid", status: 422 },
  { fault: "no such record", status: 404 },
  { fault: "an ETag that does not match", status: 412 },
] as const;

type ValidationError = (typeof REFUSALS)[number]["fault"];

describeHttp(
  "What is wrong in two ways",
  (service) => {
    let bookmark: BookmarkResponse;
    beforeAll(async () => {
      bookmark = await create(service.send);
    });

    test("is not refused if nothing is wrong", async () => {
      expect((await exchange(service.url, requestWith(new Set(), bookmark.id))).status).toBe(200);
    });

    for (const [index, { fault, status }] of REFUSALS.entries()) {
      describe(`answers ${status} for ${fault}`, () => {
        test("alone", async () => {
          const response = await exchange(service.url, requestWith(new Set([fault]), bookmark.id));
          expect(response.status).toBe(status);
        });

        for (const { fault: later } of REFUSALS.slice(index + 1).filter(isPossibleWith(fault))) {
          test(`before ${later}`, async () => {
            const response = await exchange(service.url, requestWith(new Set([fault, later]), bookmark.id));
            expect(response.status).toBe(status);
          });
        }
      });
    }

    test("is refused for the first error", async () => {
      const faults = new Set(REFUSALS.map(({ fault }) => fault));
      expect((await exchange(service.url, requestWith(faults, bookmark.id))).status).toBe(421);
    });

    test("changes nothing", async () => {
      const [unchanged] = await list(service.send);
      for (const { fault } of REFUSALS)
        await exchange(service.url, requestWith(new Set([fault]), bookmark.id));
      expect(await list(service.send)).toEqual([await read(service.send, bookmark)]);
      expect(unchanged).toMatchObject(draft);
    });

    test("an Idempotency-Key that is none (400) comes before members that are not valid (422)", async () => {
      const headers = { "idempotency-key": "not visible ASCII" };
      const response = await service.send("/bookmarks/", { method: "POST", headers, json: {} });
      expect(response.status).toBe(400);
    });

    test("an Idempotency-Key that is none (400) comes after a wrong media type (415)", async () => {
      const headers = { "idempotency-key": "not visible ASCII", "content-type": "text/plain" };
      const response = await service.send("/bookmarks/", { method: "POST", headers, json: draft });
      expect(response.status).toBe(415);
    });

    test("a cursor that is none (422) comes before an If-None-Match that matches (304)", async () => {
      const headers = { "if-none-match": "*" };
      expect((await service.send("/bookmarks/", { headers })).status).toBe(304);
      expect((await service.send("/bookmarks/?cursor=none", { headers })).status).toBe(422);
    });
  },
  { BODY_LIMIT: String(LIMIT) },
);

/** Whether two faults can be had together: a path that is not there has no other slash form. */
function isPossibleWith(fault: ValidationError): (other: { fault: ValidationError }) => boolean {
  return ({ fault: other }) => !(fault === "the other slash form" && other === "no such route");
}

function requestWith(faults: ReadonlySet<ValidationError>, id: number): RawRequest {
  const collection = faults.has("no such route") ? "/nothing" : "/bookmarks";
  const record = faults.has("no such record") ? 999_999 : id;
  const slash = faults.has("the other slash form") ? "/" : "";
  const members = { ...draft, ...(faults.has("members that are not valid") && { title: 1, url: "x" }) };
  const text = JSON.stringify(members) + (faults.has("a body that is not JSON") ? "," : "");
  return {
    method: faults.has("a method that the path has not") ? "POST" : "PUT",
    target: `${collection}/${record}${slash}`,
    fields: {
      host: faults.has("a wrong host") ? "evil.example" : "localhost",
      "content-type": faults.has("a wrong media type") ? "text/plain" : "application/json",
      ...(faults.has("an ETag that does not match") && { "if-match": '"of another version"' }),
    },
    body: faults.has("a body that is too long") ? text.padEnd(LIMIT + 1) : text,
  };
}
