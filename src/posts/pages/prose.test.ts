import { expect, test } from "bun:test";
import { renderMarkdown } from "../rendering/render-markdown.ts";
import { notesInPlace } from "./prose.tsx";

const htmlOf = (text: string) => renderMarkdown(text, new Map()).html;

test("notes stand behind the block that first refers to them, and keep their numbers and places to go to", () => {
  const html = notesInPlace(
    htmlOf(
      "One[^a] and two.[^b]\n\nBetween.\n\n- a list<br>with one[^a]\n- and three[^c]\n\n[^a]: First, [a link](https://a.example).\n[^b]: Second.\n[^c]: Third.\n\n    - with\n    - a list",
    ),
  );
  const back = (to: string) => `<a href="#fnref-${to}" aria-label="Back to the text">↩\u{fe0e}</a>`;
  expect(html.replaceAll(/ (?=<a href="#fnref)/g, "")).toBe(
    '<div class="noted beside"><p>One<sup><a href="#fn-1" aria-label="Note 1" id="fnref-1">1</a></sup> and two.' +
      '<sup><a href="#fn-2" aria-label="Note 2" id="fnref-2">2</a></sup></p><div class="notes"><ol start="1">' +
      `<li id="fn-1"><p>First, <a href="https://a.example">a link</a>.${back("1")}${back("1-1")}</p>\n</li>\n` +
      `<li id="fn-2"><p>Second.${back("2")}</p>\n</li></ol></div></div>` +
      '\n<p>Between.</p><div class="noted beside">\n<ul>\n<li>a list<br />with one' +
      '<sup><a href="#fn-1" aria-label="Note 1" id="fnref-1-1">1</a></sup></li>\n' +
      '<li>and three<sup><a href="#fn-3" aria-label="Note 3" id="fnref-3">3</a></sup></li>\n</ul>' +
      '<div class="notes"><ol start="3">\n<li id="fn-3"><p>Third.</p>\n<ul>\n<li>with</li>\n<li>a list</li>\n</ul>\n' +
      `${back("3")}</li></ol></div></div>`,
  );
});

test("a note of a page's length stays below the text", () => {
  const html = notesInPlace(htmlOf(`One[^a].\n\nTwo[^b].\n\n[^a]: ${"Long. ".repeat(80)}\n[^b]: Short.`));
  expect(html.match(/<div class="noted[^"]*">/g)).toEqual([
    '<div class="noted">',
    '<div class="noted beside">',
  ]);
});

test("a post stays as it is without notes, with notes in notes, and with markup that only looks like them", () => {
  for (const text of [
    "Words.",
    "One[^a].\n\n[^a]: A note[^b].\n[^b]: In a note.",
    'One.\n\n<aside class="notes" aria-label="Notes"><ol>\n<li id="fn-1">None</li></ol></aside>',
    '<p><a href="#fn-1" id="fnref-1">1</a></p>\n\n<aside class="notes"><ol><li id="fn-1"><ol><li id="fn-2">In it</li></ol></aside>\n\nAfter.',
    '<aside class="notes"></p></aside></aside>',
    '`<a href="#fn-1" id="fnref-1"`\n\n<aside class="notes"><ol>\n<li id="fn-1">x</li></ol></aside>',
  ]) {
    const html = htmlOf(text);
    expect(notesInPlace(html)).toBe(html);
  }
});
