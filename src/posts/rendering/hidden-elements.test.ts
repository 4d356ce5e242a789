import { describe, expect, test } from "bun:test";
import { countingModules, expectLinear } from "../../../test/support/steps/count-steps.ts";
import { withoutHidden } from "./hidden-elements.ts";
import { renderMarkdown } from "./render-markdown.ts";

const counting = await countingModules<typeof import("./hidden-elements.ts")>(
  import.meta.resolve("./hidden-elements.ts"),
);

/** In each text, browsers show nothing but the word *seen*. */
const HIDDEN: readonly string[] = [
  ...[
    "hidden",
    "HIDDEN",
    "hidden=''",
    'hidden="hidden"',
    "hidden=false",
    "/hidden",
    "hidden=' until-found'",
  ].map((attribute) => `<div ${attribute}>secret</div>seen`),
  ...[
    "display:none",
    "display : none ;",
    "DISPLAY:NONE",
    "display:none!important",
    "color:red;display:/* a */none /* b */ ! important",
    "/* a */display/* b */:none",
    "d\\69splay:n\\6fne",
    "disp\\6C ay:none",
    "display&colon;none",
    "color:red;;display:none",
    "color;display:none",
    "background:url(a;b);display:none",
    "content:';';display:none",
    "display:var(--x, none)",
    "display:none;display:block",
    "visibility:hidden",
    "visibility: Collapse",
    "content-visibility:hidden",
  ].map((style) => `<div style="${style}">secret</div>seen`),
  "seen <template>secret</template>",
  "seen <TEMPLATE><div>secret</div></TEMPLATE>",
  "seen <dialog>secret</dialog>",
  '<div popover>secret</div>seen<div popover="manual">secret</div>',
  '<input list="l"><datalist id="l"><option>secret<option label="secret">secret</datalist>seen',
  "<title>secret</title>seen<noframes>secret</noframes><noembed>secret</noembed>",
  "<math><semantics><mi>seen</mi><annotation>secret</annotation></semantics></math>",
  // How far it goes.
  "<div hidden>secret<div>secret</div>secret</div>seen",
  "<ul><li hidden>secret<li>seen</ul>",
  "<p hidden>secret<p>seen",
  "<table><tr><td hidden>secret<td>seen<tr hidden><td>secret</table>",
  "<div><span hidden>secret</div>seen",
  "seen <div hidden>secret<p>secret",
  "seen\n\n<div hidden>\n\nsecret\n\n- secret\n\n</div>",
  "<b hidden>secret\n\nsecret</b> seen",
  "<i style=display:none>secret\n\n*a* <i>secret</i> secret</i> seen",
  "seen <font hidden>secret\n\nsecret",
  "<a hidden>secret\n\nsecret</a><a>seen</a>",
  "<a hidden>secret<a href=/>seen</a>",
  "<img hidden alt=secret src=https://a.example/secret>seen",
  "<img hidden alt=secret><b hidden>secret</b>seen",
  "<details><summary>seen</summary><p hidden>secret</p></details>",
  "<section hidden id=s>secret</section><label hidden>secret</label>seen",
  '<div hidden><iframe src="https://a.example/secret"></iframe></div>seen',
  '<video hidden src="https://a.example/secret"></video>seen',
  "<noscript hidden>secret</noscript>seen",
];

/** Browsers show the word in each of these texts, or show it to whom it is for. */
const SEEN: readonly string[] = [
  '<div aria-hidden="true">seen</div>',
  "<div hidden=until-found>seen</div>",
  "<div hidden='UNTIL-FOUND'>seen</div>",
  "<details>seen</details>",
  "<dialog open>seen</dialog>",
  "<dialog open popover>seen</dialog>",
  "<noscript>seen</noscript>",
  "<div inert>seen</div>",
  "<div class=hidden data-hidden='hidden'>seen</div>",
  ..."display:block|visibility:visible|overflow:hidden|content:'display:none'|display-x:none|background:url(display:none)|/*display:none*/|display;none|border:none;display:flex|list-style:none"
    .split("|")
    .map((style) => `<div style="${style}">seen</div>`),
  "<div title='<template>'>seen</div>",
  "<!-- <template> -->seen",
  "`<template>`seen",
  "```\n<div hidden>seen</div>\n```",
  "    <div hidden>seen</div>",
  "hidden style popover seen",
];

describe("What a browser would not show is neither on the page nor in the excerpt", () => {
  for (const text of HIDDEN)
    test(text, () => {
      const { html, excerpt, image } = renderMarkdown(text, new Map());
      expect(html).toContain("seen");
      expect(html).not.toContain("secret");
      expect([excerpt.includes("secret"), image]).toEqual([false, undefined]);
    });
});

describe("What a browser would show stays", () => {
  for (const text of SEEN) test(text, () => expect(renderMarkdown(text, new Map()).html).toContain("seen"));
});

test("Nothing else of a text changes", () => {
  expect(withoutHidden("<P CLASS=a>a<p hidden>b<br>c</p>\n&amp; <!-- x -->d<template>e</template><f")).toBe(
    "<P CLASS=a>a\n&amp; <!-- x -->d<f",
  );
});

describe("Its time grows with the length alone:", () => {
  const pieces = [
    "<p hidden>",
    "<p><b hidden>a</p>",
    "<p><a hidden>a</p>",
    "<p><b hidden>a</p></b>",
    "<p><b hidden>a</p></b <b ",
    "<div hidden></div>",
    "<div style='display:block;",
    "<img hidden>",
  ];
  for (const piece of pieces)
    test(piece, () => expectLinear((length) => counting.withoutHidden(piece.repeat(length))));
});
