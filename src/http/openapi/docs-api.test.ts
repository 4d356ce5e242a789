import { afterAll, beforeAll, expect, test } from "bun:test";
import { startApp, type TestApp } from "../../../test/support/server/app.ts";
import { saveSite } from "../../web/site/site-store.ts";

let app: TestApp;
let page: string;

beforeAll(async () => {
  app = await startApp();
  page = await (await app.request("/docs")).text();
});

afterAll(() => app.close());

test("GET / redirects to the documentation when there are no pages", async () => {
  const bare = await startApp({ WEB: "off" });
  const response = await bare.request("/");
  expect(response.status).toBe(302);
  expect(response.headers.get("location")).toBe("/docs");
  await bare.close();
});

test("GET /docs may only load files of this server, and run no inline scripts", async () => {
  const { status, headers } = await app.request("/docs");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(headers.get("content-security-policy")).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(page).not.toMatch(/<script(?![^>]* src="\/docs\/)|<style|\sstyle=|\son\w+=|https?:/);
});

test.each([
  ["swagger-ui-bundle.js", "text/javascript; charset=utf-8"],
  ["swagger-ui.css", "text/css; charset=utf-8"],
  ["start.js", "text/javascript; charset=utf-8"],
  ["style.css", "text/css; charset=utf-8"],
  ["icon.svg", "image/svg+xml"],
])("the page loads /docs/%s, which is there", async (name, contentType) => {
  expect(page).toContain(`"/docs/${name}"`);
  const { status, headers } = await app.request(`/docs/${name}`);
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe(contentType);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});

test("the page loads nothing else", () => {
  expect(page.match(/(?:src|href)="[^"]*"/g)).toHaveLength(7);
});

test("the page begins with the name of the site, which leads to the front page", async () => {
  expect(page).toContain('<header><a href="/" dir="auto">Commonplace</a></header>');
  const { headers } = await app.request("/docs");
  await app.database.write((sql) => saveSite(sql, { name: "Ink & <paper>" }, new Date()));
  const renamed = await app.request("/docs", { headers: { "if-none-match": headers.get("etag") ?? "" } });
  expect(renamed.status).toBe(200);
  expect(await renamed.text()).toContain('<a href="/" dir="auto">Ink &amp; &lt;paper&gt;</a>');
});

test("without pages, there is no front page to lead to", async () => {
  const bare = await startApp({ WEB: "off" });
  expect(await (await bare.request("/docs")).text()).not.toContain("<header>");
  await bare.close();
});

test.each([
  "page.ts",
  "swagger-ui-bundle.js.map",
  "package.json",
  "index.html",
  "constructor",
  "%2e%2e%2fdocs-api.ts",
  "..%2F..%2F..%2Fpackage.json",
  "style.css%00",
  "%2fetc%2fpasswd",
])("GET /docs/%s is 404: only the files of the page are served", async (name) => {
  expect((await app.request(`/docs/${name}`)).status).toBe(404);
});

test.each(["/docs", "/docs/style.css", "/openapi.json"])(
  "GET %s is cached with revalidation, and answers 304 while it is unchanged",
  async (path) => {
    const { headers } = await app.request(path);
    expect(headers.get("cache-control")).toBe(path.endsWith(".json") ? "no-cache, no-transform" : "no-cache");
    expect(headers.get("vary")).toBe("Accept-Encoding");
    const again = await app.request(path, { headers: { "if-none-match": headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
    for (const name of ["etag", "cache-control", "vary", "content-security-policy"])
      expect(again.headers.get(name)).toBe(headers.get(name));
  },
);
