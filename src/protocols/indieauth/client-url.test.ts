import { expect, test } from "bun:test";
import { FetchError } from "../../outbound/fetch-public.ts";
import {
  isAllowedRedirect,
  parseClientId,
  parseRedirectUri,
  redirectUrisInHtml,
  redirectUrisInMetadata,
} from "./client-url.ts";

const CLIENT = new URL("https://app.example/id");

const allowed = (redirect: string, published: readonly string[] | Error, client = CLIENT) =>
  isAllowedRedirect(client, new URL(redirect), redirect, async () => {
    if (published instanceof Error) throw published;
    return published;
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
