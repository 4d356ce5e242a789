import { describe, expect, test } from "bun:test";
import { created, noContent, notModified, ok, type ReadyBody, type ResponseData } from "../response-data.ts";
import { respond } from "./responder.ts";

describe("respond", () => {
  test("writes the common headers of all responses", () => {
    expect(headersOf(responseTo(noContent()))).toEqual({
      "cache-control": "private, no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-request-id": "the-id",
    });
  });

  test("lets caches store a public response by its coding, and revalidate it", async () => {
    const response = responseTo(ok([1], { etag: '"1"', caching: "public" }));
    expect(headersOf(response)).toMatchObject({
      "cache-control": "no-cache, no-transform",
      "content-type": "application/json",
      etag: '"1"',
      vary: "Accept-Encoding",
    });
    expect(await response.json()).toEqual([1]);
  });

  test("forbids caching of a private one, even with an entity tag", () => {
    const response = responseTo(ok([1], { etag: '"1"', caching: "private" }));
    expect(headersOf(response)).toMatchObject({
      "cache-control": "private, no-store, no-transform",
      etag: '"1"',
      vary: "Accept-Encoding",
    });
  });

  test("gives a 304 the same tag and caching, and no Content-Type", () => {
    const response = responseTo(notModified('"1"', "public"));
    expect(response.status).toBe(304);
    expect(headersOf(response)).toMatchObject({ "cache-control": "no-cache, no-transform", etag: '"1"' });
    expect(response.headers.has("content-type")).toBeFalse();
  });

  test("has the Location of a created record", () => {
    const response = responseTo(created("/bookmarks/7", {}, '"e.1"'));
    expect([response.status, response.headers.get("location")]).toEqual([201, "/bookmarks/7"]);
    expect(response.headers.get("etag")).toBe('"e.1"');
  });

  test("adds the headers of the response, and those common to all responses", () => {
    const response = ok(1, { caching: "public", headers: { link: "<x>" } });
    expect(headersOf(responseTo(response, { vary: "Accept-Encoding, Origin" }))).toMatchObject({
      link: "<x>",
      vary: "Accept-Encoding, Origin",
    });
  });

  test("keeps what a personal response differs by when it differs by origin, too", () => {
    const response = ok(1, { caching: "personal" });
    expect(headersOf(responseTo(response, { vary: "Accept-Encoding, Origin" }))).toMatchObject({
      "cache-control": "private, no-cache",
      vary: "Accept-Encoding, Cookie, Origin",
    });
  });
});

function responseTo(response: ResponseData, shared?: Record<string, string>): Response {
  return respond(response as ResponseData<ReadyBody>, "the-id", shared);
}

function headersOf(response: Response): Record<string, string> {
  return Object.fromEntries(response.headers);
}
