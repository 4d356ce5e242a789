import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { rounds } from "../../test/support/run/full-run.ts";
import { parseWebUrl, URL_MAX } from "../records/bookmark-members.ts";

const parameters = { seed: 20_261_121, numRuns: rounds(150, 2_000) };

describe("parseWebUrl", () => {
  const host = fc.domain();
  const path = fc.string({ unit: "grapheme", maxLength: 20 });

  test("gives a text form that stays as it is when it is parsed again", () => {
    const property = fc.property(
      fc.constantFrom("http", "https", "HTTP"),
      host,
      path,
      (scheme, name, rest) => {
        const parsed = parseWebUrl(`${scheme}://${name}/${rest}`);
        if (!("href" in parsed)) return;
        expect(parseWebUrl(parsed.href)).toEqual(parsed);
      },
    );
    fc.assert(property, parameters);
  });

  test("gives an ASCII http or https URL of at most 500 characters, or an error, whatever the string", () => {
    const input = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.tuple(
        fc.constantFrom("http:", "https://", " http://a/", "hTTps:\\\\"),
        fc.string({ unit: "binary" }),
      ),
    );
    const property = fc.property(input, (value) => {
      const parsed = parseWebUrl(Array.isArray(value) ? value.join("") : value);
      if ("error" in parsed) {
        expect(parsed.error.detail).not.toBeEmpty();
        return;
      }
      expect(parsed.href).toMatch(/^https?:\/\/[\x21-\x7e]+$/);
      expect(parsed.href.length).toBeLessThanOrEqual(URL_MAX);
    });
    fc.assert(property, parameters);
  });

  test("distinguishes a wrong scheme from text that is not a URL", () => {
    expect(parseWebUrl("javascript:alert(1)")).toMatchObject({ error: { code: "url_scheme" } });
    expect(parseWebUrl("example.com")).toMatchObject({ error: { code: "url_invalid" } });
  });

  test("reports a control character before any other error", () => {
    expect(parseWebUrl("java\tscript:alert(1)")).toMatchObject({ error: { code: "bad_character" } });
  });

  test("reports the length of a text form that is too long", () => {
    const url = `https://example.com/${"é".repeat(100)}`;
    expect(parseWebUrl(url)).toEqual({
      error: {
        code: "too_long",
        detail: "At most 500 characters once normalized and percent-encoded; this has 620.",
      },
    });
  });
});
