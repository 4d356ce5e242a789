import { beforeAll, expect, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import { FetchError } from "../../../src/outbound/fetch-public.ts";
import { endless, internet, to } from "../../support/machine/internet.ts";
import {
  makeAccount,
  makeSession,
  makeToken,
  withHeaders,
  withToken,
} from "../../support/records/accounts.ts";
import { Agent, PROTOCOL_VERSIONS } from "../../support/requests/agent.ts";
import { fieldValue, submit } from "../../support/requests/forms.ts";
import type { Send } from "../../support/requests/send.ts";
import type { TestApp } from "../../support/server/app.ts";
import { describeApp } from "../../support/server/contract.ts";

const CLIENT = "https://assistant.example/oauth/client.json";
const CALLBACK = "https://assistant.example/api/callback";
const RESOURCE = "http://localhost/mcp";
const SCOPES = ["bookmarks:read", "bookmarks:write", "posts:read", "posts:write"];
const METADATA = "/.well-known/oauth-authorization-server";
const AUTHORIZE = "/indieauth/authorize";

const json = (value: unknown, type = "application/json", status = 200) =>
  new Response(typeof value === "string" ? value : JSON.stringify(value), {
    status,
    headers: { "content-type": type },
  });
const DOCUMENT = {
  client_id: CLIENT,
  client_name: "Helper",
  logo_uri: "https://assistant.example/logo.png",
  redirect_uris: [CALLBACK, "http://localhost/callback", "http://127.0.0.1:33418/", "http://[::1]/"],
  grant_types: ["authorization_code", "refresh_token"],
  token_endpoint_auth_method: "none",
};
/** A document at an address of its own, with other members. */
const other = (path: string, members: object = {}) =>
  json({ ...DOCUMENT, client_id: `https://assistant.example/${path}`, ...members });
/** Documents that connect nobody, by their paths. */
const UNFIT: Readonly<Record<string, () => Response>> = {
  "missing.json": () => json(DOCUMENT, "application/json", 404),
  "error.json": () =>
    json({ ...DOCUMENT, client_id: "https://assistant.example/error.json" }, undefined, 500),
  "moved.json": () => to(CLIENT),
  "inward.json": () => to("http://127.0.0.1/"),
  // An open redirect on the host of an honest client.
  "forwarded.json": () => to("https://evil.example/forwarded.json"),
  "page.json": () => json({ ...DOCUMENT, client_id: "https://assistant.example/page.json" }, "text/html"),
  "upload.json": () =>
    json({ ...DOCUMENT, client_id: "https://assistant.example/upload.json" }, "text/plain"),
  "copied.json": () => json(DOCUMENT),
  "spelled.json": () => other("SPELLED.json"),
  "list.json": () => json([DOCUMENT]),
  "null.json": () => json("null"),
  "broken.json": () => json("{"),
  "deep.json": () => json("[".repeat(200_000)),
  "nowhere.json": () => other("nowhere.json", { redirect_uris: undefined }),
  "text.json": () => other("text.json", { redirect_uris: CALLBACK }),
  "secret.json": () => other("secret.json", { token_endpoint_auth_method: "client_secret_basic" }),
  "signed.json": () => other("signed.json", { token_endpoint_auth_method: "private_key_jwt" }),
  "slow.json": () => {
    throw new FetchError("The request timed out.");
  },
  "endless.json": () => endless("application/json"),
  "long.json": () => other("long.json", { padding: "x".repeat(10_000_000) }),
};
/** Documents that do. */
const FIT: Readonly<Record<string, () => Response>> = {
  "either.json": () =>
    other("either.json", {
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
    }),
  "unsaid.json": () => other("unsaid.json", { token_endpoint_auth_method: undefined }),
  "plus.json": () => {
    const document = { ...DOCUMENT, client_id: "https://assistant.example/plus.json" };
    return json(document, "application/client+json; charset=utf-8");
  },
};
/** What a name in a document becomes. */
const NAMES: Readonly<Record<string, readonly [unknown, string]>> = {
  "name-0.json": ["\u202eedualC\u0000\u001b[31m\n", "edualC [31m"],
  "name-1.json": [`  ${"é".repeat(80)}`, "é".repeat(60)],
  "name-2.json": ["\u200b\u2066\u3164", "assistant.example"],
  "name-3.json": [undefined, "assistant.example"],
  "name-4.json": [{ toString: 1 }, "assistant.example"],
  "name-5.json": ["<b>Claude</b>", "<b>Claude</b>"],
  "name-6.json": ["\ud800Ada", "Ada"],
};

const network = internet({
  "https://evil.example/forwarded.json": () => other("forwarded.json"),
  [CLIENT]: () => json(DOCUMENT),
  "https://inside.example/client.json": () =>
    json({ ...DOCUMENT, client_id: "https://inside.example/client.json" }),
  ...Object.fromEntries(
    Object.entries({
      ...UNFIT,
      ...FIT,
      ...Object.fromEntries(
        Object.entries(NAMES).map(([path, [name]]) => [path, () => other(path, { client_name: name })]),
      ),
    }).map(([path, answer]) => [`https://assistant.example/${path}`, answer]),
  ),
});

describeApp("Connecting an assistant", (service) => {
  let app: TestApp;
  let ada: Awaited<ReturnType<typeof makeAccount>>;
  let browser: Send;

  beforeAll(async () => {
    app = await service.startApp({ BOOKMARKS_ACCESS: "private" }, undefined, network);
    ada = await makeAccount(app.database, "ada");
    browser = withHeaders(app.request, { cookie: await makeSession(app.database, ada) });
  });

  type Fields = Record<string, string | string[] | undefined>;
  const newVerifier = () => randomBytes(32).toString("base64url");
  const requestOf = (verifier: string, more: Fields = {}) =>
    Object.entries({
      ...{ response_type: "code", client_id: CLIENT, redirect_uri: CALLBACK, state: "s", resource: RESOURCE },
      ...{ code_challenge: createHash("sha256").update(verifier).digest("base64url") },
      ...{ code_challenge_method: "S256", scope: SCOPES.join(" "), ...more },
    } as Fields).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
    );
  const show = (more: Fields = {}, from = browser) =>
    from(`${AUTHORIZE}?${new URLSearchParams(requestOf(newVerifier(), more))}`);
  /** Sends the form of the page, as a person would who changes some of its fields. */
  const decide = (verifier: string, more: Fields = {}, fields: Fields = {}, from = browser, headers = {}) => {
    const carried: Fields = {};
    for (const [name, value] of requestOf(verifier, more))
      carried[name] = name in carried ? [carried[name] ?? "", value].flat() : value;
    const all = { ...carried, scopes: SCOPES, name: "Helper", decision: "allow", ...fields };
    return submit(from, `${AUTHORIZE}/decide`, all as Record<string, string | string[]>, headers);
  };
  const answerOf = (response: Response) => new URL(response.headers.get("location") ?? "").searchParams;
  const redeem = (code: string | null, verifier: string, more: Record<string, string> = {}) =>
    submit(app.request, "/indieauth/token", {
      ...{ grant_type: "authorization_code", code: code ?? "", client_id: CLIENT, redirect_uri: CALLBACK },
      ...{ code_verifier: verifier, resource: RESOURCE, ...more },
    });
  const connect = async (more: Fields = {}, fields: Fields = {}) => {
    const verifier = newVerifier();
    const consent = await decide(verifier, more, fields);
    expect([consent.status, consent.status === 303 ? "" : await consent.text()]).toEqual([303, ""]);
    const ids = {
      client_id: String(more.client_id ?? CLIENT),
      redirect_uri: String(more.redirect_uri ?? CALLBACK),
    };
    const response = await redeem(answerOf(consent).get("code"), verifier, ids);
    return (await response.json()) as Record<string, string> & { expires_in?: number };
  };
  const scopesOf = async ({ access_token: key = "" }: Record<string, string>) => {
    const [row] = await app.database.read<{ scopes: string; name: string; client_id: string }>`
      select scopes, name, client_id from tokens where id = ${Number(key.split("_")[1])}`;
    return row;
  };

  test("an assistant finds out by itself how to get a token", async () => {
    for (const path of [
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-protected-resource",
    ]) {
      const response = await app.request(path, { headers: { origin: "https://assistant.example" } });
      expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
      expect(await response.json()).toEqual({
        resource: RESOURCE,
        authorization_servers: ["http://localhost/"],
        scopes_supported: SCOPES,
        bearer_methods_supported: ["header"],
      });
    }
    const metadata = (await (await app.request(METADATA)).json()) as Record<string, unknown>;
    expect(metadata).toMatchObject({
      issuer: "http://localhost/",
      scopes_supported: ["create", "update", "delete", "media", "draft", "profile", ...SCOPES],
      grant_types_supported: ["authorization_code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    expect(Object.keys(metadata)).not.toContain("registration_endpoint");
  });

  test.each([
    [{ PROTOCOLS: "micropub" }, undefined],
    [{ WEB: "off" }, undefined],
    [{ PROTOCOLS: "mcp" }, SCOPES],
    [{ PROTOCOLS: "mcp", SERVICES: "bookmarks" }, SCOPES.slice(0, 2)],
    [{ PROTOCOLS: "mcp", SERVICES: "posts" }, SCOPES.slice(2)],
  ])("what assistants may ask for is what there is: %p", async (settings, scopes) => {
    const { request } = await service.startApp(settings);
    const about = await request("/.well-known/oauth-protected-resource/mcp");
    expect(about.status).toBe(scopes === undefined ? 404 : 200);
    if (scopes === undefined) return;
    expect(await about.json()).toMatchObject({ scopes_supported: scopes });
    expect(await (await request(METADATA)).json()).toMatchObject({ scopes_supported: scopes });
  });

  test("a person decides what it may do and how it is called, and sees its token, its use and its end", async () => {
    const anonymous = await show({}, app.request);
    expect(anonymous.headers.get("location")).toStartWith("/sign-in?next=");
    const page = await show();
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).toContain("<b>assistant.example</b>");
    for (const words of ["find and read your links", "each change can be undone", "never publish"])
      expect(html).toContain(words);
    expect(html).not.toContain("logo.png");
    expect(html.match(/type="checkbox"[^>]* checked/g)).toHaveLength(4);
    expect([fieldValue(html, "name"), fieldValue(html, "resource")]).toEqual(["Helper", RESOURCE]);

    const verifier = newVerifier();
    const consent = await decide(
      verifier,
      {},
      { scopes: ["bookmarks:read", "posts:write"], name: "My helper é" },
    );
    const answer = answerOf(consent);
    expect(Object.fromEntries(answer)).toEqual({
      code: expect.stringMatching(/^[\w.-]+$/),
      state: "s",
      iss: "http://localhost/",
    });
    const given = (await (await redeem(answer.get("code"), verifier)).json()) as Record<string, string>;
    expect(given).toEqual({
      access_token: expect.stringMatching(/^cmpl_/),
      token_type: "Bearer",
      // Whoever may write may read.
      scope: "bookmarks:read posts:read posts:write",
      expires_in: 365 * 86_400,
    } as unknown as Record<string, string>);
    expect(await scopesOf(given)).toEqual({
      name: "My helper é",
      client_id: CLIENT,
      scopes: "mcp:bookmarks:read mcp:posts:read mcp:posts:write",
    });
    const keys = await (await browser("/keys")).text();
    for (const words of [
      ">My helper é<",
      "Made for an assistant",
      `Given to ${CLIENT}`,
      "never used",
      "End access",
    ])
      expect(keys).toContain(words);
    const key = given.access_token ?? "";
    await submit(browser, "/keys/end", { key: key.split("_")[1] ?? "" });
    expect((await withToken(app.request, key)("/api/session/")).status).toBe(401);
  });

  test("its token is valid nowhere but at /mcp", async () => {
    const { access_token: key = "" } = await connect();
    const assistant = withToken(app.request, key);
    for (const [path, init] of [
      ["/bookmarks/", {}],
      ["/api/drafts/", {}],
      ["/api/posts/", { method: "POST", json: { title: "Published", content: "x", published: true } }],
      ["/micropub", { method: "POST", json: { type: ["h-entry"], properties: { content: ["x"] } } }],
      ["/linkding/api/bookmarks/", {}],
      ["/api/tokens/", { method: "POST", json: { name: "x" } }],
      ["/indieauth/introspect", { method: "POST", body: new URLSearchParams({ token: key }) }],
      ["/library.atom", {}],
    ] as const)
      expect([path, (await assistant(path, init as RequestInit)).status]).toEqual([path, 403]);
    const field = new URLSearchParams({ h: "entry", content: "x", access_token: key });
    const inForm = await app.request("/micropub", {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "content-length": String(`${field}`.length),
      },
      body: `${field}`,
    });
    expect(inForm.status).toBe(403);
    const refusal = (await (await assistant("/bookmarks/")).json()) as { detail: string };
    expect(refusal.detail).toBe("This token was given to an assistant. It is valid for /mcp alone.");
    const other = withToken(app.request, await makeToken(app.database, ada));
    const form = { method: "POST", body: new URLSearchParams({ token: key }) };
    expect(await (await other("/indieauth/introspect", form)).json()).toMatchObject({
      scope: SCOPES.join(" "),
    });
    await app.request("/indieauth/revoke", form);
    expect((await assistant("/bookmarks/")).status).toBe(401);
  });

  test.each(PROTOCOL_VERSIONS)(
    "with its token it uses the tools that were ticked, in the protocol of %s",
    async (version) => {
      const first = await new Agent(app.request, version).message("tools/list");
      expect([first.status, first.headers.get("www-authenticate")]).toEqual([
        401,
        'Bearer realm="commonplace", resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp"',
      ]);
      const { access_token: key = "" } = await connect({}, { scopes: ["bookmarks:read", "bookmarks:write"] });
      const agent = new Agent(withToken(app.request, key), version);
      await agent.use("add_link", { url: `https://example.com/${version}`, title: "Herons" });
      const found = await agent.use("search_links", { query: "herons" });
      expect(JSON.stringify(found)).toContain(`https://example.com/${version}`);
      const beyond = await agent.message("tools/call", {
        name: "draft_post",
        arguments: { title: "x", content: "y" },
      });
      expect([beyond.status, beyond.headers.get("www-authenticate")]).toEqual([
        403,
        expect.stringContaining('error="insufficient_scope", scope="posts:read posts:write"'),
      ]);
    },
  );

  test("a token for an assistant that does not connect by itself is made by hand, and has no other scopes", async () => {
    const form = { name: "Agent", lifetime: "90", for: "assistant" };
    const page = await submit(browser, "/keys", { ...form, scopes: ["bookmarks:write"] });
    const html = await page.text();
    const [key = ""] = /cmpl_\w+/.exec(html) ?? [];
    expect(html).toContain("<code>http://localhost/mcp</code>");
    expect((await scopesOf({ access_token: key }))?.scopes).toBe("mcp:bookmarks:read mcp:bookmarks:write");
    expect((await withToken(app.request, key)("/bookmarks/")).status).toBe(403);
    const more = await submit(browser, "/keys", { ...form, scopes: ["bookmarks:read", "account"] });
    expect([more.status, (await more.text()).includes("and nothing else.")]).toEqual([422, true]);

    const create = async (scopes: string[], by: string) => {
      const send = withToken(app.request, by);
      const response = await send("/api/tokens/", { method: "POST", json: { name: "Agent", scopes } });
      return [response.status, ((await response.json()) as { scopes?: string[] }).scopes];
    };
    const all = await makeToken(app.database, ada);
    expect(await create(["mcp:posts:write"], all)).toEqual([201, ["mcp:posts:read", "mcp:posts:write"]]);
    expect(await create(["mcp:posts:write", "bookmarks:read"], all)).toEqual([422, undefined]);
    const few = await makeToken(app.database, ada, { scopes: ["account", "posts:read"] });
    expect(await create(["mcp:posts:read"], few)).toEqual([201, ["mcp:posts:read"]]);
    expect(await create(["mcp:posts:write"], few)).toEqual([422, undefined]);
  });

  test("it asks for everything when it names nothing that is known, and gets no more than it has asked for", async () => {
    for (const scope of [undefined, "", "openid offline_access"])
      expect([scope, (await connect({ scope })).scope]).toEqual([scope, SCOPES.join(" ")]);
    expect((await connect({ scope: "posts:read account create" })).scope).toBe("posts:read");
    expect((await connect({ scope: "bookmarks:write" })).scope).toBe("bookmarks:read bookmarks:write");
    const none = await decide(newVerifier(), {}, { scopes: [] });
    expect([none.status, (await none.text()).includes("<b>assistant.example</b>")]).toEqual([422, true]);
    expect((await decide(newVerifier(), {}, { scopes: ["account"] })).status).toBe(422);
    expect((await decide(newVerifier(), {}, { name: "x".repeat(101) })).status).toBe(422);
    expect((await connect({}, { lifetime: "never" })).expires_in).toBeUndefined();
    expect((await scopesOf(await connect({}, { name: "  " })))?.name).toBe("Helper");
  });

  test("a request for another server's token is refused, and so is one for a token", async () => {
    for (const resource of [
      "https://evil.example/mcp",
      "http://localhost/mcp/x",
      "http://localhost/",
      "http://localhost/mcp?x",
      "http://localhost/mcp#x",
      "https://localhost/mcp",
      "http://localhost:81/mcp",
      "/mcp",
      "",
      [RESOURCE, "https://evil.example/mcp"],
    ]) {
      const answer = answerOf(await show({ resource }));
      expect([resource, answer.get("error"), answer.get("iss")]).toEqual([
        resource,
        "invalid_target",
        "http://localhost/",
      ]);
    }
    for (const resource of ["HTTP://LOCALHOST/mcp/", "http://localhost:80/mcp", [RESOURCE, RESOURCE]])
      expect([resource, (await show({ resource })).status]).toEqual([resource, 200]);
    const verifier = newVerifier();
    const code = answerOf(await decide(verifier)).get("code");
    const wrong = await redeem(code, verifier, { resource: "https://evil.example/mcp" });
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: "invalid_target" }]);
    expect((await redeem(code, verifier, { resource: "" })).status).toBe(200);
    const alone = await service.startApp({ PROTOCOLS: "mcp" }, undefined, network);
    const eve = await makeAccount(alone.database, "eve");
    const hers = withHeaders(alone.request, { cookie: await makeSession(alone.database, eve) });
    expect(answerOf(await show({ resource: undefined, scope: "create" }, hers)).get("error")).toBe(
      "invalid_target",
    );
  });

  test("it returns only where its document says, on the person's own machine at any port", async () => {
    for (const redirect_uri of [
      "https://assistant.example/api/callback/",
      "https://assistant.example/api/callback?x",
      "https://assistant.example/open-redirect?to=https://evil.example/",
      "https://assistant.example:8443/api/callback",
      "https://evil.example/api/callback",
      "http://localhost.evil.example:3118/callback",
      "http://localhost:3118/other",
      "http://192.168.0.1:33418/",
      "https://localhost:3118/callback",
      "javascript:alert(1)",
      "//evil.example/",
      "",
    ])
      for (const response of [await show({ redirect_uri }), await decide(newVerifier(), { redirect_uri })])
        expect([redirect_uri, response.status, response.headers.get("location")]).toEqual([
          redirect_uri,
          400,
          null,
        ]);
    const local = await show({ redirect_uri: "http://localhost:3118/callback" });
    expect([local.status, (await local.text()).includes("a program on the computer")]).toEqual([200, true]);
    expect((await connect({ redirect_uri: "http://127.0.0.1:50000/" })).scope).toBe(SCOPES.join(" "));
    const ipv6 = await show({ redirect_uri: "http://[::1]:50000/" });
    expect(ipv6.headers.get("content-security-policy")).toContain("form-action 'self' http:;");
  });

  test("nothing but the document of the client itself connects it", async () => {
    for (const path of Object.keys(UNFIT)) {
      const response = await show({ client_id: `https://assistant.example/${path}` });
      const said = (await response.text()).includes("there is no Client ID Metadata Document");
      expect([path, response.status, said]).toEqual([path, 400, true]);
    }
    for (const path of Object.keys(FIT))
      expect([path, (await show({ client_id: `https://assistant.example/${path}` })).status]).toEqual([
        path,
        200,
      ]);
    const before = network.asked.length;
    for (const client_id of [
      "https://inside.example/client.json",
      "https://10.0.0.5/client.json",
      "https://[fd00::1]/client.json",
      "http://assistant.example/oauth/client.json",
      "https://assistant.example/",
      "https://assistant.example",
      "https://localhost/client.json",
      "http://127.0.0.1:8000/client.json",
      "https://user:secret@assistant.example/oauth/client.json",
      "https://assistant.example/oauth/client.json#a",
      "https://assistant.example/oauth/../oauth/client.json",
      `https://assistant.example/${"x".repeat(500)}`,
      "assistant",
      "",
    ])
      expect([client_id, (await show({ client_id })).status]).toEqual([client_id, 400]);
    expect(network.asked.slice(before)).toEqual([]);
  });

  test("its name is one line of what it says, or its host", async () => {
    for (const [path, [, name]] of Object.entries(NAMES)) {
      const html = await (await show({ client_id: `https://assistant.example/${path}` })).text();
      expect([path, fieldValue(html, "name")]).toEqual([path, name]);
    }
  });

  test("where pages are not fetched, the page says what to do instead", async () => {
    const off = await service.startApp({ FETCH_PAGES: "off" }, undefined, network);
    const eve = await makeAccount(off.database, "eve");
    const hers = withHeaders(off.request, { cookie: await makeSession(off.database, eve) });
    const asked = network.asked.length;
    const page = await show({}, hers);
    expect([page.status, (await page.text()).includes("Create a token on the Tokens page")]).toEqual([
      400,
      true,
    ]);
    expect(network.asked).toHaveLength(asked);
    expect(await (await off.request(METADATA)).json()).toMatchObject({
      client_id_metadata_document_supported: false,
    });
  });

  test("only a person on the page itself connects it, and its code works once", async () => {
    const page = await show();
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https://assistant.example;");
    const foreign = { "sec-fetch-site": "cross-site", origin: "https://assistant.example" };
    expect((await decide(newVerifier(), {}, {}, browser, foreign)).status).toBe(403);
    const program = withToken(app.request, await makeToken(app.database, ada));
    expect((await show({}, program)).status).toBe(303);
    expect((await decide(newVerifier(), {}, {}, program)).status).toBe(401);
    for (const more of [{ code_challenge_method: "plain" }, { code_challenge: undefined }] as Fields[])
      expect(answerOf(await show(more)).get("error")).toBe("invalid_request");
    expect(Object.fromEntries(answerOf(await decide(newVerifier(), {}, { decision: "deny" })))).toEqual({
      error: "access_denied",
      state: "s",
      iss: "http://localhost/",
    });
    const verifier = newVerifier();
    const code = answerOf(await decide(verifier)).get("code") ?? "";
    const [random = ""] = code.split(".");
    const renamed = `${random}.${Buffer.from("Ada").toString("base64url")}`;
    for (const [one, key] of [
      [renamed, verifier],
      [random, verifier],
      [code, newVerifier()],
    ] as const)
      expect((await redeem(one, key)).status).toBe(400);
    const { access_token: token = "" } = (await (await redeem(code, verifier)).json()) as Record<
      string,
      string
    >;
    expect((await withToken(app.request, token)("/bookmarks/")).status).toBe(403);
    expect((await redeem(code, verifier)).status).toBe(400);
    expect((await withToken(app.request, token)("/bookmarks/")).status).toBe(401);
  });
});
