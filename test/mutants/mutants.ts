/**
 * `npm run mutants`: makes one small mistake at a time in lines of `src` drawn by lot, and lists those that no test
 * notices. For each it runs the nearest tests first, then `npm test`, in copies of the tree.
 *
 *   --lines 20          how many lines
 *   --seed 7            draws the same lines again
 *   --only src/posts    only lines below this path; may be repeated
 *   --not src/search    no line below this path; may be repeated
 *   --nearest           only the nearest tests, not `npm test`
 *   --at-once 2         how many mistakes at a time
 *   --list              shows the mistakes and runs nothing
 */
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Random } from "../support/run/random.ts";
import { Copy } from "./copy.ts";
import { diff, draw, type Mutant } from "./draw.ts";
import { nearestTests } from "./nearest-tests.ts";

const ROOT = join(import.meta.dir, "../..");
/** A run that takes longer hangs, in milliseconds. */
const LIMITS = { some: 120_000, all: 1_800_000 };

const { values } = parseArgs({
  options: {
    lines: { type: "string", default: "20" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string", multiple: true, default: ["src"] },
    not: { type: "string", multiple: true, default: [] },
    nearest: { type: "boolean", default: false },
    "at-once": { type: "string", default: String(Math.max(1, Math.floor(availableParallelism() / 2))) },
    list: { type: "boolean", default: false },
  },
});

const copies: Copy[] = [];
const removeCopies = () => {
  for (const copy of copies.splice(0)) copy[Symbol.dispose]();
};
process.on("exit", removeCopies);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(1));

const isBelow = (file: string, paths: readonly string[]) => paths.some((path) => file.startsWith(path));
const files = [...new Bun.Glob("src/**/*.{ts,tsx}").scanSync(ROOT)]
  .filter(
    (file) => !/\.(?:test|d)\.tsx?$/.test(file) && isBelow(file, values.only) && !isBelow(file, values.not),
  )
  .toSorted();
console.log(`seed ${values.seed}, ${files.length} files`);
const mutants = await draw(ROOT, files, Number(values.lines), new Random(Number(values.seed)));
const nearest = nearestTests(ROOT);
/** Files of tests that fail without any mistake: they notice nothing. */
const failing = new Map<string, boolean>();
const missed: Mutant[] = [];
let noticed = 0;
const waiting = [...mutants];
if (values.list) for (const mutant of mutants) console.log(`${diff(mutant)}\n`);
else await Promise.all(Array.from({ length: Number(values["at-once"]) }, (_, index) => work(index)));

for (const mutant of missed) console.log(`\n${diff(mutant)}`);
const all = noticed + missed.length;
if (!values.list) console.log(`\n${noticed} of ${all} noticed (${Math.round((100 * noticed) / all)} %)`);

async function work(index: number): Promise<void> {
  const copy = new Copy(ROOT, join(tmpdir(), `commonplace-mutants-${process.pid}-${index + 1}`));
  copies.push(copy);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const by = await noticedBy(copy, next);
    if (by !== undefined) noticed++;
    else if (isRefused(copy, next)) continue;
    else missed.push(next);
    console.log(`${next.file}:${next.line}: ${next.kind}: ${by ?? "NOT NOTICED"}`);
  }
}

/** @returns the test that notices a mistake, if one does */
async function noticedBy(copy: Copy, { file, before, after }: Mutant): Promise<string | undefined> {
  const groups = values.nearest ? nearest(file) : [...nearest(file), []];
  for (const paths of groups) {
    let left = paths;
    for (;;) {
      const limit = paths.length > 0 ? LIMITS.some : LIMITS.all;
      copy.write(file, after);
      const outcome = await copy.runTests(left, limit);
      copy.write(file, before);
      if (outcome.failed === undefined) break;
      const { file: test } = outcome;
      if (test === undefined || !(await failsAnyway(copy, test))) return `${test ?? ""}: ${outcome.failed}`;
      left = left.filter((path) => path !== test);
      if (paths.length === 0)
        throw new Error(`${test} fails without a mistake, so that npm test can notice none: mend it first.`);
      if (left.length === 0) break;
    }
  }
  return undefined;
}

async function failsAnyway(copy: Copy, test: string): Promise<boolean> {
  const fails = failing.get(test) ?? (await copy.runTests([test], LIMITS.some)).failed !== undefined;
  if (fails && !failing.has(test)) console.log(`${test} fails without a mistake and is left out.`);
  failing.set(test, fails);
  return fails;
}

/** Whether the compiler refuses a mistake for what it does to another file. */
function isRefused(copy: Copy, { file, before, after }: Mutant): boolean {
  copy.write(file, after);
  const isTyped = copy.isTyped();
  copy.write(file, before);
  return !isTyped;
}
