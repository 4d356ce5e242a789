import { beforeAll, expect, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import type { Instant } from "../../../src/database/database.ts";
import { purgeCodes } from "../../../src/protocols/indieauth/code-store.ts";
import {
  disableAccount,
  makeAccount,
  makeSession,
  makeToken,
  withHeaders,
  withToken,
} from "../../support/records/accounts.ts";
import { fieldValue, submit } from "../../support/requests/forms.ts";
import type { Send } from "../../support/requests/send.ts";
import type { TestApp } from "../../support/server/app.ts";
import { describeApp } from "../../support/server/contract.ts";

const CLIENT = "https://app.example/";
const CALLBACK = "https://app.example/callback?from=me";
const AUTHORIZE = "/indieauth/authorize";
const DECIDE = "/indieauth/authorize/decide";

const newVerifier = () => randomBytes(32).toString("base64url");
const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

describeApp("IndieAuth", (service) => {
  let app: TestApp;
  let ada: Awaited<ReturnType<typeof makeAccount>>;
  let browser: Send;

  beforeAll(async () => {
    app = await service.startApp({ FETCH_PAGES: "off" });
    ada = await makeAccount(app.database, "ada");
    browser = withHeaders(app.request, { cookie: await makeSession(app.database, ada) });
  });

  type Fields = Record<string, string | string[] | undefined>;
  const requestOf = (verifier: string, more: Fields = {}) => {
    const all: Fields = {
      response_type: "code",
      client_id: CLIENT,
      redirect_uri: CALLBACK,
      state: "s&1",
      code_challenge: challengeOf(verifier),
      code_challenge_method: "S256",
      scope: "create update media profile unknown",
      ...more,
    };
    return Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
    );
  };
  const show = (parameters: [string, string][], from = browser) =>
    from(`${AUTHORIZE}?${new URLSearchParams(parameters)}`);
  const decide = (
    parameters: [string, string][],
    fields: Record<string, string | string[]> = {},
    from = browser,
  ) =>
    submit(from, DECIDE, {
      ...Object.fromEntries(parameters),
      scopes: ["create", "update", "media", "profile"],
      decision: "allow",
      ...fields,
    });
  /** Goes through the consent, and returns what the program reads in its address. */
  const codeFor = async (
    verifier: string,
    more: Fields = {},
    fields: Record<string, string | string[]> = {},
  ) => {
    const response = await decide(requestOf(verifier, more), fields);
    expect([response.status, response.status === 303 ? "" : await response.text()]).toEqual([303, ""]);
    return new URL(response.headers.get("location") ?? "").searchParams;
  };
  const post = (path: string, fields: Record<string, string>, from: Send = app.request) =>
    from(path, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(fields).toString(),
    });
  const redeem = (
    code: string | null,
    verifier: string,
    more: Record<string, string> = {},
    path = "/indieauth/token",
  ) =>
    post(path, {
      grant_type: "authorization_code",
      code: code ?? "",
      client_id: CLIENT,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
      ...more,
    });
  const errorOf = async (response: Response) => [
    response.status,
    ((await response.json()) as { error: string }).error,
  ];
  const tokenFor = async (more: Fields = {}, fields: Record<string, string | string[]> = {}) => {
    const verifier = newVerifier();
    const answer = await codeFor(verifier, more, fields);
    const response = await redeem(answer.get("code"), verifier);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    return (await response.json()) as Record<string, string>;
  };
  const mayWrite = async (token: string) => {
    const send = withToken(app.request, token);
    const json = { type: ["h-entry"], properties: { content: ["By a program"] } };
    return (await send("/micropub", { method: "POST", json })).status;
  };

  test("the front page links to the metadata, which has everything that a program needs", async () => {
    const app = await service.startApp({ PROTOCOLS: "micropub" });
    await makeAccount(app.database, "ada");
    const front = await app.request("/");
    const path = "/.well-known/oauth-authorization-server";
    expect(front.headers.get("link")).toContain(`<http://localhost${path}>; rel="indieauth-metadata"`);
    expect(await front.text()).toContain(`<link rel="indieauth-metadata" href="http://localhost${path}"`);
    const response = await app.request(path, { headers: { origin: "https://app.example" } });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(await response.json()).toEqual({
      issuer: "http://localhost/",
      authorization_endpoint: "http://localhost/indieauth/authorize",
      token_endpoint: "http://localhost/indieauth/token",
      introspection_endpoint: "http://localhost/indieauth/introspect",
      revocation_endpoint: "http://localhost/indieauth/revoke",
      revocation_endpoint_auth_methods_supported: ["none"],
      scopes_supported: ["create", "update", "delete", "media", "draft", "profile"],
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    });
  });

  test("a program gets a token with the selected scopes, which is listed among the keys", async () => {
    const verifier = newVerifier();
    const anonymous = await show(requestOf(verifier), app.request);
    expect(anonymous.status).toBe(303);
    expect(anonymous.headers.get("location")).toStartWith("/sign-in?next=%2Findieauth%2Fauthorize%3F");
    const page = await show(requestOf(verifier));
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).toContain("Allow app.example?");
    expect(fieldValue(html, "state")).toBe("s&1");
    expect(html.match(/type="checkbox"/g)).toHaveLength(4);
    const answer = await codeFor(verifier, {}, { scopes: ["create", "profile", "delete"] });
    expect(Object.fromEntries(answer)).toEqual({
      from: "me",
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: "s&1",
      iss: "http://localhost/",
    });
    const given = (await (await redeem(answer.get("code"), verifier)).json()) as Record<string, string>;
    expect(given).toEqual({
      access_token: expect.stringMatching(/^cmpl_/),
      token_type: "Bearer",
      // Only requested scopes are granted, even if the form has more.
      scope: "create profile",
      expires_in: 365 * 86_400,
      me: "http://localhost/",
      profile: { name: "ada", url: "http://localhost/" },
    } as unknown as Record<string, string>);
    const token = given.access_token ?? "";
    expect(await mayWrite(token)).toBe(201);
    expect((await withToken(app.request, token)("/api/drafts/")).status).toBe(403);
    const keys = await (await browser("/keys")).text();
    expect(keys).toContain(">app.example<");
    expect(keys).toContain(`Given to ${CLIENT}`);
    // In the words with which it was allowed.
    expect(keys).toContain("create posts and links");
    const id = token.split("_")[1] ?? "";
    await submit(browser, "/keys/end", { key: id });
    expect(await mayWrite(token)).toBe(401);
  });

  test.each([
    ["90", 90],
    ["365", 365],
    ["never", null],
  ])("a token lives as long as the person chose: %s", async (lifetime, days) => {
    const given = await tokenFor({}, { lifetime });
    expect(given.expires_in).toBe(days === null ? undefined : ((days * 86_400) as unknown as string));
    const id = Number(given.access_token?.split("_")[1]);
    const [row] = await app.database.read<{ created_at: Instant; expires_at: Instant | null }>`
      select created_at, expires_at from tokens where id = ${id}`;
    const time = (instant: Instant) => new Date(instant).getTime();
    const lived = row?.expires_at == null ? null : time(row.expires_at) - time(row.created_at);
    expect(lived).toBe(days === null ? null : days * 86_400_000);
  });

  test("a program that asks for no scope learns who it is, and gets no token", async () => {
    const verifier = newVerifier();
    const answer = await codeFor(verifier, { scope: undefined }, { scopes: [] });
    const code = answer.get("code");
    const known = await redeem(code, verifier, {}, AUTHORIZE);
    expect([known.status, await known.json()]).toEqual([200, { me: "http://localhost/" }]);
    const other = await codeFor(verifier, { scope: "profile" }, { scopes: ["profile"] });
    expect(await errorOf(await redeem(other.get("code"), verifier))).toEqual([400, "invalid_grant"]);
  });

  test("a code that is used again revokes the token that it gave", async () => {
    const verifier = newVerifier();
    const code = (await codeFor(verifier)).get("code");
    const { access_token: token = "" } = (await (await redeem(code, verifier)).json()) as Record<
      string,
      string
    >;
    expect(await mayWrite(token)).toBe(201);
    expect(await errorOf(await redeem(code, verifier))).toEqual([400, "invalid_grant"]);
    expect(await mayWrite(token)).toBe(401);
  });

  test("of many exchanges of one code at once, none leaves a token", async () => {
    const verifier = newVerifier();
    const code = (await codeFor(verifier)).get("code");
    const responses = await Promise.all(Array.from({ length: 5 }, () => redeem(code, verifier)));
    const tokens = await Promise.all(
      responses.map((response) => response.json() as Promise<{ access_token?: string }>),
    );
    const given = tokens.flatMap(({ access_token }) => access_token ?? []);
    expect(given).toHaveLength(1);
    expect(await mayWrite(given[0] ?? "")).toBe(401);
  });

  test("a code is valid for its own program and verifier only, for five minutes", async () => {
    const verifier = newVerifier();
    const code = (await codeFor(verifier)).get("code");
    for (const wrong of [
      { code_verifier: newVerifier() },
      { code_verifier: challengeOf(verifier) },
      { code_verifier: "" },
      { client_id: "https://other.example/" },
      { client_id: "https://app.example" },
      { redirect_uri: "https://app.example/callback" },
      { code: newVerifier() },
      { code: "" },
    ])
      expect([wrong, await errorOf(await redeem(code, verifier, wrong as Record<string, string>))]).toEqual([
        wrong,
        [400, "invalid_grant"],
      ]);
    expect(await errorOf(await redeem(code, verifier, { grant_type: "password" }))).toEqual([
      400,
      "unsupported_grant_type",
    ]);
    const rows = await app.database.read`select code_key_sha256, challenge from authorization_codes`;
    expect(JSON.stringify(rows)).not.toContain(code ?? "?");
    // What was tried wrongly does not take it from its owner.
    expect((await redeem(code, verifier)).status).toBe(200);
    const late = (await codeFor(verifier)).get("code");
    await app.database.write(
      (sql) => sql`
      update authorization_codes set expires_at = ${new Date(Date.now() - 1)} where used_at is null`,
    );
    expect(await errorOf(await redeem(late, verifier))).toEqual([400, "invalid_grant"]);
  });

  test("redirects go only to the program itself", async () => {
    const verifier = newVerifier();
    for (const redirect of [
      "https://evil.example/callback",
      "https://app.example.evil.example/",
      "https://app.example@evil.example/",
      "http://app.example/callback",
      "https://app.example:444/callback",
      "https://sub.app.example/",
      "//evil.example/",
      "/callback",
      "javascript:alert(1)//https://app.example/",
      "data:text/html,x",
      "https://app.example/#fragment",
      "https://app.example\\@evil.example/",
      "https://app.example/\nhttps://evil.example/",
      "https:app.example/callback",
      "https://app.example/ü",
      "",
    ])
      for (const response of [
        await show(requestOf(verifier, { redirect_uri: redirect, client_id: "https://app.example/" })),
        await decide(requestOf(verifier, { redirect_uri: redirect })),
      ])
        expect([redirect, response.status, response.headers.get("location")]).toEqual([redirect, 400, null]);
    for (const client of [
      ...["", "app.example", "https://app.example", "ftp://app.example/", "https://u:p@app.example/"],
      ...["https://app.example/#a", "https://app.example/../a", "https://10.0.0.1/", "https://[fe80::1]/"],
      ...["javascript:alert(1)", "https://app.example?x"],
    ])
      expect([client, (await show(requestOf(verifier, { client_id: client }))).status]).toEqual([
        client,
        400,
      ]);
    const twice = await show(requestOf(verifier, { redirect_uri: [CALLBACK, "https://evil.example/"] }));
    expect(twice.status).toBe(400);
    const html = await twice.text();
    expect(html).toContain("<h1>This program’s request is not valid</h1>");
    expect(html).toContain("Go back and try again.");
    expect(html).toContain("The redirect_uri is not one plain URL");
    const elsewhere = await show(requestOf(verifier, { redirect_uri: "https://evil.example/" }));
    expect(await elsewhere.text()).toContain("The redirect_uri is neither on the program");
  });

  test("other errors go back to the program, with state and issuer", async () => {
    const verifier = newVerifier();
    for (const [more, error] of [
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ response_type: undefined }, "unsupported_response_type"],
      [{ code_challenge: undefined }, "invalid_request"],
      [{ code_challenge: "short" }, "invalid_request"],
      [{ code_challenge_method: "plain" }, "invalid_request"],
      [{ code_challenge_method: undefined }, "invalid_request"],
      [{ scope: ["create", "delete"] }, "invalid_request"],
    ] as const) {
      const response = await show(requestOf(verifier, more as Fields));
      const location = new URL(response.headers.get("location") ?? "");
      expect([more, response.status, location.origin]).toEqual([more, 303, "https://app.example"]);
      expect(Object.fromEntries(location.searchParams)).toMatchObject({
        error,
        state: "s&1",
        iss: "http://localhost/",
      });
      expect(location.searchParams.has("code")).toBe(false);
    }
    const denied = await codeFor(verifier, {}, { decision: "deny" });
    expect(Object.fromEntries(denied)).toEqual({
      from: "me",
      error: "access_denied",
      state: "s&1",
      iss: "http://localhost/",
    });
  });

  test("only a user of the page can consent: not in a frame, not by another site's form, not with a token", async () => {
    const verifier = newVerifier();
    const page = await show(requestOf(verifier));
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https://app.example;");
    const client_id = "https://$'.example/";
    const odd = await show(requestOf(verifier, { client_id, redirect_uri: `${client_id}cb` }));
    expect(odd.headers.get("content-security-policy")).toBe(
      policy.replace("https://app.example", () => "https://$'.example"),
    );
    expect(page.headers.get("cache-control")).toBe("private, no-store");
    expect(page.headers.has("access-control-allow-origin")).toBe(false);
    const foreign = { "sec-fetch-site": "cross-site", origin: "https://app.example" };
    const fields = { ...Object.fromEntries(requestOf(verifier)), scopes: "create", decision: "allow" };
    expect((await submit(browser, DECIDE, fields, foreign)).status).toBe(403);
    const byKey = withToken(app.request, await makeToken(app.database, ada));
    expect((await submit(byKey, DECIDE, fields)).status).toBe(401);
    expect((await submit(app.request, DECIDE, fields)).status).toBe(401);
    const [row] = await app.database.read<{ n: number }>`
      select count(*) as n from authorization_codes where challenge = ${challengeOf(verifier)}`;
    expect(Number(row?.n)).toBe(0);
    const none = await decide(requestOf(verifier), { scopes: [] });
    expect(none.status).toBe(422);
    const again = await none.text();
    expect(again).toContain("Select at least one permission");
    expect(fieldValue(again, "redirect_uri")).toBe(CALLBACK);
  });

  test("tokens can be introspected by their account, and revoked by any holder", async () => {
    const { access_token: token = "" } = await tokenFor();
    const byOwner = withToken(app.request, token);
    const asked = await post("/indieauth/introspect", { token }, byOwner);
    expect(await asked.json()).toMatchObject({
      active: true,
      me: "http://localhost/",
      client_id: CLIENT,
      scope: "create update media",
      iat: expect.any(Number),
    });
    const bob = await makeAccount(app.database, `bob-${token.slice(5, 9)}`);
    const byOther = withToken(app.request, await makeToken(app.database, bob));
    expect(await (await post("/indieauth/introspect", { token }, byOther)).json()).toEqual({ active: false });
    expect((await post("/indieauth/introspect", { token })).status).toBe(401);
    expect(await (await post("/indieauth/introspect", { token: "cmpl_1_x" }, byOwner)).json()).toEqual({
      active: false,
    });
    for (const one of [token, token, "nonsense"])
      expect((await post("/indieauth/revoke", { token: one })).status).toBe(200);
    expect(await mayWrite(token)).toBe(401);
  });

  test("a code is forgotten a day after it has expired, and not before", async () => {
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
    await codeFor(newVerifier());
    const count = async () => {
      const [row] = await app.database.read<{ n: number }>`select count(*) as n from authorization_codes`;
      return Number(row?.n);
    };
    expect(await app.database.write((sql) => purgeCodes(sql, hours(23), 500))).toBe(0);
    const before = await count();
    expect(await app.database.write((sql) => purgeCodes(sql, hours(25), 1))).toBe(1);
    expect(await app.database.write((sql) => purgeCodes(sql, hours(25), 500))).toBe(before - 1);
    expect(await count()).toBe(0);
  });

  test("a disabled account gives no token for a code that it has made", async () => {
    const eve = await makeAccount(app.database, "eve");
    const hers = withHeaders(app.request, { cookie: await makeSession(app.database, eve) });
    const verifier = newVerifier();
    const response = await decide(requestOf(verifier), {}, hers);
    const code = new URL(response.headers.get("location") ?? "").searchParams.get("code");
    await disableAccount(app.database, eve);
    expect(await errorOf(await redeem(code, verifier))).toEqual([400, "invalid_grant"]);
  });
});
