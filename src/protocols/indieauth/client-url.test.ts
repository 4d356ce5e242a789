import { expect, test } from "bun:test";
import { countingModules, expectLinear } from "../../../test/support/steps/count-steps.ts";
import { FetchError } from "../../outbound/fetch-public.ts";
import {
  clientFetcher,
  isAllowedRedirect,
  parseClientId,
  parseRedirectUri,
  redirectUrisInHtml,
  redirectUrisInMetadata,
  redirectUrisOf,
} from "./client-url.ts";

const CLIENT = new URL("https://app.example/id");

const allowed = (redirect: string, published: readonly string[] | Error, client = CLIENT) =>
  isAllowedRedirect(client, new URL(redirect), redirect, async () => {
    if (published instanceof Error) throw published;
    const text = JSON.stringify({ client_id: client.href, redirect_uris: published });
    return { status: 200, contentType: "application/json", bytes: Buffer.from(text), url: client };
  });

test("a program may redirect to its own origin without a fetch, elsewhere only to a URI that its page lists exactly", async () => {
  const never = new Error("fetched");
  expect(await allowed("https://app.example/anywhere", never)).toBe(true);
  const native = "app.example:/callback";
  expect(await allowed(native, [native])).toBe(true);
  expect(await allowed(`${native}/more`, [native])).toBe(false);
  expect(await allowed("https://other.example/cb", ["https://other.example/cb"])).toBe(true);
  expect(await allowed("https://other.example/cb?x", ["https://other.example/cb"])).toBe(false);
  expect(await allowed("https://other.example/cb", new FetchError("gone"))).toBe(false);
  // A program on this machine has no page that could be fetched.
  expect(await allowed("https://other.example/cb", never, new URL("http://localhost:8080/"))).toBe(false);
  expect(await isAllowedRedirect(CLIENT, new URL(native), native, undefined)).toBe(false);
});

test("a program on the person's own machine may use any port of what its page lists, and nothing else", async () => {
  const listed = [
    "http://localhost/callback",
    "http://127.0.0.1:33418/",
    "http://[::1]/cb?a",
    "https://localhost/",
  ];
  for (const [redirect, is] of [
    ["http://localhost:3118/callback", true],
    ["http://localhost/callback", true],
    ["http://127.0.0.1:1/", true],
    ["http://[::1]:65535/cb?a", true],
    ["http://127.0.0.1:3118/callback", false],
    ["http://localhost:3118/callback/", false],
    ["http://localhost:3118/callback?x", false],
    ["http://[::1]:3118/cb", false],
    ["https://localhost:3118/", false],
    ["http://localhost.evil.example:3118/callback", false],
    ["http://127.0.0.2:1/", false],
    ["http://a@127.0.0.1:1/", false],
    ["http://evil.example/callback", false],
  ] as const)
    expect([redirect, await allowed(redirect, listed)]).toEqual([redirect, is]);
  expect(await allowed("https://other.example:8443/cb", ["https://other.example/cb"])).toBe(false);
});

test("a program's metadata counts when it names the program itself", () => {
  const uris = ["app:/callback"];
  expect(
    redirectUrisInMetadata(JSON.stringify({ client_id: CLIENT.href, redirect_uris: [...uris, 7] }), CLIENT),
  ).toEqual(uris);
  for (const text of [
    JSON.stringify({ client_id: "https://other.example/", redirect_uris: uris }),
    JSON.stringify({ redirect_uris: uris }),
    JSON.stringify({ client_id: CLIENT.href, redirect_uris: "app:/callback" }),
    "[]",
    "null",
    "no JSON",
  ])
    expect([text, redirectUrisInMetadata(text, CLIENT)]).toEqual([text, []]);
});

test("a program's page names places by links, relative ones too", () => {
  const html = `<link rel="stylesheet" href="/a"><link rel="x REDIRECT_URI" href="/cb"><link rel=redirect_uri href="app:/cb">
    <a rel="redirect_uri" href="/no"><link rel="redirect_uri">`;
  expect(redirectUrisInHtml(html, CLIENT)).toEqual(["/cb", "https://app.example/cb", "app:/cb", "app:/cb"]);
});

test("elements that are never closed take a program's page linear time", async () => {
  const counting = await countingModules<typeof import("./client-url.ts")>(
    import.meta.resolve("./client-url.ts"),
  );
  for (const [open, close] of [
    ["<svg>", "</b>"],
    ["<b>", "</i>"],
    ["<li><ul>", "</p>"],
  ] as const)
    await expectLinear((length) => {
      counting.redirectUrisInHtml(open.repeat(length) + close.repeat(length), CLIENT);
    });
});

test("a page names places only as HTML or JSON, where it was asked for", () => {
  const html = '<link rel="redirect_uri" href="/cb">';
  const json = JSON.stringify({ client_id: CLIENT.href, redirect_uris: ["app:/cb"] });
  const page = (contentType: string, text: string, status = 200) =>
    redirectUrisOf({ status, contentType, bytes: Buffer.from(text), url: CLIENT }, CLIENT);
  for (const type of ["text/html", "TEXT/HTML; charset=utf-8", "application/xhtml+xml"])
    expect([type, page(type, html)]).toEqual([type, ["/cb", "https://app.example/cb"]]);
  for (const type of ["application/json", "application/activity+json; charset=utf-8"])
    expect([type, page(type, json)]).toEqual([type, ["app:/cb"]]);
  for (const type of ["text/plain", "", "text/html-sandboxed", "image/svg+xml", "application/jsonp"])
    expect([type, page(type, html), page(type, json)]).toEqual([type, [], []]);
  expect(page("text/html", html, 404)).toEqual([]);
});

test("the page of a program is asked for without following redirects", async () => {
  const asked: string[] = [];
  const fetch = clientFetcher({
    resolve: async () => ["93.184.215.14"],
    isPublic: () => true,
    own: async () => [],
    fetch: async (url) => {
      asked.push(url);
      return new Response(null, { status: 302, headers: { location: "https://app.example/elsewhere" } });
    },
  });
  await expect(fetch?.(CLIENT)).rejects.toThrow("redirects too often");
  expect(asked).toEqual(["https://93.184.215.14/id"]);
});

test("programs on this machine may be named by its addresses", () => {
  for (const url of ["http://127.0.0.1:3000/", "http://[::1]/x", "http://localhost/"])
    expect(parseClientId(url)?.href).toBe(url);
});

test("a redirect URI has a host that is one", () => {
  expect(parseRedirectUri("https://app.example/cb;x,y")?.pathname).toBe("/cb;x,y");
  expect(parseRedirectUri("app.example:/callback")?.protocol).toBe("app.example:");
  for (const uri of ["https://app.example;sandbox/cb", "https://app,example/cb", "https://app.example/\ncb"])
    expect([uri, parseRedirectUri(uri)]).toEqual([uri, undefined]);
});

test("a redirect URI and a client id mean the same to every parser", () => {
  for (const uri of [
    "https:app.example/cb",
    "https:/app.example/cb",
    "https:///app.example/cb",
    "HTTP:app.example/cb",
    "https://app.example/ü",
    "https://münchen.example/cb",
    "https://app.example/c b",
    "https:\\\\app.example/cb",
    "/cb",
  ])
    expect([uri, parseRedirectUri(uri), parseClientId(uri)]).toEqual([uri, undefined, undefined]);
  for (const uri of ["https://app.example/cb?a=%C3%BC", "http://[::1]:3000/cb", "app.example:/cb", "app:cb"])
    expect([uri, parseRedirectUri(uri)?.href]).toEqual([uri, uri]);
});
