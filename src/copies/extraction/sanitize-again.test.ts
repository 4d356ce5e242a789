import { expect, test } from "bun:test";
import { PAGE_URL, writtenPages } from "../../../test/support/copies/pages.ts";
import { extractPage } from "./extract-page.ts";
import { sanitizedAgain } from "./sanitize-again.ts";

for (const { name, page, contentType, found } of writtenPages)
  if (found !== undefined)
    test(`The text of ${name} stays as it is`, () => {
      const { html } = extractPage(page(), PAGE_URL, contentType);
      expect(sanitizedAgain(html)).toBe(html);
    });

test.each([
  ["a script", `<p>a<script>alert(1)</script></p>`, "<p>a</p>"],
  ["a handler", `<p onclick="alert(1)">a</p>`, "<p>a</p>"],
  ["an address that runs", `<p><a href="java\nscript:alert(1)">a</a></p>`, "<p>a</p>"],
  ["a frame", `<p>a</p><iframe srcdoc="b"></iframe>`, "<p>a</p>"],
  ["a picture of elsewhere", `<p>a</p><img src="https://example.com/a.png">`, "<p>a</p>"],
  [
    "a picture that is no part",
    `<p>a</p><img src="original"><img src="data:image/png;base64,AAAA">`,
    "<p>a</p>",
  ],
  ["pictures out of order", `<p><img src="picture-7">a<img src="picture-2"></p>`, 'src="picture-7"'],
])("Of a text with %s, only what is safe is left", (_, html, left) => {
  const again = sanitizedAgain(html);
  expect(again).toContain(left);
  expect(again).not.toMatch(/script|onclick|iframe|example\.com|data:|original/);
});
