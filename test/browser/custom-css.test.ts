/** What a browser loads for the style sheets that are taken: nothing from elsewhere. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { insertPost } from "../../src/posts/post-store.ts";
import { findStyleSheetErrors } from "../../src/web/custom-css/check-style-sheet.ts";
import { saveCustomCss } from "../../src/web/custom-css/custom-css.ts";
import { launchBrowser } from "../support/pages/browser.ts";
import { type RunningServer, startServer, temporaryFolder } from "../support/server/server.ts";

const folder = temporaryFolder();
const DATABASE_URL = `sqlite:${folder.file("blog.db")}`;
let server: RunningServer;
let browser: Browser;
let database: Database;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer({ DATABASE_URL }), launchBrowser()]);
  database = await openDatabase(DATABASE_URL);
  const content = "A [link](https://evil.example/attribute).";
  await database.write((sql) =>
    insertPost(sql, { title: "First", content, published: true }, undefined, new Date()),
  );
});

afterAll(async () => {
  await database.close();
  await browser.close();
  await server.kill();
  folder[Symbol.dispose]();
});

/** The addresses of other sites that a reader's browser asks for, with this style sheet. */
async function askedElsewhere(css: string): Promise<string[]> {
  await database.write((sql) => saveCustomCss(sql, css, new Date()));
  const page = await browser.newPage();
  const asked: string[] = [];
  try {
    await page.route("**/*", (route) => {
      const url = route.request().url();
      if (url.startsWith(server.url)) return route.continue();
      asked.push(url);
      return route.abort();
    });
    await page.goto(`${server.url}/posts/first`, { waitUntil: "load" });
    expect(await page.locator('link[href$="/theme.css"]').count()).toBe(1);
    return asked;
  } finally {
    await page.close();
  }
}

const there = "https://evil.example/x";
const at = (image: string) => `body { background: ${image} }`;
const byProperty = (value: string) => `:root { --x: ${value} } ${at("image-set(var(--x) 1x)")}`;

/** Ways to an address elsewhere; not every browser knows each. */
const TRIES = [
  at(`url(${there})`),
  at(`url("${there}")`),
  at(`u\\72l(${there})`),
  at(`src("${there}")`),
  at(`image("${there}")`),
  at(`image-set("${there}" 1x)`),
  at(`-webkit-image-set(url(${there}) 1x)`),
  at(`cross-fade(url(${there}), url(${there}), 50%)`),
  at(`-webkit-cross-fade(url(${there}), url(${there}), 50%)`),
  at(`element("${there}")`),
  at(`image-set(attr(href type(<string>)) 1x)`),
  at(`image-set(attr(href) 1x)`),
  `a { background: image-set(attr(href) 1x) }`,
  `a::after { content: image-set(attr(href type(<string>)) 1x) }`,
  `a::after { content: url(${there}) }`,
  `a { --x: attr(href type(<string>)); background: image-set(var(--x) 1x) }`,
  `@import "${there}";`,
  `@\\69mport url(${there});`,
  `@namespace "${there}";`,
  `@font-face { font-family: F; src: url(${there}) } body { font-family: F }`,
  `@property --x { syntax: "*"; inherits: true; initial-value: "${there}" } ${at("image-set(var(--x) 1x)")}`,
  `@property --x { syntax: "<url>"; inherits: true; initial-value: url(${there}) } ${at("var(--x)")}`,
  `@property --x { syntax: "<image>"; inherits: true; initial-value: url(${there}) } ${at("var(--x)")}`,
  `@function --f() { result: "${there}" } ${at("image-set(--f() 1x)")}`,
  `@counter-style x { system: cyclic; symbols: url(${there}) } li { list-style: x }`,
  at(`if(else: url("${there}"))`),
  at(`image-set(if(else: "${there}") 1x)`),
  `body { cursor: url(${there}), auto; mask: url(${there}); filter: url(${there}#f) }`,
  `body { list-style-image: url(${there}); border-image: url(${there}) 1; shape-outside: url(${there}) }`,
  `body { background: image-set(var(--none, "${there}") 1x) }`,
  byProperty(`"${there}"`),
  byProperty(`'//evil.example/x'`),
  byProperty(`"/\\\\evil.example/x"`),
  byProperty(`"\\68 ttps://evil.example/x"`),
  byProperty(`"\\9 https:\\a //evil.example/x"`),
  byProperty(`"ht\\9 tps://evil.example/x"`),
  byProperty(`"https:evil.example/x"`),
  byProperty(`url(${there})`),
  byProperty(`"x" type("image/png"), "${there}"`),
  `:root { --y: "${there}"; --x: var(--y) } ${at("image-set(var(--x) 1x)")}`,
  `:root { --content: "${there}" } ${at("image-set(var(--content) 1x)")}`,
  `:root { content: "${there}"; --x: content } ${at("image-set(var(--x) 1x)")}`,
  `:root { --x:{content:"${there}"} } ${at("image-set(var(--x) 1x)")}`,
  `:root { --x: [ "${there}" ] } ${at("image-set(var(--x) 1x)")}`,
  `a[href="${there}"] { --x: href } ${at("image-set(var(--x) 1x)")}`,
  `a::after { content: "${there}" attr(href) counters(x, "${there}") }`,
  `:root { --x: ); content: "${there}" } ${at("image-set(var(--x) 1x)")}`,
  `:root { --x: (}; content: "${there}") } ${at("image-set(var(--x) 1x)")}`,
  `body { background-image: inherit; --x: "a.png" } main { background: image-set(var(--x) 1x) }`,
];

test("no style sheet that is taken loads anything from another site", async () => {
  const taken = TRIES.filter((css) => findStyleSheetErrors(css).length === 0);
  expect(taken.length).toBeGreaterThan(3);
  for (const css of taken) expect([css, await askedElsewhere(css)]).toEqual([css, []]);
});

test("some of those that are refused would load it", async () => {
  for (const css of [at(`url(${there})`), byProperty(`"${there}"`)]) {
    expect(findStyleSheetErrors(css)).not.toEqual([]);
    expect([css, await askedElsewhere(css)]).toEqual([css, [there]]);
  }
});
