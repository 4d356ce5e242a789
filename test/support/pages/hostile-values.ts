import fc from "fast-check";
import naughty from "../../data/naughty-strings/blns.json";

/** Texts that caused faults in other programs, and some made for this one. */
const WORDS = [
  ...naughty,
  "__proto__",
  "constructor",
  "toString",
  "\r\nX-Injected: 1",
  "%0d%0aX-Injected:%201",
  "//evil.example/",
  "/\\evil.example",
  "../../etc/passwd",
  "..%2f..%2f",
  "\u0000",
  "\ud800",
  "\u202e",
  "a".repeat(3_000),
  "🦊".repeat(501),
];

/** Unusual numbers: beyond the range of integers, almost integers, or in digits of other scripts. */
const NUMBERS = [
  "0",
  "-0",
  "-1",
  "1.5",
  "1e3",
  "+1",
  " 1",
  "0x10",
  "007",
  "2147483648",
  "9007199254740993",
  "9223372036854775808",
  "-9223372036854775809",
  "9".repeat(400),
  "٣",
  "NaN",
  "Infinity",
  "null",
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom(...NUMBERS),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
);

/** A JSON value of any type, sometimes with names of inherited members. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, [], {}, 0, -0, 1e308, true, [[[[]]]], { __proto__: null }),
  fc.dictionary(fc.constantFrom("__proto__", "constructor", "toJSON", "length", "title"), fc.jsonValue()),
);

/** A valid value of a header (RFC 9110, section 5.5). The tests of the parser cover invalid ones. */
export const fieldValue: fc.Arbitrary<string> = fc
  .oneof(
    hostileText,
    fc.string({
      unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
      maxLength: 60,
    }),
  )
  .map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]|\x7f/g, "").trim());

/** An entity tag, a list of them, or an invalid one. */
export const entityTags: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "*",
    '""',
    '"1"',
    'W/"1"',
    '"a", W/"b"',
    '"a",,"b"',
    '"',
    "1",
    ",",
    '"\u00ff"',
    `${'"a",'.repeat(500)}"b"`,
  ),
  fieldValue,
);
