import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findPatterns } from "../support/patterns/find-patterns.ts";
import { slowText } from "../support/patterns/slow-text.ts";

const SOURCE = join(import.meta.dir, "../../src");
const FILES = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(SOURCE)].filter(
  (file) => !/\.(?:test|d)\.tsx?$/.test(file),
);

/** Patterns that may take more than linear time, each with what bounds it. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "web/compact.ts /\\/\\*.*?\\*\\//gs": "our own style sheets",
  "web/assets.ts /^\\s*\\/\\*\\*.*?\\*\\/$/gms": "our own scripts",
  "web/assets.ts /^\\s*\\/\\/.*$/gm": "our own scripts",
  'web/assets.ts /^import\\s(?:[^;]*from )?"\\.\\/[\\w-]+\\.js";$/gm': "our own scripts",
  "posts/rendering/summarize.ts /[^\\s.]{3}[.!?…]+[\"'”’»)\\]]*\\s$|[。！？][”」』）]*\\s?$/u":
    "an excerpt of 280 characters",
  "accounts/sign-in/password.ts /=+$/": "the base64 of 16 or 32 bytes",
  "database/postgres/errors.ts /\\(\\d+,\\d+\\)[^\"«„“‘']*[\"«„“‘']\\s*(\\w+)/": "the words of PostgreSQL",
  "readers/bookmarks/csv/services.ts /'((?:[^'\\\\]|\\\\.){0,1000})'|\"((?:[^\"\\\\]|\\\\.){0,1000})\"/g":
    "1,000 characters from each quotation mark",
  "readers/markdown/body.ts /\\]\\(\\s?\\{(?:filename|static|attach)\\}(?!\\S{1,500}\\.(?:png|jpe?g|webp|gif))/i":
    "500 characters from each name in braces",
  'readers/wordpress/shortcodes.ts /(?<![[\\w])\\[\\/?([a-z][\\w-]{1,40})((?:[=:][^\\s[\\]<>]{1,1999})?(?:\\s{1,9}[\\w-]{1,60}\\s{0,9}=\\s{0,9}(?:"[^"]{0,999}"|\'[^\']{0,999}\'|[^\\s\\]"\']{1,999})|\\s{1,9}"[^"]{0,999}"|\\s{1,9}(?:https?:)?\\/\\/[^\\s[\\]"\'<>]{1,1999}|\\s{1,9}(?!(?:https?:)?\\/\\/)[\\w:/.-]{1,200}){0,30})\\s{0,9}\\/?\\](?!\\])/gi':
    "a value of 2,000 characters and 30 attributes of 2,010 from each bracket",
  "readers/markdown/inherited/eleventy-marks.ts /\\b(?:draft|isDraft|hidden|private|unlisted|published?|public|visibility|status|password|expiryDate|eleventyExcludeFromCollections)\\b|permalink[^\\n]{0,200}\\bfalse\\b/i":
    "200 characters from each `permalink`",
  "decoding/guess-encoding.ts /^[\\p{P}\\p{Z}\\p{S}]+|[\\p{P}\\p{Z}\\p{S}]+$/gu": "a run of 40 characters",
  "database/schema/write-rows.ts /^create table (\\w+) \\((.*?)\\)(?: with \\(.*\\))?$/": "our own schema",
  "database/schema/write-rows.ts /, (?![^(]*\\))/": "our own schema",
  "database/schema/write-rows.ts / check \\(\\w+ in \\(('.*?')\\)\\)/": "our own schema",
  "library/entries/shared-address.ts /\\[([^\\]]{1,1000})\\]\\(<?$/": "1,100 characters",
};

/** Calls of `new RegExp` with a pattern that was written elsewhere. */
const COMPUTED: readonly string[] = [
  `readers/markdown/inherited/program-marks.ts new RegExp(String.raw\`\\b(\${members})["']?\\s{0,9}[:=]\\s{0,99}\`, "g")`,
  "readers/markdown/inherited/program-marks.ts new RegExp(member.source, member.flags)",
  "readers/html/replace-between.ts new RegExp(opening.source, opening.flags)",
  'readers/html/replace-between.ts new RegExp(closing, "gim")',
];

/** What reads markup with htmlparser2's own parser, which takes quadratic time in the depth, each with what bounds it. */
const PARSERS: Readonly<Record<string, string>> = {
  "copies/extraction/page-tree.ts": "256 elements within each other",
  "decoding/embedded.ts": "a thread with a deadline, which renders posts",
  "decoding/html-markdown.ts": "100 elements within each other",
  "posts/rendering/hidden-elements.ts": "the same thread",
  "posts/rendering/summarize.ts": "the same thread",
  "readers/html/html-content.ts": "100,000 characters, in a process with limits",
  "readers/html/not-shown.ts": "the same process",
};

const found = FILES.map((file) => ({
  file,
  ...findPatterns(readFileSync(join(SOURCE, file), "utf8"), file.endsWith("x") ? "tsx" : "ts"),
}));
const patterns = found.flatMap(({ file, patterns }) => patterns.map((pattern) => ({ file, pattern })));

describe("The patterns of the source", () => {
  test("are found in every kind of file, however they are written", () => {
    const source = `
      const one = text.replace(/a\\/[/x]+/giu, "") as string;
      const two = <p title={/"+/.source}>{1 / 2} "/no/" {names.map((name) => /b+/.exec(name))}</p>;
      const three = new RegExp(\`^(?:\${NAMES})+$\`, "i");
      // /no/
      const four = new RegExp(other.source);`;
    expect(findPatterns(source, "tsx")).toEqual({
      patterns: [/a\/[/x]+/giu, /"+/, /b+/, /^(?:x)+$/i],
      computed: ["new RegExp(other.source)"],
    });
    expect(patterns.length).toBeGreaterThan(150);
    expect(patterns.some(({ file }) => file.endsWith(".tsx"))).toBeTrue();
  });

  test("include every listed exception, and those that are computed are listed", () => {
    const names = patterns.map(({ file, pattern }) => `${file} ${pattern}`);
    for (const name of Object.keys(EXCEPTIONS)) expect(names).toContain(name);
    expect(found.flatMap(({ file, computed }) => computed.map((call) => `${file} ${call}`))).toEqual([
      ...COMPUTED,
    ]);
  });
});

describe("The analysis", () => {
  test.each([
    [/\/+$/, "//"],
    [/\s*\n\s*/g, "\t"],
    [/[^/]*$/, "0"],
    [/<a[^>]*>/, "<a0"],
    [/(\w+)\s*=\s*"/, "00"],
    [/^(\w+\s?)*$/, "00"],
    [/(a*)*b/y, "a"],
    [/(?:a|a)*$/y, "aa"],
    [/^a*?a*b/, "a"],
    [/a(?:.*x)?/g, "a0"],
    [/a(?=.*x)/g, "a0"],
    [/^```[^\n]*\n/gm, "\r```0"],
    [/(["'])(?:(?!\1).)*\1/, '"0'],
    [/(?<=x.*)y/, "a look behind without a bound: (?<=x.*)"],
    [/(?i:a)b/, "modifiers: (?i:a)"],
  ])("names a text on which %p may take more than linear time", (pattern, text) =>
    expect(slowText(pattern)).toBe(text),
  );

  test.each([
    /a+/g,
    /[^/]*\//y,
    /^\s*x/,
    /(?<![/])\/+$/,
    /<a[^<>]*>/,
    /#.*$/s,
    /^\w+$/m,
    /\n(?:[ \t]*\n)+/g,
    /(?:%[\da-f]{2})+/gi,
    /\d{1,5}:/,
    /\b\w+;/,
    /(?<!\p{L})\p{L}+$/u,
    /(?:x?)*y/y,
    /^(["'])[^"']*\1/,
  ])("finds nothing wrong with %p", (pattern) => expect(slowText(pattern)).toBeUndefined());
});

describe("Linear time", () => {
  for (const { file, pattern } of patterns) {
    if (`${file} ${pattern}` in EXCEPTIONS) continue;
    test(`is enough for ${pattern} of ${file}`, () => {
      expect(slowText(pattern)).toBeUndefined();
    });
  }

  test.each(patterns.filter(({ file, pattern }) => `${file} ${pattern}` in EXCEPTIONS))(
    "is not shown for the exception $pattern of $file",
    ({ pattern }) => {
      expect(slowText(pattern)).toBeDefined();
    },
  );
});

test("Markup is read by the parser that takes quadratic time only where something bounds it", () => {
  const users = FILES.filter((file) =>
    /\b(?:Parser|parseDocument)\b[^;]*from "htmlparser2"/.test(readFileSync(join(SOURCE, file), "utf8")),
  );
  expect(users.sort()).toEqual(Object.keys(PARSERS));
});
