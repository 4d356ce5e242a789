import { describe, expect, test } from "bun:test";
import type { Network } from "../../outbound/fetch-public.ts";
import { isPublicAddress } from "../../outbound/public-address.ts";
import { pageDetailsFetcher } from "./fetch-page-details.ts";
import { refreshTarget } from "./refresh.ts";

type Answer = (request: { readonly headers: Record<string, string> }) => Response;

/** An internet of these pages; `inside.example` is a machine of the own network. */
function internet(pages: Readonly<Record<string, Answer | Response>>) {
  const asked: string[] = [];
  const network: Network = {
    resolve: async (name) => [name === "inside.example" ? "10.0.0.7" : "93.184.215.14"],
    isPublic: isPublicAddress,
    own: async () => [],
    async fetch(given, { headers }) {
      const { pathname, search } = new URL(given);
      const request = { headers: headers as Record<string, string> };
      const url = `${request.headers.host}${pathname}${search}`;
      asked.push(url);
      const answer = pages[url];
      if (answer === undefined) return html("<title>Not found</title>", {}, 404);
      return typeof answer === "function" ? answer(request) : (answer.clone() as Response);
    },
  };
  return { network, asked };
}

const html = (text: string, headers: Record<string, string> = {}, status = 200) =>
  new Response(text, { status, headers: { "content-type": "text/html; charset=utf-8", ...headers } });
const file = (headers: Record<string, string>) => new Response("bytes", { headers });
const to = (location: string, headers: Record<string, string> = {}) =>
  new Response(null, { status: 302, headers: { location, ...headers } });

/** The title that is read of a page; undefined when it cannot be read. */
async function titleAt(url: string, pages: Readonly<Record<string, Answer | Response>>) {
  const { network, asked } = internet(pages);
  const found = await pageDetailsFetcher(network)(url);
  return { title: found?.title, asked };
}

describe("Fetching a page's title", () => {
  test.each<[what: string, response: Response, title: string | undefined]>([
    ["status 203", html("<title>T</title>", {}, 203), "T"],
    ["status 206", html("<title>T</title>", {}, 206), "T"],
    ["status 202", html("<title>T</title>", {}, 202), undefined],
    ["status 403", html("<title>T</title>", {}, 403), undefined],
    ["status 500", html("<title>T</title>", {}, 500), undefined],
    ["a type twice", html("<title>T</title>", { "content-type": "text/html, text/html;charset=utf-8" }), "T"],
    ["two types", html("<title>T</title>", { "content-type": "text/plain, text/html" }), "T"],
    ["a type in capitals", html("<title>T</title>", { "content-type": "Text/HTML" }), "T"],
    ["XHTML", html("<title>T</title>", { "content-type": "application/xhtml+xml" }), "T"],
    ["no type", html(" \n<!DOCTYPE html><title>T</title>", { "content-type": "" }), "T"],
    ["an invalid type", html("<title>T</title>", { "content-type": "html" }), "T"],
    ["an unknown type", html("<!-- x --><title>T</title>", { "content-type": "unknown/unknown" }), "T"],
    ["text without a type", html("Not <title>T</title>", { "content-type": "" }), undefined],
    ["an empty page", html(""), ""],
    ["a wall of a bot", html("<title>Just a moment...</title>"), undefined],
    ["a wall with a mark", html("<title>T</title>", { "cf-mitigated": "challenge" }), undefined],
    ["a title that begins so", html("<title>Just a moment in time</title>"), "Just a moment in time"],
  ])("with %s", async (_, response, title) => {
    expect((await titleAt("https://site.example/", { "site.example/": response })).title).toBe(title);
  });

  test.each<[path: string, headers: Record<string, string>, title: string | undefined]>([
    ["a/Deep%20river.pdf", { "content-type": "application/pdf" }, "Deep river.pdf"],
    ["pdf/2101.00001", { "content-type": "application/pdf" }, "2101.00001"],
    ["a.jpg?size=1", { "content-type": "image/jpeg" }, "a.jpg"],
    ["robots.txt", { "content-type": "text/plain" }, "robots.txt"],
    ["%E9.zip", { "content-type": "application/zip" }, "%E9.zip"],
    ["api/users/1", { "content-type": "application/json" }, undefined],
    ["", { "content-type": "application/pdf" }, undefined],
    [
      "get",
      { "content-type": "application/pdf", "content-disposition": `inline; filename="a \\"b\\".pdf"` },
      `a "b".pdf`,
    ],
    [
      "get",
      {
        "content-type": "application/x-thing",
        "content-disposition": `attachment; filename=no.pdf; filename*=UTF-8''Gr%C3%BC%C3%9Fe.pdf`,
      },
      "Grüße.pdf",
    ],
    [
      "get",
      { "content-type": "application/zip", "content-disposition": "attachment; filename=/tmp/a.zip" },
      "a.zip",
    ],
  ])("names the file at %s with %j", async (path, headers, title) => {
    const found = await titleAt(`https://site.example/${path}`, { [`site.example/${path}`]: file(headers) });
    expect(found.title).toBe(title);
  });

  test("recognizes a PDF that has no type", async () => {
    const response = new Response("%PDF-1.7 …");
    expect((await titleAt("https://site.example/a", { "site.example/a": response })).title).toBe("a");
  });

  test.each([
    [`<meta http-equiv="refresh" content="0; url=/there">`, {}],
    [`<base href="https://site.example/there"><meta http-equiv="Refresh" content="5;URL='?'">`, {}],
    ["<title>Wait</title>", { refresh: "0;url=https://site.example/there" }],
  ])("follows %s %j", async (page, headers) => {
    const found = await titleAt("https://site.example/", {
      "site.example/": html(page, headers as Record<string, string>),
      "site.example/there": html("<title>There</title>"),
      "site.example/there?": html("<title>There</title>"),
    });
    expect(found.title).toBe("There");
  });

  test.each([
    [`<title>Here</title><noscript><meta http-equiv="refresh" content="0;url=/there"></noscript>`],
    [`<title>Here</title><meta http-equiv="refresh" content="300;url=/there">`],
    [`<title>Here</title><meta http-equiv="refresh" content="0;url=/#part">`],
    [`<title>Here</title><meta http-equiv="refresh" content="0;url=/gone">`],
    [`<title>Here</title><meta http-equiv="refresh" content="0;url=javascript:alert(1)">`],
    [`<title>Here</title><meta http-equiv="refresh" content="0;url=http://inside.example/">`],
    [`<title>Here</title><meta http-equiv="refresh" content="0;url=http://127.0.0.1/">`],
    [`<title>Here</title><meta http-equiv="refresh" content="0;url=/inside">`],
    [`<title>Here</title><meta http-equiv="refresh" content="0;url=/wall">`],
  ])("stays at %s", async (page) => {
    const { title, asked } = await titleAt("https://site.example/", {
      "site.example/": html(page),
      "site.example/there": html("<title>There</title>"),
      "site.example/inside": to("http://inside.example/"),
      "site.example/wall": html("<title>Access denied</title>"),
      "inside.example/": html("<title>Inside</title>"),
      "127.0.0.1/": html("<title>Inside</title>"),
    });
    expect(title).toBe("Here");
    expect(asked.filter((url) => !url.startsWith("site.example/"))).toEqual([]);
  });

  test("follows a refresh once, and counts it as a redirect", async () => {
    const refresh = (url: string) =>
      html(`<title>${url}</title><meta http-equiv=refresh content="0;${url}">`);
    const twice = { "site.example/": refresh("/2"), "site.example/2": refresh("/3") };
    expect(await titleAt("https://site.example/", twice)).toEqual({
      title: "/3",
      asked: ["site.example/", "site.example/2"],
    });
    const steps = { "site.example/a": to("/b"), "site.example/b": to("/c"), "site.example/c": to("/d") };
    const all = { ...steps, "site.example/d": to("/e"), "site.example/e": to("/f") };
    const last = await titleAt("https://site.example/a", { ...all, "site.example/f": refresh("/g") });
    expect(last.title).toBe("/g");
    expect(last.asked).toHaveLength(6);
  });

  test("keeps what has come when the connection breaks", async () => {
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`<title>T</title>${" ".repeat(2_000)}`));
      },
      pull(controller) {
        controller.error(new Error("broken"));
      },
    });
    const found = await titleAt("https://site.example/", {
      "site.example/": () => new Response(broken, { headers: { "content-type": "text/html" } }),
    });
    expect(found.title).toBe("T");
  });

  test("asks for pages in the language of the site, then in English", async () => {
    const languages: (string | undefined)[] = [];
    const { network } = internet({
      "site.example/": ({ headers }) => {
        languages.push(headers["accept-language"]);
        return html("<title>T</title>");
      },
    });
    for (const language of ["en", "en-GB", "de", "de-AT"])
      await pageDetailsFetcher(network, undefined, () => language)("https://site.example/");
    expect(languages).toEqual(["en", "en-GB,en;q=0.9", "de,en;q=0.9", "de-AT,de;q=0.9,en;q=0.8"]);
  });

  test("finds icons from the base of the page", async () => {
    const { network } = internet({
      "site.example/a/": html(`<base href="/b/"><title>T</title><link rel=icon href="c.png">`),
    });
    const hrefs: string[] = [];
    const keep = async ({ icons }: { readonly icons: readonly { readonly href: string }[] }) => {
      hrefs.push(...icons.map(({ href }) => href));
    };
    await pageDetailsFetcher(network, keep)("https://site.example/a/");
    expect(hrefs).toEqual(["https://site.example/b/c.png"]);
  });
});

describe("A refresh", () => {
  const page = new URL("https://site.example/a/b");
  test.each([
    ["0;url=c", "https://site.example/a/c"],
    ["0; URL = 'c d'x", "https://site.example/a/c%20d"],
    [`0,url="c`, "https://site.example/a/c"],
    ["0 c", "https://site.example/a/c"],
    ["0;;;c", "https://site.example/a/c"],
    [" 3.5; url=c", "https://site.example/a/c"],
    [".5; url=c", "https://site.example/a/c"],
    ["0; url=url=c", "https://site.example/a/url=c"],
    ["10;url=c", "https://site.example/a/c"],
    ["11;url=c", undefined],
    ["5", undefined],
    ["0;", undefined],
    ["0; url=", undefined],
    ["url=c", undefined],
    ["x;url=c", undefined],
    ["0url=c", undefined],
    ["0;url=b#c", undefined],
    ["0;url=mailto:a@b.example", undefined],
    ["0;url=http://[", undefined],
  ])("%j leads to %p", (content, target) => {
    expect(refreshTarget(content, page, page)?.href).toBe(target as string);
  });
});
