import { expect, test } from "bun:test";
import { withLazyPictures } from "./lazy-pictures.ts";
import { notShown } from "./not-shown.ts";

test.each([
  ['<img src="a.png" data-src="b.png">', '<img src="a.png" data-src="b.png">'],
  [
    '<img data-src="//e.example/a.png" alt="x">',
    '<img src="https://e.example/a.png" data-src="//e.example/a.png" alt="x">',
  ],
  [
    "<img src='data:image/gif;base64,x' data-lazy-src='a.png?b&amp;c'>",
    `<img src="a.png?b&amp;c" data-lazy-src='a.png?b&amp;c'>`,
  ],
  [
    '<img src="/blank.gif" data-original="a.png"><noscript><img src="a.png"></noscript>',
    '<img src="a.png" data-original="a.png">',
  ],
  ['<noscript><img src="a.png"></noscript>', '<noscript><img src="a.png"></noscript>'],
  ['<amp-img src="a.png" width="1"></amp-img>', '<img src="a.png" width="1">'],
  ['<amp-img src="a.png"><noscript><img src="a.png"></noscript></amp-img>', '<img src="a.png">'],
])("A picture of %s", (html, shown) => {
  expect(withLazyPictures(html)).toBe(shown);
});

test.each([
  ['<p>Text</p><iframe src="https://e.example/"></iframe>', []],
  ['<script src="https://e.example/x.js"></script><form><input></form>', ["script", "form", "input"]],
  ["<iframe></iframe><video></video><amp-ad></amp-ad>", ["iframe", "video", "amp-ad"]],
  ['<video><source src="a.mp4"></video><object><param name="movie" value="x"></object>', []],
  ["A `<script>` in code\n\n```\n<form>\n```", []],
])("What a page shows nothing of in %j", (content, names) => {
  expect([...notShown(content)]).toEqual(names);
});
