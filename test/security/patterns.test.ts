import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startCpuTimer } from "../support/machine/cpu-time.ts";
import { casesOf } from "../support/run/full-run.ts";

const SOURCE = join(import.meta.dir, "../../src");
/** Far longer than any header or address that gets here; a pattern of quadratic time would take seconds. */
const LENGTH = 20_000;
/** Generous: in linear time it takes less than one. */
const MILLISECONDS = 150;

/** Patterns that only ever see short texts of our own making, with the reason. */
const NOT_FOR_STRANGERS: Readonly<Record<string, string>> = {
  "accounts/sign-in/password.ts /=+$/": "the base64 of 16 or 32 bytes",
  "completion/described.ts /[<[][^>\\]]+[>\\]]$/": "the words of our own command line",
};

/** What patterns are made to repeat, and what makes them fail at the end. */
const PIECES = [
  " ",
  "\t",
  "0",
  "1",
  "9.",
  "a",
  "Z",
  "-",
  ".",
  ":",
  ",",
  '"',
  '"a",',
  "=",
  "%",
  "/",
  "#",
  "#a",
  "[",
  "f:",
];
const ENDS = ["", "!", "\n", " x"];
const STARTS = ["", "Token ", "gzip;q=", "<meta ", '"'];

const patterns = [...new Bun.Glob("**/*.ts").scanSync(SOURCE)]
  .filter((file) => !/\.(?:test|d)\.ts$/.test(file))
  .flatMap((file) =>
    patternsIn(readFileSync(join(SOURCE, file), "utf8")).map((pattern) => ({ file, pattern })),
  );

test("the source has patterns, and every listed exception is one of them", () => {
  expect(patterns.length).toBeGreaterThan(40);
  const names = patterns.map(({ file, pattern }) => `${file} ${pattern}`);
  for (const name of Object.keys(NOT_FOR_STRANGERS)) expect(names).toContain(name);
});

for (const [row, { file, pattern }] of patterns.entries()) {
  if (`${file} ${pattern}` in NOT_FOR_STRANGERS) continue;
  test(`${pattern} of ${file} takes linear time`, () => {
    for (const start of casesOf(STARTS, row))
      for (const piece of PIECES)
        for (const end of casesOf(ENDS, row)) {
          const text = start + piece.repeat(LENGTH / piece.length) + end;
          // The best of three, since a pause of the machine is none of the pattern's.
          const isQuick = timeOf(pattern, text) < MILLISECONDS || timeOf(pattern, text) < MILLISECONDS;
          if (!isQuick && timeOf(pattern, text) > MILLISECONDS) expect({ start, piece, end }).toBeUndefined();
        }
  });
}

function timeOf(pattern: RegExp, text: string): number {
  const cpuTime = startCpuTimer();
  pattern.lastIndex = 0;
  if (pattern.sticky) pattern.exec(text);
  else if (pattern.global) text.replace(pattern, "");
  else text.search(pattern);
  return cpuTime();
}

/** The regular expressions that stand in a source text: a `/` begins one where an operand can stand. */
function patternsIn(source: string): RegExp[] {
  const token =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|(?<=(?:[(,=:[!&|?{};+]|=>|return)\s*)\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/g;
  return [...source.matchAll(token)].flatMap(([, body, flags]) =>
    body === undefined ? [] : [new RegExp(body, flags)],
  );
}
