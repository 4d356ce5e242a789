import { afterAll, beforeAll, expect, test } from "bun:test";
import { startApp, type TestApp } from "../support/server/app.ts";
import { ROWS } from "./rows.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"];

/** The methods of each path, as the rows name them. */
const paths = Map.groupBy(ROWS, ({ path }) => path)
  .entries()
  .map(([path, rows]) => ({
    path: path.replace("{number}", "1").replace(/\{[^}]+\}/g, "7"),
    anyOrigin: rows.some(({ anyOrigin }) => anyOrigin),
    methods: new Set(rows.map(({ method }) => method)),
  }))
  .toArray();

const allowOf = (methods: ReadonlySet<string>) =>
  [...methods, ...(methods.has("GET") ? ["HEAD"] : []), "OPTIONS"].toSorted();
const allowedIn = (response: Response) => (response.headers.get("allow") ?? "").split(", ").toSorted();

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ COMMENTS: "open", BOOKMARKS_ACCESS: "open" });
});
afterAll(() => app.close());

test("Each path answers OPTIONS in either slash form with what it allows, and every other method with 405", async () => {
  for (const { path, methods, anyOrigin } of paths) {
    const allow = allowOf(methods);
    const otherForm = path.endsWith("/") ? path.slice(0, -1) : `${path}/`;
    for (const form of path === "/" || path.startsWith("/linkding") ? [path] : [path, otherForm]) {
      const options = await app.request(form, { method: "OPTIONS" });
      expect([form, options.status, allowedIn(options)]).toEqual([form, 204, allow]);
      expect(options.headers.get("location")).toBeNull();
      expect(options.headers.has("accept-patch")).toBe(methods.has("PATCH"));
    }
    for (const method of METHODS)
      for (const headers of [{}, { origin: "https://app.example" }] as Record<string, string>[]) {
        if (methods.has(method)) continue;
        const refused = await app.request(path, { method, headers });
        expect([method, path, refused.status, allowedIn(refused)]).toEqual([method, path, 405, allow]);
        const readable = anyOrigin && headers.origin !== undefined ? "*" : null;
        expect([path, refused.headers.get("access-control-allow-origin")]).toEqual([path, readable]);
      }
  }
});

test("The other slash form of a path leads to it, with its method, body and query", async () => {
  for (const { path, methods } of paths) {
    if (path === "/" || path.startsWith("/linkding")) continue;
    const otherForm = path.endsWith("/") ? path.slice(0, -1) : `${path}/`;
    for (const method of methods) {
      const response = await app.request(`${otherForm}?a=b`, { method });
      expect([method, otherForm, response.status]).toEqual([method, otherForm, 308]);
      expect(new URL(response.headers.get("location") ?? "", "http://localhost").href).toBe(
        `http://localhost${path}?a=b`,
      );
    }
  }
});

test("HEAD has the status and the headers of GET", async () => {
  for (const { path, methods } of paths) {
    if (!methods.has("GET")) continue;
    const [got, headed] = [await app.request(path), await app.request(path, { method: "HEAD" })];
    for (const { body } of [got, headed]) await body?.cancel();
    expect([path, headed.status]).toEqual([path, got.status]);
    const { "x-request-id": _, date: __, ...headers } = Object.fromEntries(got.headers);
    expect([path, Object.fromEntries(headed.headers)]).toEqual([path, expect.objectContaining(headers)]);
  }
});
