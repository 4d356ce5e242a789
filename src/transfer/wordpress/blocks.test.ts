import { expect, test } from "bun:test";
import { filledBlocks } from "./blocks.ts";

const PATTERNS: Readonly<Record<string, string>> = {
  "9": "<!-- wp:paragraph --><p>Buy</p><!-- /wp:paragraph -->",
  "10": '<p>In</p><!-- wp:block {"ref":10} /-->',
};
const FOOTNOTES = JSON.stringify([{ id: "a-b", content: "See <em>there</em>." }]);

const fill = (content: string) =>
  filledBlocks(content, { pattern: (id) => PATTERNS[id], footnotes: FOOTNOTES });

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
  expect(fill(content)).toEqual({ content: filled, leftOut });
});
