import { expect, test } from "bun:test";
import { startCpuTimer } from "../../../test/support/machine/cpu-time.ts";
import { readText, rewritePictures, withoutTemplates } from "../markdown/body.ts";
import { withoutComments } from "../markdown/comments.ts";
import { linkedPictures, withNewPaths } from "../pictures/linked-pictures.ts";
import { Growth } from "../reading/growth.ts";
import { autop, withoutBlockComments } from "../wordpress/autop.ts";
import { filledBlocks } from "../wordpress/blocks.ts";
import { limitingShortcodes } from "../wordpress/hidden-parts.ts";
import { replaceShortcodes, withoutShortcodes } from "../wordpress/shortcodes.ts";
import { htmlToPostContent, rewriteHtml, textOfHtml, textOfTitle } from "./html-content.ts";
import { withLazyPictures } from "./lazy-pictures.ts";
import { replaceBetween } from "./replace-between.ts";

test("Text between delimiters is replaced; an unclosed delimiter stays", () => {
  const upper = (text: string) =>
    replaceBetween(
      text,
      /<(a|b)>/g,
      ([, name]) => `</${name}>`,
      (_open, inner) => `[${inner.toUpperCase()}]`,
    );
  expect(upper("x <a>one</A> <b>two <a>three</b> <a>four")).toBe("x [ONE] [TWO <A>THREE] <a>four");
});

const HALF_A_MEGABYTE = 512 * 1024;
const OPENINGS = [
  ...[
    "<pre>",
    "<!--",
    "<!-- wp:x ",
    "<a",
    "<img src=",
    "<div ",
    "[caption]",
    "[caption ",
    "[gallery ",
    "[a ",
    "[a b=",
    "[code]",
    "[code lang=",
    '<pre lang="a">',
    '<pre lang="',
    "<!-- wp:block {",
    "<sup data-fn=",
    '<ul class="blocks-gallery-grid">',
    "<noscript><img>",
    "<img data-src=",
  ],
  ...[
    "{% raw %}",
    "{% highlight a %}",
    "{% highlight a",
    "{{< figure ",
    "{{< highlight a >}}",
    "{{ a ",
    "{{ a |",
    "{% a ",
  ],
  ...["![[", "![[a|", "[[a", "%%", "%%a", "%% ", "{% comment %}", "{{!--", "{# ", "[hide ", "[a b=off|"],
  ...["![](//a(", "![](//", "[![](//a)](//", "[a]://", "<a href=//x.jpg>", "<a href=//x.jpg><img src=//y>"],
  ...["```x\n", "`", "![", "[x]:", "\n ", "\n\n", "https://x ", '<div class="wp-block-embed__wrapper">'],
];

test.each(OPENINGS)("A text of nothing but %j takes time that grows with it alone", async (opening) => {
  const text = opening.repeat(HALF_A_MEGABYTE / opening.length);
  const time = startCpuTimer();
  autop(text);
  withoutBlockComments(text);
  filledBlocks(text, { pattern: () => undefined, footnotes: "[]", growth: new Growth() });
  withLazyPictures(text);
  textOfTitle(text);
  replaceShortcodes(text, new Growth(), () => undefined);
  htmlToPostContent(text);
  textOfHtml(text);
  withoutTemplates(text);
  withoutComments(text, true);
  limitingShortcodes(text);
  readText(text, true);
  withoutShortcodes(text);
  await rewriteHtml(text, async () => undefined);
  await rewritePictures(text, async () => undefined);
  linkedPictures(text);
  await withNewPaths(text, () => undefined);
  expect(time()).toBeLessThan(3_000);
});

test.each([
  ["<sup", ' data-fn="'],
  ["<ul", ' class="wp-block-gallery'],
  ['<ul class="', "wp-block-gallery "],
])("A tag %j that goes on with nothing but %j takes time that grows with it alone", (tag, opening) => {
  const text = tag + opening.repeat(HALF_A_MEGABYTE / opening.length);
  const time = startCpuTimer();
  filledBlocks(text, { pattern: () => undefined, footnotes: "[]", growth: new Growth() });
  expect(time()).toBeLessThan(3_000);
});
