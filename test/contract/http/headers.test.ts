import { beforeAll, describe, expect, test } from "bun:test";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { create, draft } from "../../support/records/bookmarks.ts";
import { fieldValue, submit } from "../../support/requests/forms.ts";
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

describeHttp("Headers over TLS", (service) => {
  const policyOf = async (
    settings: Readonly<Record<string, string>>,
    headers: Record<string, string>,
    path: string,
  ) =>
    (await (await service.startApp(settings)).request(path, { headers })).headers.get(
      "strict-transport-security",
    );

  test("tell browsers for a year to use https only, this host alone, where PUBLIC_URL says https", async () => {
    const TRUSTED_PROXIES = "127.0.0.1";
    for (const [settings, headers, expected] of [
      [{ PUBLIC_URL: "https://links.example" }, {}, "max-age=31536000"],
      [{ PUBLIC_URL: "https://links.example" }, { "x-forwarded-proto": "https" }, "max-age=31536000"],
      [
        { PUBLIC_URL: "https://links.example", TRUSTED_PROXIES },
        { "x-forwarded-proto": "https" },
        "max-age=31536000",
      ],
      [{ PUBLIC_URL: "https://links.example", TRUSTED_PROXIES }, { "x-forwarded-proto": "http" }, null],
      [{ PUBLIC_URL: "http://links.example", TRUSTED_PROXIES }, { "x-forwarded-proto": "https" }, null],
      [{ TRUSTED_PROXIES }, { "x-forwarded-proto": "https" }, null],
      [{}, {}, null],
    ] as const)
      for (const path of ["/", "/bookmarks/", "/healthz", "/nothing", "/bookmarks", "/sign-in", "/docs"])
        expect([settings, headers, path, await policyOf(settings, headers, path)]).toEqual([
          ...[settings, headers, path, expected],
        ]);
  });
});

describeHttp("Pages", (service) => {
  test("are kept apart from a site that opened them, but for the window of the bookmarklet, also on the way through signing in", async () => {
    const { request, database } = await service.startApp({ BOOKMARKS_ACCESS: "private" });
    const browser = withHeaders(request, {
      cookie: await makeSession(database, await makeAccount(database, "ada", "correct horse battery")),
    });
    const policy = (response: Response) => response.headers.get("cross-origin-opener-policy");
    for (const path of [
      "/library/new?window=1&url=https%3A%2F%2Fexample.com&title=x",
      "/library/new?auto_close=1&url=https%3A%2F%2Fexample.com",
      "/library/new?saved=1&window=1",
    ])
      expect([path, policy(await browser(path))]).toEqual([path, null]);
    const form = { url: "https://example.com/", title: "", window: "1", look: "1" };
    expect(policy(await submit(browser, "/library/new", { ...form, url: "no address" }))).toBeNull();
    const saved = await submit(browser, "/library/new", { url: form.url, title: "x", window: "1" });
    expect([saved.status, policy(saved)]).toEqual([303, null]);
    const away = await request("/library/new?window=1&url=https%3A%2F%2Fexample.com");
    expect([away.status, policy(away)]).toEqual([303, null]);
    const signIn = await request(away.headers.get("location") ?? "");
    expect([signIn.status, policy(signIn)]).toEqual([200, null]);
    const next = fieldValue(await signIn.text(), "next") ?? "";
    const wrong = { username: "ada", password: "wrong", next };
    expect(policy(await submit(request, "/sign-in", wrong))).toBeNull();
    for (const path of ["/", "/library/new", "/library/new?url=window=1", "/docs", "/nothing"])
      expect([path, policy(await browser(path, { headers: { accept: "text/html" } }))]).toEqual([
        ...[path, "same-origin"],
      ]);
    expect(policy(await request("/sign-in?next=%2Flibrary"))).toBe("same-origin");
    expect(policy(await request("/sign-in"))).toBe("same-origin");
    expect(
      policy(await request("/sign-in?next=https%3A%2F%2Fevil.example%2Flibrary%2Fnew%3Fwindow%3D1")),
    ).toBe("same-origin");
  });
});
