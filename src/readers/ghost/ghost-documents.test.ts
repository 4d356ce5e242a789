import { expect, test } from "bun:test";
import { Growth } from "../reading/growth.ts";
import { ghostDocument as read } from "./ghost-documents.ts";

const ghostDocument = (...[lexical, mobiledoc]: unknown[]) => read(lexical, mobiledoc, new Growth());
const lexical = (...children: object[]) => ghostDocument({ root: { type: "root", children } }, undefined);
const text = (words: string, format = 0) => ({ type: "extended-text", text: words, format });

test("a document of Ghost's editor is read with its texts, lists, links and cards", () => {
  expect(
    lexical(
      { type: "extended-heading", tag: "h2", children: [text("A <b>")] },
      {
        type: "paragraph",
        children: [
          text("x", 3),
          { type: "linebreak" },
          { type: "link", url: 'https://a.example/?"', children: [text("y")] },
        ],
      },
      { type: "paragraph", children: [] },
      { type: "list", tag: "ol", children: [{ type: "listitem", children: [text("one")] }] },
      { type: "image", src: "__GHOST_URL__/content/images/a.jpg", alt: "A", caption: "<i>Sun</i>" },
      { type: "codeblock", code: "1 < 2", language: "js" },
      { type: "markdown", markdown: "*m*" },
      { type: "bookmark", url: "https://b.example/", metadata: { title: "B", description: "C" } },
      { type: "horizontalrule" },
      { type: "poll", children: [text("Yes?")] },
    ),
  ).toEqual({
    parts: [
      { html: "<h2>A &lt;b></h2>" },
      { html: '<p><em><strong>x</strong></em><br><a href="https://a.example/?&quot;">y</a></p>' },
      { html: "<ol><li>one</li></ol>" },
      {
        html: '<figure><img src="__GHOST_URL__/content/images/a.jpg" alt="A"><figcaption><i>Sun</i></figcaption></figure>',
      },
      { html: '<pre><code class="language-js">1 &lt; 2</code></pre>' },
      { markdown: "*m*" },
      { html: '<figure><p><a href="https://b.example/">B</a></p><p>C</p></figure>' },
      { html: "<hr>" },
      { html: "Yes?" },
    ],
    unknown: ["poll"],
    leftOut: [],
    hidden: [],
  });
});

test("a document of its earlier editor is read with its markups, atoms and cards", () => {
  const mobiledoc = {
    version: "0.3.1",
    markups: [["strong"], ["a", ["href", "https://a.example/"]], ["script"]],
    atoms: [["soft-return", "", {}]],
    cards: [
      ["image", { src: "a.jpg" }],
      ["poll", {}],
      ["card-markdown", { markdown: "*m*" }],
    ],
    sections: [
      [1, "h3", [[0, [], 0, "A"]]],
      [
        1,
        "p",
        [
          [0, [0, 1], 1, "x & "],
          [0, [], 1, "y"],
          [1, [], 0, 0],
          [0, [2], 1, "z"],
        ],
      ],
      [3, "ul", [[[0, [], 0, "one"]], [[0, [0], 1, "two"]]]],
      [10, 0],
      [10, 1],
      [10, 2],
      [1, "p", []],
    ],
  };
  expect(ghostDocument(undefined, mobiledoc)).toEqual({
    parts: [
      { html: "<h3>A</h3>" },
      { html: '<p><strong><a href="https://a.example/">x &amp; </a>y</strong><br><span>z</span></p>' },
      { html: "<ul><li>one</li><li><strong>two</strong></li></ul>" },
      { html: '<figure><img src="a.jpg" alt=""></figure>' },
      { markdown: "*m*" },
    ],
    unknown: [],
    leftOut: ["poll"],
    hidden: [],
  });
});

test("anything else is no document, and a hostile one does no harm", () => {
  for (const other of [undefined, null, 1, "x", [], {}, { root: 1 }, { sections: 1 }])
    expect(ghostDocument(other, other)).toBeUndefined();
  let deep: object = text("x");
  for (let depth = 0; depth < 1_000; depth++) deep = { type: "quote", children: [deep] };
  expect(lexical(deep)?.parts).toHaveLength(1);
  expect(
    ghostDocument(undefined, {
      sections: [[1, 1, 1], [3, 1, [1]], [10, 5], [9], 1, [1, "p", [[0, [7], 9, null]]]],
    })?.leftOut,
  ).toEqual(["undefined", "9"]);
});

test.each([
  ["a card", "cards", ["html", { html: "x".repeat(900) }], [10, 0]],
  ["an atom", "atoms", ["mention", "x".repeat(900)], [1, "p", [[1, [], 0, 0]]]],
  ["a link", "markups", ["a", ["href", "x".repeat(900)]], [1, "p", [[0, [0], 1, "y"]]]],
])("%s that is repeated is left out when the file has become too long", (_, table, entry, section) => {
  const growth = new Growth(2_000);
  const of = (count: number) =>
    read(undefined, { [table]: [entry], sections: Array(count).fill(section) }, growth);
  expect(of(1)?.leftOut).toEqual([]);
  const { parts = [], leftOut } = of(1_000) ?? {};
  expect(leftOut).toEqual(["repeated too often"]);
  expect(JSON.stringify(parts).match(/x{900}/g)).toHaveLength(1);
});
