import { afterAll, expect, test } from "bun:test";
import { useRealTimeLimits } from "../../../test/support/given/real-time-limits.ts";
import { casesOf } from "../../../test/support/run/full-run.ts";
import { plainPost } from "./rendered-post.ts";
import { Renderer } from "./renderer.ts";

useRealTimeLimits();

const renderer = new Renderer(fail, { timeout: 1_000 });
afterAll(() => renderer.close());

function fail(error: Error): never {
  throw error;
}

const NO_SIZES = new Map();
const row = `|${"a|".repeat(500)}\n`;
const slow = `${row}|${"-|".repeat(500)}\n${row.repeat(2_000)}`;

test("A post that takes too long is shown as source, and the next ones are rendered", async () => {
  const [late, next] = await Promise.all([
    renderer.render(slow, NO_SIZES),
    renderer.render("*next*", NO_SIZES),
  ]);
  expect(late.gaveUp).toBe(true);
  expect(late.html).toStartWith('<pre tabindex="0">|a|a|');
  expect(next).toMatchObject({ html: "<p><em>next</em></p>\n", gaveUp: false });
}, 20_000);

test("A post that is shown as its Markdown source is escaped", () => {
  const { html, excerpt } = plainPost("<script>alert(1)</script>");
  expect(html).toBe('<pre tabindex="0">&lt;script&gt;alert(1)&lt;/script&gt;</pre>');
  expect(excerpt).toBe("<script>alert(1)</script>");
});

test("Extremely deep nesting does not crash the renderer's thread", async () => {
  const texts = ["> ".repeat(200_000), "[".repeat(300_000), "<div>".repeat(50_000), "*_".repeat(100_000)];
  for (const text of casesOf(texts, 0))
    expect((await renderer.render(text, NO_SIZES)).html.length).toBeGreaterThan(0);
}, 20_000);

test("A closed renderer shows waiting posts as source, and starts again when needed", async () => {
  const other = new Renderer(fail);
  const waiting = other.render("*a*", NO_SIZES);
  other.close();
  expect((await waiting).gaveUp).toBe(true);
  expect((await other.render("*a*", NO_SIZES)).html).toBe("<p><em>a</em></p>\n");
  other.close();
});
