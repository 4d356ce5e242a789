import { describe, expect, test } from "bun:test";
import { countingModules, expectLinear } from "../../../test/support/steps/count-steps.ts";
import { pageHash, pageKey } from "./urls.ts";

const keyOf = (url: string) => pageKey(new URL(url).href);

describe("The key of a page", () => {
  test.each([
    ["http://example.com/a", "https://example.com/a"],
    ["https://www.example.com/", "https://example.com"],
    ["https://EXAMPLE.com./a", "https://example.com/a"],
    ["https://example.com/a/", "https://example.com/a"],
    ["https://example.com/%7Eada/%41", "https://example.com/~ada/A"],
    ["https://example.com/%c3%a9", "https://example.com/%C3%A9"],
    ["https://example.com/?utm_source=x&utm_medium=y", "https://example.com/"],
    ["https://example.com/?a=1&fbclid=z&gclid=q&_hsenc=1&srsltid=2", "https://example.com/?a=1"],
    ["https://example.com/?b=2&a=1", "https://example.com/?a=1&b=2"],
    ["https://example.com/?", "https://example.com/"],
    ["https://example.com/a#part", "https://example.com/a"],
    ["https://example.com/a#:~:text=word", "https://example.com/a"],
    ["https://example.com/#/route:~:text=word", "https://example.com/#/route"],
    ["https://youtu.be/abc?si=xyz", "https://youtu.be/abc"],
    ["https://www.youtube.com/watch?v=abc&feature=share", "https://youtube.com/watch?v=abc"],
    ["https://münchen.de/", "https://xn--mnchen-3ya.de/"],
    ["https://example.com:443/a", "http://example.com:80/a"],
  ])("is the same for %s and %s", (one, other) => {
    expect(keyOf(one)).toBe(keyOf(other));
    expect(pageHash(new URL(one).href)).toBe(pageHash(new URL(other).href));
  });

  test.each([
    ["https://example.com/a", "https://example.com/A"],
    ["https://example.com/a", "https://example.com/a//"],
    ["https://example.com/a/b", "https://example.com/a//b"],
    ["https://example.com/", "https://m.example.com/"],
    ["https://example.com/", "https://example.com:8443/"],
    ["https://example.com/", "https://ada@example.com/"],
    ["https://example.com/?a=1", "https://example.com/?a=2"],
    ["https://example.com/?a=1&a=2", "https://example.com/?a=2&a=1"],
    ["https://example.com/?si=1", "https://example.com/"],
    ["https://example.com/?feature=1", "https://example.com/"],
    ["https://example.com/#/one", "https://example.com/#/two"],
    ["https://example.com/#!one", "https://example.com/"],
    ["https://example.com/%2F", "https://example.com//"],
    ["https://notyoutube.com/?si=1", "https://notyoutube.com/"],
  ])("differs for %s and %s", (one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other));
  });

  test("is of any text, and hashes are of one length", () => {
    for (const text of ["", "no URL", "http://[::1]/x", `https://example.com/${"a".repeat(480)}`])
      expect(pageHash(text)).toMatch(/^[\w-]{11}$/);
  });

  test.each(["/", "%", "%41", "&", "&a=1", "#", "?", "utm_a=&"])(
    "takes time in proportion to a URL of nothing but %j",
    async (piece) => {
      const counting = await countingModules<typeof import("./urls.ts")>(import.meta.resolve("./urls.ts"));
      await expectLinear((length) => counting.pageKey(`https://example.com/?${piece.repeat(length)}`));
    },
  );
});
