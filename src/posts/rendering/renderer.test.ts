import { afterAll, expect, jest, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { casesOf } from "../../../test/support/run/full-run.ts";
import { plainPost } from "./rendered-post.ts";
import { Renderer } from "./renderer.ts";

const TIMEOUT = 100_000;
const renderer = new Renderer(fail, { timeout: TIMEOUT });
afterAll(() => renderer.close());

function fail(error: Error): never {
  throw error;
}

const NO_SIZES = new Map();
const row = `|${"a|".repeat(500)}\n`;
const slow = `${row}|${"-|".repeat(500)}\n${row.repeat(2_000)}`;

test("A post that takes too long is shown as source, and the next ones are rendered", async () => {
  jest.useFakeTimers();
  const late = renderer.render(slow, NO_SIZES);
  const next = renderer.render("*next*", NO_SIZES);
  // The thread has started, and the time for the post begins.
  while (jest.getTimerCount() === 0) await setImmediate();
  jest.advanceTimersByTime(TIMEOUT);
  jest.useRealTimers();
  expect((await late).gaveUp).toBe(true);
  expect((await late).html).toStartWith('<pre tabindex="0">|a|a|');
  expect(await next).toMatchObject({ html: "<p><em>next</em></p>\n", gaveUp: false });
});

test("A post that is shown as its Markdown source is escaped", () => {
  const { html, excerpt } = plainPost("<script>alert(1)</script>");
  expect(html).toBe('<pre tabindex="0">&lt;script&gt;alert(1)&lt;/script&gt;</pre>');
  expect(excerpt).toBe("<script>alert(1)</script>");
});

test("Extremely deep nesting does not crash the renderer's thread", async () => {
  const texts = ["> ".repeat(200_000), "[".repeat(300_000), "<div>".repeat(50_000), "*_".repeat(100_000)];
  for (const text of casesOf(texts, 0))
    expect((await renderer.render(text, NO_SIZES)).html.length).toBeGreaterThan(0);
});

test("A closed renderer shows waiting posts as source, and starts again when needed", async () => {
  const other = new Renderer(fail);
  const waiting = other.render("*a*", NO_SIZES);
  other.close();
  expect((await waiting).gaveUp).toBe(true);
  expect((await other.render("*a*", NO_SIZES)).html).toBe("<p><em>a</em></p>\n");
  other.close();
});

test("Another renderer goes on with the idle thread of the first", async () => {
  let threads = 0;
  const { Worker: Real } = globalThis;
  globalThis.Worker = class extends Real {
    constructor(url: string) {
      super(url);
      threads++;
    }
  } as typeof Worker;
  try {
    await renderer.render("*a*", NO_SIZES);
    threads = 0;
    for (const text of ["*b*", "*c*"])
      expect(await new Renderer(fail).render(text, NO_SIZES)).toMatchObject({ gaveUp: false });
    expect(threads).toBe(0);
  } finally {
    globalThis.Worker = Real;
  }
});
