import { expect, test } from "bun:test";
import { countingModules, expectLinear } from "../../../test/support/steps/count-steps.ts";
import { findStyleSheetErrors } from "./check-style-sheet.ts";

test.each([
  "",
  "a { color: red } /* @import 'x' */",
  "@media print { a { background: url(/media/a.png) } }",
  "a { background: url('/media/a.png'), image-set('/media/b.png' 2x); content: 'http://x' }",
  "@layer a, b; @font-face { font-family: F; src: local('Gill Sans') }",
  "svg { fill: url(#shade) }",
  "a[href^='https://example.com']::after { content: ' ↗' }",
  "a:is([href^='//'], :not([rel~='https://x'])) { color: var(--x) }",
  ":root { --quote: '« '; --label: 'Note: '; --mark: url(/media/a.png); --file: 'a.png' }",
  "q { quotes: '“' '”'; font-family: 'Gill Sans', serif }",
  "a { content: 'http://x'; color: red } b { CONTENT: counters(x, 'https://y') attr(href) }",
  "@property --x { syntax: '<string>'; inherits: false; initial-value: 'none' }",
  "main { grid-template-areas: 'a b' 'c d'; & a[title='https://x']:hover { color: red } }",
])("takes %s", (css) => {
  expect(findStyleSheetErrors(css)).toEqual([]);
});

test.each([
  ["a {}\n@import '/x.css';", 2, "@import"],
  ["@\\69mport '/x.css';", 1, "@import"],
  ["@IMPORT url(/x.css)", 1, "@import"],
  ["a { background: url(https://evil.example/x) }", 1, "files of this site"],
  ["a { background: u\\72l('https://evil.example/x') }", 1, "files of this site"],
  ["a { background: url(//evil.example/x) }", 1, "files of this site"],
  ["a { background: url(/\\\\evil.example/x) }", 1, "files of this site"],
  ["a { background: url(data:image/png;base64,AA) }", 1, "files of this site"],
  ["a { background: image-set('//evil.example/x' 1x) }", 1, "files of this site"],
  ["a { background: -webkit-image-set(url(http://evil.example/x) 1x) }", 1, "files of this site"],
  [":root { --x: 'https://evil.example/x' }", 1, "another site"],
  [":root { --x: '//evil.example/x' }", 1, "another site"],
  [":root { --x: '/\\\\evil.example/x' }", 1, "another site"],
  [":root { --x: '\\09https:evil.example' }", 1, "another site"],
  [":root { --x: 'http\\73://evil.example/x' }", 1, "another site"],
  [":root { --x: ' HTTPS:\\a //evil.example' }", 1, "another site"],
  [":root { --x: 'ht\\9tps://evil.example/x' }", 1, "another site"],
  [":root { --\\content: 'https://evil.example/x' }", 1, "another site"],
  [":root { --x:{content:image-set('https://evil.example/x' 1x)} }", 1, "files of this site"],
  [":root { content: 'x'; --x: 'https://evil.example/x' }", 1, "another site"],
  [":root { content:'x';\n--y: (;); --x: 'https://evil.example/x' }", 2, "another site"],
  [
    "@property --x { syntax: '*'; inherits: true; initial-value: 'https://evil.example/x' }",
    1,
    "another site",
  ],
  ["@function --f() { result: 'https://evil.example/x' }", 1, "another site"],
  ["a { background: if(else: 'https://evil.example/x') }", 1, "another site"],
  ["a { content: if(else: 'https://evil.example/x') }", 1, "another site"],
  ["a { content: --f('https://evil.example/x') }", 1, "another site"],
  ["a { content: ('https://evil.example/x') }", 1, "another site"],
  ["a { content: image('https://evil.example/x') }", 1, "files of this site"],
  ["a { background: src('https://evil.example/x') }", 1, "files of this site"],
  ["a { background: cross-fade('https://evil.example/x', red) }", 1, "files of this site"],
  ["a { background: element('https://evil.example/x') }", 1, "another site"],
  ["a { --x: attr(href) }", 1, "attr()"],
  ["a { background: image-set(attr(href type(<string>)) 1x) }", 1, "attr()"],
  ["a { content: image-set(a\\74tr(href) 1x) }", 1, "attr()"],
  ["a { --x: ] 'https://evil.example/x' }", 1, "another site"],
  ["@namespace 'http://www.w3.org/1999/xhtml';", 1, "another site"],
  ["@namespace url(http://www.w3.org/1999/xhtml);", 1, "files of this site"],
  ["a { color: red }\n\n/* open", 3, "Syntax error"],
  ["a { content: 'open\n }", 1, "Syntax error"],
])("refuses %s at its line", (css, line, detail) => {
  expect(findStyleSheetErrors(css)[0]).toMatchObject({ line, detail: expect.stringContaining(detail) });
});

test("reports the first errors alone, whatever their number", () => {
  expect(findStyleSheetErrors('"\n'.repeat(30_000)).map(({ line }) => line)).toEqual([1, 2, 3, 4, 5]);
  expect(findStyleSheetErrors(`${"a { color: red }\n".repeat(3_000)}"\n@import "x";`)).toMatchObject([
    { line: 3_001, detail: expect.stringContaining("Syntax error") },
    { line: 3_002, detail: expect.stringContaining("@import") },
  ]);
});

test.each(["url((", "(", "a(", "'\n", "@import '/x';\n", "a{b:url(//x)}"])(
  "takes linear time for nothing but %j, and for what is nested in it",
  async (piece) => {
    const counting = await countingModules<typeof import("./check-style-sheet.ts")>(
      import.meta.resolve("./check-style-sheet.ts"),
    );
    await expectLinear((length) => counting.findStyleSheetErrors(piece.repeat(length) + "a ".repeat(length)));
  },
);
