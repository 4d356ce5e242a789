import { describe, expect, test } from "bun:test";
import { Refusal } from "../../errors.ts";
import type { Client } from "../client/client.ts";
import { Cors } from "./cors.ts";
import { refuseCrossSite, refuseUnasked } from "./same-site.ts";

const client: Client = {
  address: "192.0.2.1",
  scheme: "https",
  host: "blog.example.com",
  origin: "https://www.example.com",
  originParts: [],
};

function isRefused(
  headers: Record<string, string>,
  { cors = [] as string[], host = client.host } = {},
): boolean {
  const request = new Request("http://localhost/", { method: "POST", headers });
  try {
    refuseCrossSite(request, { ...client, host }, new Cors(cors));
    return false;
  } catch (error) {
    if (error instanceof Refusal && error.reason === "forbidden") return true;
    throw error;
  }
}

describe("A write by cookie", () => {
  test("of a program, which sends neither Sec-Fetch-Site nor Origin, is allowed", () => {
    expect(isRefused({})).toBe(false);
  });

  test.each([
    ["same-origin", false],
    ["none", false],
    ["same-site", true],
    ["cross-site", true],
    ["", true],
    ["SAME-ORIGIN", true],
    ["same-origin, cross-site", true],
    ["cross-site, same-origin", true],
  ])("with `Sec-Fetch-Site: %s` is refused: %j, whatever Origin says", (site, refused) => {
    expect(isRefused({ "sec-fetch-site": site })).toBe(refused);
    for (const origin of ["https://blog.example.com", "https://evil.example", "null"])
      expect(isRefused({ "sec-fetch-site": site, origin })).toBe(refused);
  });

  test.each([
    ["https://blog.example.com", false],
    ["http://blog.example.com", false],
    ["https://blog.example.com:443", false],
    ["https://www.example.com", false], // PUBLIC_URL
    ["https://blog.example.com:8443", true],
    ["https://example.com", true],
    ["https://evil.blog.example.com", true],
    ["https://blog.example.com.evil.example", true],
    ["https://blog.example.com@evil.example", true],
    ["https://evil.example/blog.example.com", true],
    ["blog.example.com", true],
    ["null", true],
    ["", true],
    ["https://", true],
    ["https://evil.example, https://blog.example.com", true],
    ["file://", true],
  ])("with `Origin: %s` alone is refused: %j", (origin, refused) => {
    expect(isRefused({ origin })).toBe(refused);
  });

  test("is compared with its port; the default port may be omitted", () => {
    expect(isRefused({ origin: "http://localhost:8000" }, { host: "localhost:8000" })).toBe(false);
    expect(isRefused({ origin: "http://localhost:3000" }, { host: "localhost:8000" })).toBe(true);
    expect(isRefused({ origin: "https://blog.example.com" }, { host: "blog.example.com:443" })).toBe(false);
    expect(isRefused({ origin: "http://blog.example.com" }, { host: "blog.example.com:80" })).toBe(false);
    expect(isRefused({ origin: "http://blog.example.com" }, { host: "blog.example.com:443" })).toBe(true);
  });

  test("from a listed origin is allowed, even cross-site; `*` allows none", () => {
    const page = { origin: "https://app.example.net", "sec-fetch-site": "cross-site" };
    expect(isRefused(page, { cors: ["https://app.example.net"] })).toBe(false);
    expect(isRefused(page, { cors: ["https://app.example.net:8443"] })).toBe(true);
    expect(isRefused(page, { cors: ["*"] })).toBe(true);
    expect(isRefused({ ...page, origin: "null" }, { cors: ["*", "https://app.example.net"] })).toBe(true);
  });

  test("without a Host to compare with is refused", () => {
    const request = new Request("http://localhost/", {
      method: "POST",
      headers: { origin: "https://evil.example" },
    });
    expect(() => refuseCrossSite(request, { ...client, host: null }, new Cors([]))).toThrow(Refusal);
  });
});

describe("A write without credentials", () => {
  const evil = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  const isRefused = (headers: Record<string, string>, cors: string[] = []) => {
    const request = new Request("http://localhost/", { method: "POST", headers });
    try {
      refuseUnasked(request, client, new Cors(cors));
      return false;
    } catch (error) {
      if (error instanceof Refusal && error.reason === "forbidden") return true;
      throw error;
    }
  };

  test.each([
    ["multipart/form-data; boundary=a", true],
    ["Multipart/Form-Data ;boundary=a", true],
    ["application/x-www-form-urlencoded", true],
    ["text/plain;charset=utf-8", true],
    ["application/json", false],
    ["text/html", false],
    ["application/merge-patch+json", false],
  ])("of the type %s by a page of another site is refused: %j", (type, refused) => {
    expect(isRefused({ ...evil, "content-type": type })).toBe(refused);
    expect(isRefused({ origin: evil.origin, "content-type": type })).toBe(refused);
    expect(isRefused({ "sec-fetch-site": "same-site", "content-type": type })).toBe(refused);
  });

  test("without a body is refused, too", () => {
    expect(isRefused(evil)).toBe(true);
  });

  test("by a program, by a page of ours, and from an origin of CORS_ORIGINS is allowed", () => {
    expect(isRefused({})).toBe(false);
    expect(isRefused({ "sec-fetch-site": "same-origin", origin: "https://www.example.com" })).toBe(false);
    expect(isRefused({ origin: "https://www.example.com" })).toBe(false);
    expect(isRefused(evil, ["https://evil.example"])).toBe(false);
    expect(isRefused(evil, ["*"])).toBe(false);
  });
});
