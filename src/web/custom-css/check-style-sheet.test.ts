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
