import { expect, test } from "bun:test";
import { Growth } from "../reading/growth.ts";
import { filledBlocks } from "./blocks.ts";
import { replaceShortcodes } from "./shortcodes.ts";

const PATTERNS: Readonly<Record<string, string>> = {
  "9": "<!-- wp:paragraph --><p>Buy</p><!-- /wp:paragraph -->",
  "10": '<p>In</p><!-- wp:block {"ref":10} /-->',
};
const FOOTNOTES = JSON.stringify([{ id: "a-b", content: "See <em>there</em>." }]);

const fill = (content: string, growth = new Growth()) =>
  filledBlocks(content, { pattern: (id) => PATTERNS[id], footnotes: FOOTNOTES, growth });

test.each([
  ["a synced pattern", 'A<!-- wp:block {"ref":9} /-->B', `A${PATTERNS["9"]}B`, []],
  ["one that contains itself", '<!-- wp:block {"ref":10} /-->', "<p>In</p>".repeat(5), ["block"]],
  ["one that is missing", '<!-- wp:block {"ref":1} /-->', "", ["block"]],
  [
    "footnotes",
    '<p>x<sup data-fn="a-b" class="fn"><a id="a-b-link" href="#a-b">1</a></sup></p><!-- wp:footnotes /-->',
    '<p>x<sup><a href="#fn-1" id="fnref-1">1</a></sup></p><ol>\n<li id="fn-1">See <em>there</em>. <a href="#fnref-1">↩</a></li>\n</ol>',
    [],
  ],
  [
    "a social link",
    '<ul><!-- wp:social-link {"url":"https://a.example/?b&c","service":"mastodon"} /--></ul>',
    '<ul><li><a href="https://a.example/?b&amp;c">mastodon</a></li></ul>',
    [],
  ],
  ["one that leads nowhere", '<!-- wp:social-link {"url":"#","service":"x"} /-->', "", ["social-link"]],
  ["what WordPress fills", "<!-- wp:calendar /--><!-- wp:calendar /-->", "", ["calendar"]],
  ["damaged JSON", "<!-- wp:block {x} /-->", "", ["block"]],
  [
    "a gallery in a list",
    '<figure><ul class="x blocks-gallery-grid"><li class="y"><figure>1</figure></li></ul></figure><ul><li>a</li></ul>',
    "<figure><div><figure>1</figure></div></figure><ul><li>a</li></ul>",
    [],
  ],
])("%s", (_, content, filled, leftOut) => {
  expect(fill(content)).toEqual({ content: filled, leftOut, hidden: [], marks: [] });
});

const IMAGE = { id: "1", url: "https://a.example/1.jpg", alt: "", caption: "x".repeat(300) };
const gallery = (content: string, growth = new Growth()) => {
  const find = (id: string) => (id === "1" ? IMAGE : undefined);
  const { html, unknown } = replaceShortcodes(content, growth, find, () => [IMAGE]);
  return { content: html, leftOut: unknown };
};

test("a gallery shows a picture once", () => {
  expect(gallery(`[gallery ids="${"1,".repeat(10_000)}"]`).content.match(/<img/g)).toHaveLength(1);
});

test.each([
  ["a gallery", "gallery", '[gallery ids="1"]', gallery],
  ["a gallery of a post", "gallery", "[gallery]", gallery],
  ["a pattern", "block", '<!-- wp:block {"ref":9} /-->', fill],
  ["a list of footnotes", "footnotes", "<!-- wp:footnotes /-->", fill],
])("%s that is repeated is left out when the file has become too long", (_, name, code, read) => {
  const growth = new Growth(1_000);
  const { leftOut } = read(code, growth);
  expect(leftOut).toEqual([]);
  const { content, leftOut: later } = read(code.repeat(100), growth);
  expect(later).toEqual([name]);
  expect(content.length).toBeLessThan(code.length * 100 + 1_000);
});
