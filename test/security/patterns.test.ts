import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startCpuTimer } from "../support/machine/cpu-time.ts";
import { findPatterns } from "../support/patterns/find-patterns.ts";
import { type HostileText, hostileTexts } from "../support/patterns/hostile-texts.ts";

const SOURCE = join(import.meta.dir, "../../src");
const FILES = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(SOURCE)].filter(
  (file) => !/\.(?:test|d)\.tsx?$/.test(file),
);

/** The shortest and the longest text that a pattern gets, in characters: no header or address is longer. */
const SHORTEST = 1_000;
const LONGEST = 32_000;
/** Processor time that can be compared, in milliseconds: less is measured with a longer text. */
const COMPARABLE = 0.5;
/** How often each length is measured; the least counts, since whatever disturbs only adds. */
const TIMES = 5;
/** Four times the text takes four times the time in linear time, and 16 times the time in quadratic time. */
const MOST = 9;

/** Patterns that only ever see short texts, or texts of our own making, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "web/assets.ts /\\/\\*.*?\\*\\//gs": "our own style sheets",
  "web/assets.ts /^\\s*\\/\\*\\*.*?\\*\\/$/gms": "our own scripts",
  "web/assets.ts /^\\s*\\/\\/.*$/gm": "our own scripts",
  "posts/rendering/summarize.ts /[^\\s.]{3}[.!?…]+[\"'”’»)\\]]*\\s$|[。！？][”」』）]*\\s?$/u":
    "an excerpt of 280 characters",
  "accounts/sign-in/password.ts /=+$/": "the base64 of 16 or 32 bytes",
  "database/postgres/errors.ts /\\(\\d+,\\d+\\)[^\"«„“‘']*[\"«„“‘']\\s*(\\w+)/": "the words of PostgreSQL",
  "transfer/reading/foreign-values.ts /(?:GMT|UTC|Z|[+-]\\d\\d:?\\d\\d)(?:\\s*\\(.*\\))?$/i":
    "100 characters",
};

/** Calls of `new RegExp` with a pattern that was written elsewhere. */
const COMPUTED: readonly string[] = [
  "transfer/html/replace-between.ts new RegExp(opening.source, opening.flags)",
  'transfer/html/replace-between.ts new RegExp(closing, "gim")',
];

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

describe("The measure", () => {
  test.each([/\/+$/, /\s*\n\s*/g, /[^/]*$/, /<a[^>]*>.*<\/a>/, /(\w+)\s*=\s*"/])(
    "finds that %p takes more than linear time",
    (pattern) => expect(slowText(pattern, hostileTexts(pattern))).toBeDefined(),
  );

  test.each([/a+/g, /[^/]*\//y, /^\s*x/, /(?<![/])\/+$/])("finds nothing wrong with %p", (pattern) =>
    expect(slowText(pattern, hostileTexts(pattern))).toBeUndefined(),
  );
});

describe("Linear time", () => {
  for (const { file, pattern } of patterns) {
    if (`${file} ${pattern}` in EXCEPTIONS) continue;
    test(`is enough for ${pattern} of ${file}`, () => {
      expect(slowText(pattern, hostileTexts(pattern))).toBeUndefined();
    });
  }
});

/** The first text with which the time of a pattern grows faster than the length. */
function slowText(pattern: RegExp, texts: readonly HostileText[]): HostileText | undefined {
  return texts.find((text) => {
    for (let length = SHORTEST; length <= LONGEST; length *= 2) {
      if (timeOf(pattern, text, length) < COMPARABLE) continue;
      // In turns, since the engine compiles a pattern after some uses.
      const turns = Array.from({ length: TIMES }, () => ({
        short: timeOf(pattern, text, length),
        long: timeOf(pattern, text, 4 * length),
      }));
      const short = Math.min(...turns.map(({ short }) => short));
      const long = Math.min(...turns.map(({ long }) => long));
      // The first time may have been a pause of the machine.
      if (short >= COMPARABLE) return long > MOST * short;
    }
    return false;
  });
}

/** The processor time for a search or a replacement in a text of a length, in milliseconds. */
function timeOf(pattern: RegExp, { start, piece, end }: HostileText, length: number): number {
  const text = start + piece.repeat(Math.ceil(length / piece.length)) + end;
  pattern.lastIndex = 0;
  const cpuTime = startCpuTimer();
  if (pattern.sticky) pattern.exec(text);
  else if (pattern.global) text.replace(pattern, "");
  else text.search(pattern);
  return cpuTime();
}
