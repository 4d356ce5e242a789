import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Random } from "../support/run/random.ts";
import { temporaryFolder } from "../support/server/server.ts";
import { failureIn } from "./copy.ts";
import { draw } from "./draw.ts";
import { nearestTests } from "./nearest-tests.ts";

/** A line, and two of the mistakes that can be made in it. */
const LINES = [
  ["if (n < 7) throw new Error();", "if (!(n < 7)) throw new Error();", "if (n <= 7) throw new Error();"],
  [
    "const kept = list.filter(Boolean).length + 1;",
    "const kept = list.length + 1;",
    "const kept = list.filter(Boolean).length + 2;",
  ],
  [
    'await save({ kept, role: "read" });',
    'save({ kept, role: "read" });',
    'await save({ kept, role: "write" });',
  ],
  ["await save({ kept });", "{}", "await save({  });"],
  [
    "await query(`select 1 from t where a = 1 and b < 2`);",
    "await query(`select 1 from t where true or a = 1 and b < 2`);",
    "await query(`select 1 from t where a = 1 or b < 2`);",
  ],
] as const;
const DECLARED = [
  'declare function save(what: { kept?: number; role?: "read" | "write" }): Promise<void>;',
  "declare function query(text: string): Promise<void>;",
];
/** So often are the lines there, since each gets one mistake. */
const TIMES = 40;
const BLOCK = [
  "export const it = async (n: number, list: unknown[]) => {",
  ...LINES.map(([line]) => line),
  "  return kept;",
  "};",
];

test("mistakes change one line so that it still compiles, the same ones for the same seed", async () => {
  using folder = temporaryFolder();
  const compilerOptions = { strict: true, noEmit: true, target: "esnext", types: [] };
  writeFileSync(folder.file("tsconfig.json"), JSON.stringify({ compilerOptions, include: ["a.ts"] }));
  const blocks = Array.from({ length: TIMES }, (_, n) => BLOCK.join("\n").replace(" it ", ` it${n} `));
  writeFileSync(folder.file("a.ts"), [...DECLARED, ...blocks].join("\n"));
  const root = dirname(folder.file("a.ts"));
  const mutants = await draw(root, ["a.ts"], Number.POSITIVE_INFINITY, new Random(7));
  const made = mutants.map(({ line, after }) => ({
    of: BLOCK[(line - 1 - DECLARED.length) % BLOCK.length],
    now: after.split("\n")[line - 1],
  }));
  for (const [line, ...mistakes] of LINES) {
    const ofLine = made.filter(({ of }) => of === line).map(({ now }) => now);
    expect(ofLine).not.toContain(line);
    expect(ofLine).toEqual(expect.arrayContaining(mistakes));
  }
  expect(await draw(root, ["a.ts"], 3, new Random(7))).toEqual(mutants.slice(0, 3));
});

test("the nearest tests are those beside a file or that import it, then those of its area", () => {
  const nearest = nearestTests(join(import.meta.dir, "../.."));
  expect(nearest("src/tags/retag.ts")[0]).toEqual(["src/tags/retag.test.ts"]);
  expect(nearest("src/posts/comments/comment-store.ts").flat()).toContain(
    "test/contract/comments/comments.test.ts",
  );
  expect(nearest("src/accounts/sign-in/session-store.ts").flat()).toContain(
    "test/contract/accounts/sessions.test.ts",
  );
});

test("the test that failed is found in what the tests print", () => {
  const output =
    "src/a.test.ts:\n(pass) one\n\ntest/b.test.ts:\nerror: no\n(fail) two > three [1.50ms]\n(fail) four\n";
  expect(failureIn(output)).toEqual({ failed: "two > three", file: "test/b.test.ts" });
  expect(failureIn("src/a.test.ts:\n(pass) one (fail) [0.10ms]\n 1 pass\n")).toBeUndefined();
});
