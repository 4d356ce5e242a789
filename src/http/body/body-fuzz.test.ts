import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { hostileJson } from "../../../test/support/pages/hostile-values.ts";
import { rounds } from "../../../test/support/run/full-run.ts";
import { Refusal } from "../../errors.ts";
import { findExcess, parseJson } from "./body.ts";
import { FORM_BODY, MULTIPART_BODY } from "./body-decoders.ts";

const numRuns = Number(process.env.FUZZ_RUNS ?? rounds(100, 1_000));
const utf8 = new TextEncoder();

/** Removes a range of bytes, or replaces it by others. */
const change = fc.record({
  from: fc.nat(1_000),
  length: fc.nat(6),
  bytes: fc.oneof(
    fc
      .constantFrom(
        '"',
        "\\",
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\\u0000",
        "\\ud800",
        "__proto__",
        "&",
        "=",
        "%",
        "\r\n",
      )
      .map((text) => utf8.encode(text)),
    fc.uint8Array({ maxLength: 4 }),
  ),
});

function changed(bytes: Uint8Array, changes: readonly { from: number; length: number; bytes: Uint8Array }[]) {
  let result = bytes;
  for (const { from, length, bytes: added } of changes) {
    const start = from % (result.length + 1);
    result = Buffer.concat([result.subarray(0, start), added, result.subarray(start + length)]);
  }
  return result;
}

const changes = fc.array(change, { maxLength: 4 });

describe("A body that was damaged in transit", () => {
  test(`is parsed like the runtime's JSON, or refused (${numRuns} bodies)`, () => {
    const property = fc.property(hostileJson, changes, (value, damage) => {
      const bytes = changed(utf8.encode(JSON.stringify(value)), damage);
      const expected = tried(() =>
        JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)),
      );
      expect(tried(() => parseJson(bytes))).toEqual(expected);
      expect(Object.keys(Object.prototype)).toEqual([]);
    });
    fc.assert(property, { numRuns });
  });

  test(`is parsed as a form, or refused (${numRuns} bodies each)`, async () => {
    const fields = fc.dictionary(fc.string({ unit: "binary", maxLength: 8 }), fc.string({ maxLength: 20 }));
    const property = fc.asyncProperty(fields, changes, async (values, damage) => {
      const urlEncoded = changed(utf8.encode(new URLSearchParams(values).toString()), damage);
      const form = new FormData();
      for (const [name, value] of Object.entries(values)) form.append(name, value);
      const sent = new Response(form);
      const type = sent.headers.get("content-type") ?? "";
      const multipart = changed(await sent.bytes(), damage);
      const request = new Request("http://a/", { method: "POST", headers: { "content-type": type } });
      await decoded(() => FORM_BODY.decode(urlEncoded, request));
      await decoded(() => MULTIPART_BODY.decode(multipart, request));
    });
    await fc.assert(property, { numRuns });
  });
});

test("Member names are counted after unescaping, as the runtime's parser compares them", () => {
  // Enough members to reach the limit, and names with every character that could end a string too early.
  const name = fc.string({
    unit: fc.constantFrom('"', "\\", ":", "{", ",", "a", "é", "\u0000"),
    maxLength: 6,
  });
  const property = fc.property(fc.uniqueArray(name, { minLength: 8, maxLength: 40 }), (names) => {
    const object = Object.fromEntries(names.map((name) => [name, name]));
    const members = Math.floor(1_000_000 / names.length / names.length);
    const of = (count: number) => utf8.encode(JSON.stringify(Array.from({ length: count }, () => object)));
    // No two names differ only in their escapes, so the count is exact.
    expect(findExcess(of(members))).toBeUndefined();
    expect(findExcess(of(members + 1))).toBe("names");
  });
  fc.assert(property, { numRuns: Math.ceil(numRuns / 100) });
});

/** What a function returns; undefined for an expected error. Unexpected errors are rethrown. */
function tried(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof Refusal || error instanceof SyntaxError || error instanceof TypeError)
      return undefined;
    throw error;
  }
}

async function decoded(decode: () => unknown): Promise<void> {
  try {
    const fields = await decode();
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect(error.reason).toBe("malformed");
  }
}
