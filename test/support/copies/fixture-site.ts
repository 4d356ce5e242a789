import { brotliCompressSync, deflateSync } from "node:zlib";
import type { FailureReason } from "../../../src/copies/fetching/copy-failure.ts";
import { encoded } from "../files/encoded.ts";

/** What is written down of a copy. */
export interface KeptPage {
  readonly title: string;
  readonly words: number;
  /** Whether it is an article; it is when nothing is said. */
  readonly isArticle?: boolean;
  /** Its path after all redirects; that of the page when nothing is said. */
  readonly path?: string;
  readonly language?: string;
  readonly direction?: "ltr" | "rtl";
  readonly byline?: string;
  readonly site?: string;
  /** Its markup. */
  readonly text?: string;
  /** What its markup has. */
  readonly has?: readonly string[];
  /** What it has not. */
  readonly without?: readonly string[];
  /** The type of the original, if it is not that of the header. */
  readonly type?: string;
}

/** A page of the site, and what becomes of it: a copy, a failure with its reason, or another attempt. */
export interface SitePage {
  readonly answer?: (request: Request) => Response;
  /** What is sent as it is, in place of an answer. */
  readonly wire?: string | Uint8Array;
  readonly gives: KeptPage | FailureReason | "later";
}

const MEGABYTE = 1024 * 1024;

// 14 words.
const SENTENCE = "The river, which nobody had measured, rose slowly, and the town watched it come. ";
const CHINESE = "这条河从来没有人测量过，它慢慢地上涨，整个城市都在看着它到来。";
const JAPANESE = "誰も測ったことのない川が、ゆっくりと水かさを増し、町はそれを見ていました。";
const ARABIC = "النهر الذي لم يقسه أحد، ارتفع ببطء، والمدينة كانت تراقبه وهو يأتي من بعيد. ";
const FRENCH =
  "La rivière, que personne n'avait mesurée, montait lentement, et la ville l'a regardée arriver près des châteaux. ";
const PARAGRAPH = SENTENCE.repeat(4).trim();
const PARAGRAPHS = `<p>${PARAGRAPH}</p>`.repeat(3);
/** The words of an article, with its title and the three paragraphs. */
const WORDS = 14 * 4 * 3;

const page = (title: string, body: string, head = "", attributes = ' lang="en"') =>
  `<!doctype html><html${attributes}><head>${head}<title>${title}</title></head><body>${body}</body></html>`;
const article = (title: string, more = "", head = "", attributes = ' lang="en"') =>
  page(title, `<article><h1>${title}</h1>${PARAGRAPHS}${more}</article>`, head, attributes);
/** An article in another language, of four paragraphs with four sentences each. */
const foreign = (title: string, sentence: string, head = "", attributes = "") =>
  page(title, `<article>${`<p>${sentence.repeat(4)}</p>`.repeat(4)}</article>`, head, attributes);

const HTML = "text/html; charset=utf-8";
type Body = string | Uint8Array;
const sent = (body: Body, type = HTML, headers: Readonly<Record<string, string>> = {}, status = 200) =>
  new Response(typeof body === "string" ? body : Buffer.from(body), {
    status,
    headers: { "content-type": type, ...headers },
  });
const html = (body: () => Body, type?: string) => () => sent(body(), type);
const status = (code: number, headers: Readonly<Record<string, string>> = {}) =>
  code === 204 || code === 205 || code === 304
    ? () => new Response(null, { status: code, headers })
    : () => sent("<title>No</title><p>Not today.", HTML, headers, code);
const moved = (location: string, code = 302) => status(code, { location });
const refreshed = (address: string) =>
  html(() =>
    page("Moved", "This page has moved.", `<meta http-equiv="refresh" content="0; url=${address}">`),
  );

/** A body that never ends, made while it is read. */
function endless(piece: string): () => Response {
  const bytes = Buffer.from(piece);
  return () => {
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(bytes) });
    return new Response(body, { headers: { "content-type": "text/html" } });
  };
}

const head = (...lines: readonly string[]) =>
  ["HTTP/1.1 200 OK", "Content-Type: text/html", ...lines, "", ""].join("\r\n");

/** An article with hostile markup in it. @param left what of the markup is in the text, after the paragraphs */
function hostile(markup: string, left = "", words = 0): SitePage {
  return {
    answer: html(() => article("Hostile", markup)),
    gives: { title: "Hostile", words: WORDS + words, language: "en", text: `${PARAGRAPHS}${left}` },
  };
}

const french: KeptPage = { title: "Été", words: 272, has: ["près des châteaux"] };
const japanese: KeptPage = { title: "川", words: 250, has: [JAPANESE] };
const chinese: KeptPage = { title: "河流", words: 206, has: [CHINESE] };
const whole: KeptPage = { title: "Whole", words: WORDS, language: "en", has: [PARAGRAPHS] };
/** Of a page that cannot be read the original alone is kept, under the title of the bookmark. */
const originalOnly: KeptPage = { title: "A link", words: 0, isArticle: false };

/** The site: each page by its path. */
export const FIXTURE_SITE: Readonly<Record<string, SitePage>> = {
  // What people keep
  "/article": {
    answer: html(() =>
      page(
        "Rivers",
        `<nav><a href="/">Home</a></nav><main><article><h1>Rivers</h1>${PARAGRAPHS}<h2>After</h2><p>${PARAGRAPH}</p></article></main><aside>Ten other rivers</aside><footer>Imprint</footer>`,
        '<meta property="og:site_name" content="River News"><meta name="author" content="Ada Rivers">',
      ),
    ),
    gives: {
      ...{ title: "Rivers", words: WORDS + 57, language: "en", byline: "Ada Rivers", site: "River News" },
      ...{ has: ["<h2>After</h2>"], without: ["Home", "Ten other", "Imprint"] },
    },
  },
  "/recipe": {
    answer: html(() =>
      article("Soup", "<h2>Ingredients</h2><ul><li>½ tsp of salt</li></ul><ol><li>Boil it.</li></ol>"),
    ),
    gives: {
      title: "Soup",
      words: WORDS + 7,
      language: "en",
      has: ["<li>½ tsp of salt</li>", "<ol><li>Boil it.</li></ol>"],
    },
  },
  "/code": {
    answer: html(() =>
      article("Code", `<pre><code class="language-js">if (a &lt; b)\n  c();</code></pre><p>${PARAGRAPH}</p>`),
    ),
    gives: {
      title: "Code",
      words: WORDS + 60,
      language: "en",
      has: [`<pre><code class="language-js">if (a &lt; b)\n  c();</code></pre>`],
    },
  },
  "/table": {
    answer: html(() =>
      article(
        "Table",
        `<table><tr><th>River<th>km<tr><td>Nile<td>6650<tr><td>Ob<td>3650</table><p>${PARAGRAPH}</p>`,
      ),
    ),
    gives: {
      title: "Table",
      words: WORDS + 62,
      language: "en",
      has: ["<tr><td>Nile</td><td>6650</td></tr>"],
    },
  },
  "/chinese": {
    answer: html(() => foreign("河流", CHINESE, "", ' lang="zh-CN"')),
    gives: { ...chinese, language: "zh-CN" },
  },
  "/arabic": {
    answer: html(() => foreign("النهر", ARABIC, "", ' lang="ar"')),
    gives: { title: "النهر", words: 224, language: "ar", direction: "rtl", has: [ARABIC.trim()] },
  },
  "/said-rtl": {
    answer: html(() => article("Said", "", "", ' lang="he" dir="rtl"')),
    gives: { title: "Said", words: WORDS, language: "he", direction: "rtl" },
  },
  "/xhtml": {
    answer: html(
      () =>
        `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="de"><head><script src="a.js"/><title>X</title></head><body><div/><p>${"Wort ".repeat(21)}</p></body></html>`,
      "application/xhtml+xml",
    ),
    gives: { title: "X", words: 21, language: "de", isArticle: false, has: ["<p>Wort Wort"] },
  },
  "/noise": {
    answer: html(() =>
      page(
        "Noise",
        `<article>${PARAGRAPHS}</article>${`<div class="comment">${"noise ".repeat(1_700)}</div>`.repeat(1_000)}`,
      ).slice(0, 10 * MEGABYTE),
    ),
    gives: { title: "Noise", words: WORDS, language: "en", without: ["noise"] },
  },
  "/soft-paywall": {
    answer: html(() => page("Paid", `<article><p>${SENTENCE}</p><div>Subscribe to read on.</div></article>`)),
    gives: { title: "Paid", words: 18, language: "en", isArticle: false },
  },
  "/lost-pictures": {
    answer: html(() =>
      article(
        "Lost",
        '<p><img src="/none.png"></p><figure><a href="/large"><img src="/none.png"></a></figure><figure><img src="/none.png"><figcaption>Caption</figcaption></figure><p>End <b><img src="/none.png"></b></p>',
      ),
    ),
    gives: {
      ...{ title: "Lost", words: WORDS + 2, language: "en" },
      text: `${PARAGRAPHS}<figure><figcaption>Caption</figcaption></figure><p>End</p>`,
    },
  },
  "/no-words-but-a-picture": {
    answer: html(() => page("Picture", `<img src="/none.png">`)),
    gives: { title: "Picture", words: 0, language: "en", isArticle: false },
  },
  "/lost-characters": {
    answer: html(() => page("Lost", "<p>What was here: \ufffd \0 &#0; &#xd800; end")),
    gives: { title: "Lost", words: 4, language: "en", isArticle: false, has: ["here: \ufffd"] },
  },
  "/names": {
    answer: html(() =>
      article(
        "<b>&lt;script&gt;</b> \0 &amp;",
        "",
        `<meta name="author" content="A\0d&#10;a &lt;i&gt;"><meta property="og:site_name" content="${"S".repeat(300)}">`,
        ' lang="en_US"',
      ),
    ),
    gives: {
      title: "<b><script></b> &",
      words: WORDS,
      language: "en-US",
      byline: "A d a <i>",
      site: `${"S".repeat(199)}…`,
    },
  },
  // What scripts make
  "/app": {
    answer: html(
      () =>
        '<title>App</title><noscript>Enable JavaScript.</noscript><div id="root"></div><script src="a.js"></script>',
    ),
    gives: "no-text",
  },
  "/app-that-loads": {
    answer: html(
      () =>
        '<title>App</title><div id="root">Loading, please wait …</div><SCRIPT type=module src="a.js"></SCRIPT>',
    ),
    gives: "no-text",
  },
  "/few-words": {
    answer: html(() => "<title>Few</title>Yes."),
    gives: { title: "Few", words: 1, isArticle: false },
  },
  "/frames": {
    answer: html(() => "<frameset><frame src=a.html><noframes>None</noframes></frameset>"),
    gives: "no-text",
  },
  // Sign-in and refusals
  "/needs-session": { answer: status(401), gives: "sign-in" },
  "/paid": { answer: status(402), gives: "sign-in" },
  "/forbidden": { answer: status(403), gives: "robots" },
  "/no-method": { answer: status(405), gives: "robots" },
  "/teapot": { answer: status(418), gives: "robots" },
  "/own-status": {
    wire: "HTTP/1.1 999 Denied\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n",
    gives: "robots",
  },
  "/wall": { answer: html(() => "<title>Just a moment...</title>"), gives: "robots" },
  "/marked-wall": { answer: status(503, { "cf-mitigated": "challenge" }), gives: "robots" },
  ...Object.fromEntries(
    [
      ...[
        "/users/login?next=%2F",
        "/users/sign_in",
        "/wp-login.php?redirect_to=a",
        "/oauth2/authorize?b",
        "/authwall",
      ],
      ...["http://login.example/", "http://accounts.example/v3/x", "/session/new"],
    ].map((target, index) => [`/to-sign-in-${index}`, { answer: moved(target), gives: "sign-in" } as const]),
  ),
  "/refreshed-to-sign-in": { answer: refreshed("/login.html"), gives: "sign-in" },
  "/sign-in": {
    answer: html(() => page("Sign in", "Your name")),
    gives: { title: "Sign in", words: 2, language: "en", isArticle: false },
  },
  "/about-signing-in": {
    answer: moved("/how-to-login-twice"),
    gives: { ...whole, path: "/how-to-login-twice" },
  },
  "/how-to-login-twice": { answer: html(() => article("Whole")), gives: whole },
  // What is not there
  "/gone": { answer: status(410), gives: "gone" },
  "/never-there": { answer: status(404), gives: "gone" },
  "/taken-down": { answer: status(451), gives: "gone" },
  "/refreshed-to-nothing": { answer: refreshed("/never-there"), gives: "gone" },
  "/no-content": { answer: status(204), gives: "no-page" },
  "/reset": { answer: status(205), gives: "no-page" },
  "/part": { answer: status(206), gives: "no-page" },
  "/choices": { answer: status(300), gives: "no-page" },
  "/not-modified": { answer: status(304), gives: "no-page" },
  "/moved-nowhere": { answer: status(302), gives: "no-page" },
  "/empty": { answer: html(() => ""), gives: "no-text" },
  "/empty-without-type": { answer: () => new Response(""), gives: "no-page" },
  "/spaces": { answer: html(() => "<title>Spaces</title> &nbsp; <p>\u200b</p>"), gives: "no-text" },
  // Other files
  "/pdf": { answer: html(() => "%PDF-1.7", "application/pdf"), gives: originalOnly },
  "/pdf-called-html": {
    answer: html(() => "%PDF-1.7", "text/html"),
    gives: { ...originalOnly, type: "application/pdf" },
  },
  "/pdf-without-type": {
    answer: html(() => "%PDF-1.7", "unknown/unknown"),
    gives: { ...originalOnly, type: "application/pdf" },
  },
  "/empty-pdf": { answer: html(() => "", "application/pdf"), gives: "no-page" },
  "/html-called-pdf": {
    answer: html(() => article("Whole"), "application/pdf"),
    gives: { ...whole, type: "text/html" },
  },
  "/html-without-type": {
    answer: html(() => article("Whole"), "unknown/unknown"),
    gives: { ...whole, type: "text/html" },
  },
  "/two-types": {
    answer: html(() => article("Whole"), `${HTML}, text/html`),
    gives: { ...whole, type: HTML },
  },
  "/picture": { answer: html(() => "\x89PNG\r\n", "image/png"), gives: "no-page" },
  "/picture-called-html": {
    answer: html(() => "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "text/html"),
    gives: "no-page",
  },
  "/json": { answer: html(() => "{}", "application/json"), gives: "no-page" },
  "/feed": { answer: html(() => "<rss/>", "application/rss+xml"), gives: "no-page" },
  "/plain": { answer: html(() => "Words", "text/plain"), gives: "no-page" },
  "/bytes": { answer: html(() => Buffer.from([0, 1, 2, 0]), "unknown/unknown"), gives: "no-page" },
  // Too much
  "/large": { answer: html(() => "<p>".padEnd(10 * MEGABYTE + 1, "a")), gives: "too-large" },
  "/endless": { answer: endless("<p>more ".repeat(8_192)), gives: "too-large" },
  "/endless-head": { answer: endless("<!-- no page -->".repeat(4_096)), gives: "too-large" },
  "/gzip-bomb": {
    answer: () => sent(Bun.gzipSync(Buffer.alloc(64 * MEGABYTE, "a")), HTML, { "content-encoding": "gzip" }),
    gives: "too-large",
  },
  "/said-to-be-large": { wire: `${head("Content-Length: 99999999")}<p>Few`, gives: "too-large" },
  // Redirects
  "/five-redirects": { answer: moved("/redirect-4"), gives: { ...whole, path: "/whole" } },
  "/six-redirects": { answer: moved("/redirect-5"), gives: "redirects" },
  ...Object.fromEntries(
    [301, 302, 303, 307, 308].map((code, index) => [
      `/redirect-${index + 1}`,
      {
        answer: moved(index === 0 ? "/whole" : `/redirect-${index}`, code),
        gives: { ...whole, path: "/whole" },
      } as const,
    ]),
  ),
  "/whole": { answer: html(() => article("Whole")), gives: whole },
  "/refreshed": { answer: refreshed("/whole"), gives: { ...whole, path: "/whole" } },
  "/refreshed-by-header": {
    answer: () => sent("Moved", HTML, { refresh: "0;url=/whole" }),
    gives: { ...whole, path: "/whole" },
  },
  "/refreshed-to-busy": { answer: refreshed("/busy"), gives: "later" },
  "/refreshed-inside": { answer: refreshed("http://inner.example/"), gives: "not-public" },
  "/loop": { answer: moved("/loop"), gives: "redirects" },
  "/loop-until-cookie": {
    answer: ({ headers }) =>
      headers.get("cookie") === "seen=1"
        ? sent(article("Whole"))
        : status(302, { location: "/loop-until-cookie", "set-cookie": "seen=1" })(),
    gives: whole,
  },
  "/to-no-address": { answer: moved("http://["), gives: "redirects" },
  ...Object.fromEntries(
    [
      ...[
        "http://inner.example/",
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://2130706433/",
        "http://10.1.1.1/",
      ],
      ...["http://[::ffff:127.0.0.1]/", "http://0.0.0.0/", "http://169.254.169.254/", "ftp://site.example/"],
    ].map((target, index) => [
      `/to-inside-${index}`,
      { answer: moved(target), gives: "not-public" } as const,
    ]),
  ),
  "/to-script": { answer: moved("javascript:ran()"), gives: "not-public" },
  // Later
  "/busy": { answer: status(503), gives: "later" },
  "/limited": { answer: status(429, { "retry-after": "600" }), gives: "later" },
  "/too-slow": { answer: status(408), gives: "later" },
  // What comes over the wire
  "/cut": { wire: `${head("Content-Length: 100000")}${article("Cut")}`, gives: "later" },
  "/cut-chunk": { wire: `${head("Transfer-Encoding: chunked")}1000\r\n${article("Cut")}`, gives: "later" },
  "/cut-gzip": {
    wire: Buffer.concat([
      Buffer.from(head("Content-Encoding: gzip", "Connection: close")),
      Bun.gzipSync(Buffer.from(article("Cut"))).subarray(0, 100),
    ]),
    gives: "later",
  },
  "/no-gzip": { answer: () => sent(article("Cut"), HTML, { "content-encoding": "gzip" }), gives: "later" },
  "/said-to-be-short": {
    wire: `${head(`Content-Length: ${article("Whole").indexOf("</article>")}`)}${article("Whole")}<p>Not read`,
    gives: whole,
  },
  "/no-length": { wire: `${head("Connection: close")}${article("Whole")}`, gives: whole },
  "/length-of-words": { wire: `${head("Content-Length: long")}${article("Cut")}`, gives: "later" },
  "/two-lengths": {
    wire: `${head("Content-Length: 5", "Content-Length: 500")}${article("Cut")}`,
    gives: "later",
  },
  "/no-http": { wire: "\0\x01\x02", gives: "later" },
  "/silent": { wire: "", gives: "later" },
  "/deflate": {
    answer: () => sent(deflateSync(article("Whole")), HTML, { "content-encoding": "deflate" }),
    gives: whole,
  },
  "/brotli": {
    answer: () => sent(brotliCompressSync(article("Whole")), HTML, { "content-encoding": "br" }),
    gives: whole,
  },
  // Encodings
  "/header-over-meta": {
    answer: html(() => foreign("Été", FRENCH, "<meta charset=shift_jis>")),
    gives: french,
  },
  "/mark-over-header": {
    answer: html(() => `\ufeff${foreign("Été", FRENCH)}`, "text/html; charset=iso-8859-1"),
    gives: french,
  },
  "/latin-1": {
    answer: html(() => encoded(foreign("Été", FRENCH), "windows-1252"), "text/html; charset=ISO-8859-1"),
    gives: french,
  },
  "/latin-1-not-said": {
    answer: html(() => encoded(foreign("Été", FRENCH), "windows-1252"), "text/html"),
    gives: french,
  },
  "/latin-1-called-utf-8": {
    answer: html(() => encoded(foreign("Été", FRENCH), "windows-1252")),
    gives: french,
  },
  // As browsers show it: each byte is a character of Latin-1.
  "/utf-8-called-latin-1": {
    answer: html(() => foreign("Été", FRENCH), "text/html; charset=iso-8859-1"),
    gives: { title: "Ã‰tÃ©", words: 352 },
  },
  "/shift-jis": {
    answer: html(
      () => encoded(foreign("川", JAPANESE, "<meta charset=Shift_JIS>"), "shift_jis"),
      "text/html",
    ),
    gives: japanese,
  },
  "/shift-jis-not-said": {
    answer: html(() => encoded(foreign("川", JAPANESE), "shift_jis"), "text/html"),
    gives: japanese,
  },
  "/euc-jp": {
    answer: html(() => encoded(foreign("川", JAPANESE), "euc-jp"), "text/html; charset=euc-jp"),
    gives: japanese,
  },
  "/gb18030": {
    answer: html(() => encoded(foreign("河流", CHINESE, '<meta charset="gb2312">'), "gb18030"), "text/html"),
    gives: chinese,
  },
  "/gb18030-not-said": {
    answer: html(() => encoded(foreign("河流", CHINESE), "gb18030"), "text/html"),
    gives: chinese,
  },
  "/utf-16": {
    answer: html(() =>
      Buffer.concat([Buffer.from([0xfe, 0xff]), encoded(foreign("Été", FRENCH), "utf-16be")]),
    ),
    gives: french,
  },
  "/utf-16-without-mark": {
    answer: html(() => encoded(foreign("Été", FRENCH), "utf-16le"), "text/html; charset=utf-16le"),
    gives: french,
  },
  "/said-to-be-utf-16": {
    answer: html(() => foreign("Été", FRENCH, "<meta charset=utf-16>"), "text/html"),
    gives: french,
  },
  "/no-such-encoding": {
    answer: html(() => foreign("Été", FRENCH), "text/html; charset=none"),
    gives: french,
  },
  // Hostile markup
  "/hostile/script": hostile("<script>ran()</script><script/src=data:,ran()></script>"),
  "/hostile/handlers": hostile(
    `<p onclick="ran()">One</p><img src=x onerror=ran()><details open ontoggle=ran()><summary>Two</summary>Three</details>`,
    `<p>One</p><details open=""><summary>Two</summary><p>Three</p></details>`,
    3,
  ),
  "/hostile/addresses": hostile(
    `<p><a href="javascript:ran()">One</a> <a href="java&#9;script:ran()">Two</a> <a href="vbscript:ran()">Three</a> <a href="data:text/html,evil">Four</a></p>`,
    "<p>One Two Three Four</p>",
    4,
  ),
  "/hostile/svg": hostile(
    `<svg onload=ran()><script>ran()</script><a xlink:href="javascript:ran()"><text>evil</text></a></svg><svg></p><style><a id="</style><img src=1 onerror=ran()>">`,
  ),
  "/hostile/mathml": hostile(
    `<p><math href="javascript:ran()"><mi xlink:href="javascript:ran()">x</mi><mtext><mglyph><style><img src=x onerror=ran()></style></mglyph></mtext></math></p>`,
    "<p><math><mi>x</mi><mtext></mtext></math></p>",
    1,
  ),
  "/hostile/template": hostile(`<template><img src=x onerror=ran()><p>evil</p></template>`),
  "/hostile/noscript": hostile(
    `<noscript><p title="</noscript><img src=x onerror=ran()>">One</p></noscript>`,
  ),
  "/hostile/css": hostile(
    `<style>@import "http://evil.example/";</style><p style="background:url(http://evil.example/);position:fixed">One</p>`,
    "<p>One</p>",
    1,
  ),
  "/hostile/names": hostile(
    `<form name="body"><input name="attributes"><p id="location" name="evil">One</p></form>`,
  ),
  "/hostile/srcset": hostile(
    `<img srcset="javascript:ran() 2x"><img src="data:text/html,<script>ran()</script>">`,
  ),
  "/hostile/base": hostile(
    `<base href="javascript:/a/"><p><a href="b">One</a></p>`,
    '<p><a href="http://site.example/hostile/b">One</a></p>',
    1,
  ),
  "/hostile/refresh": hostile(`<meta http-equiv="refresh" content="99;url=http://evil.example/">`),
  "/hostile/documents": hostile(
    `<iframe srcdoc="<script>parent.ran()</script>"></iframe><object data="data:text/html,evil"></object><embed src="javascript:ran()">`,
  ),
};
