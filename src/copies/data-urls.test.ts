import { expect, test } from "bun:test";
import { putBack, takeOut } from "./data-urls.ts";

/** Base64 of so many bytes. */
const base64 = (bytes: number, fill = 7) => Buffer.alloc(bytes, fill).toString("base64");

const LONG = base64(3_000);

const PAGES: readonly (readonly [what: string, page: string, taken: number])[] = [
  ["nothing", "", 0],
  ["no data: URL", "<p>;base64, is a word", 0],
  ["one picture", `<img src="data:image/png;base64,${LONG}">`, 1],
  ["two in a row, and the end of the file", `a;base64,${LONG};base64,${base64(900, 3)}`, 2],
  ["one that is decoded in pieces", `;base64,${base64(3 * 64 * 1024 + 1, 250)}`, 1],
  ["one of whole pieces", `;base64,${base64(3 * 32 * 1024)}`, 1],
  ["a short one", `<img src="data:image/gif;base64,${base64(9)}">`, 0],
  ["a font in a style sheet", `<style>@font-face{src:url(data:font/woff2;base64,${LONG})}</style>`, 1],
  ["one that ends too early", `;base64,${LONG.slice(0, -1)}`, 0],
  ["bits that nobody reads", `;base64,${`${base64(1_000).slice(0, -3)}x==`}`, 0],
  ["a line break inside", `;base64,${LONG.slice(0, 90)}\n${LONG.slice(90)}`, 0],
  ["padding in the middle", `;base64,${base64(1_000)}${LONG}`, 0],
  ["more than are taken out", `;base64,${base64(768)} `.repeat(501), 500],
];

const decoded = (taken: ReturnType<typeof takeOut>["taken"]) =>
  taken.map(({ position, decode }) => ({ position, bytes: decode() }));

test.each(PAGES)("A page with %s is the same, byte for byte, after it was put back", (_, page, count) => {
  const { rest, taken } = takeOut(Buffer.from(page));
  expect(taken).toHaveLength(count);
  expect(Buffer.from(putBack(rest, decoded(taken))).toString()).toBe(page);
});

test("What was taken out is decoded", () => {
  const bytes = crypto.getRandomValues(new Uint8Array(50_000));
  const { taken } = takeOut(Buffer.from(`;base64,${Buffer.from(bytes).toString("base64")}`));
  expect(decoded(taken)).toEqual([{ position: 8, bytes: Buffer.from(bytes) }]);
});

test("A page that is no text is the same, too", () => {
  const page = Buffer.concat([
    Buffer.from([0, 255, 254]),
    Buffer.from(`;base64,${LONG}`),
    Buffer.from([255, 0]),
  ]);
  const { rest, taken } = takeOut(page);
  expect(Buffer.from(putBack(rest, decoded(taken))).equals(page)).toBe(true);
});
