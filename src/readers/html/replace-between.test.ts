import { expect, test } from "bun:test";
import { rounds } from "../../../test/support/run/full-run.ts";
import { countingModules, expectLinear } from "../../../test/support/steps/count-steps.ts";
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
  ...["<a class=", "<a class", ":::a ", "\n::: ", "[/a", "<% ", "<!-- / "],
  ...["```x\n", "`", "![", "[x]:", "\n ", "\n\n", "https://x ", '<div class="wp-block-embed__wrapper">'],
];

const counting = await countingModules<
  typeof import("../markdown/body.ts") &
    typeof import("../markdown/comments.ts") &
    typeof import("../pictures/linked-pictures.ts") &
    typeof import("../reading/growth.ts") &
    typeof import("../wordpress/autop.ts") &
    typeof import("../wordpress/blocks.ts") &
    typeof import("../wordpress/hidden-parts.ts") &
    typeof import("../wordpress/shortcodes.ts") &
    typeof import("./html-content.ts") &
    typeof import("./lazy-pictures.ts")
>(
  import.meta.resolve("../markdown/body.ts"),
  import.meta.resolve("../markdown/comments.ts"),
  import.meta.resolve("../pictures/linked-pictures.ts"),
  import.meta.resolve("../reading/growth.ts"),
  import.meta.resolve("../wordpress/autop.ts"),
  import.meta.resolve("../wordpress/blocks.ts"),
  import.meta.resolve("../wordpress/hidden-parts.ts"),
  import.meta.resolve("../wordpress/shortcodes.ts"),
  import.meta.resolve("./html-content.ts"),
  import.meta.resolve("./lazy-pictures.ts"),
);
const { Growth, filledBlocks } = counting;

/** What imports do with the text of a post. */
const TREATMENTS: Readonly<Record<string, (text: string) => unknown>> = {
  autop: (text) => counting.autop(text),
  withoutBlockComments: (text) => counting.withoutBlockComments(text),
  filledBlocks: (text) =>
    filledBlocks(text, { pattern: () => undefined, footnotes: "[]", growth: new Growth() }),
  withLazyPictures: (text) => counting.withLazyPictures(text),
  textOfTitle: (text) => counting.textOfTitle(text),
  replaceShortcodes: (text) => counting.replaceShortcodes(text, new Growth(), () => undefined),
  htmlToPostContent: (text) => counting.htmlToPostContent(text),
  textOfHtml: (text) => counting.textOfHtml(text),
  withoutTemplates: (text) => counting.withoutTemplates(text),
  withoutComments: (text) => counting.withoutComments(text, true),
  limitingShortcodes: (text) => counting.limitingShortcodes(text),
  readText: (text) => counting.readText(text, true),
  withoutShortcodes: (text) => counting.withoutShortcodes(text),
  rewriteHtml: (text) => counting.rewriteHtml(text, async () => undefined),
  rewritePictures: (text) => counting.rewritePictures(text, async () => undefined),
  linkedPictures: (text) => counting.linkedPictures(text),
  withNewPaths: (text) => counting.withNewPaths(text, () => undefined),
};

/** It reads as much at most: its parser moves all open elements with each one that begins. */
const LENGTHS: Readonly<Record<string, number>> = { textOfHtml: 100_000 };

test.each(OPENINGS)("A text of nothing but %j takes time that grows with it alone", async (opening) => {
  for (const [name, treat] of Object.entries(TREATMENTS))
    await expectLinear((length) => treat(opening.repeat(length)), {
      name,
      length: LENGTHS[name] ?? rounds(400, 1_000),
    });
});

test.each([
  ["<sup", ' data-fn="'],
  ["<ul", ' class="wp-block-gallery'],
  ['<ul class="', "wp-block-gallery "],
])("A tag %j that goes on with nothing but %j takes time that grows with it alone", async (tag, opening) => {
  await expectLinear((length) => TREATMENTS.filledBlocks?.(tag + opening.repeat(length)));
});
