import { expect } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COUNTER, countedCode } from "./counted-code.ts";
import { COUNTED_METHODS, countedCall, lengthOf } from "./counted-methods.ts";

/**
 * Modules that count their steps, with all that they import: calls, rounds of loops, and the characters and members that methods
 * of the engine look at. The same work always takes the same number of steps, on any machine.
 *
 * Their classes are their own: an error is no instance of the class that a test imports.
 * @param urls of the modules, as `import.meta.resolve` returns them
 * @returns what all of them export
 */
export function countingModules<Exports>(...urls: readonly string[]): Promise<Exports> {
  const name = urls.join();
  const built = BUILT.get(name) ?? build(urls);
  BUILT.set(name, built);
  return built as Promise<Exports>;
}

const BUILT = new Map<string, Promise<unknown>>();

async function build(urls: readonly string[]): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), "counting-"));
  try {
    const all = join(folder, "all.ts");
    const paths = urls.map((url) => JSON.stringify(fileURLToPath(url)));
    writeFileSync(all, paths.map((path) => `export * from ${path};\n`).join(""));
    const { outputs, logs } = await Bun.build({ entrypoints: [all], target: "bun", throw: false });
    const [output] = outputs;
    if (output === undefined) throw new AggregateError(logs, `${urls} cannot be built`);
    const code = countedCode(await output.text(), COUNTED_METHODS);
    const file = join(folder, "counting.js");
    writeFileSync(file, `const ${COUNTER} = globalThis[Symbol.for("${COUNTER}")];\n${code}`);
    return await import(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const counter = {
  count: 0,
  methods: Object.fromEntries([...COUNTED_METHODS].map((name) => [name, Symbol(name)])),
  all<Value>(value: Value): Value {
    this.count += lengthOf(value);
    return value;
  },
};

for (const [name, symbol] of Object.entries(counter.methods))
  Object.defineProperty(Object.prototype, symbol, {
    value: function (this: unknown, ...values: readonly unknown[]) {
      const { result, count } = countedCall(this, name, values);
      counter.count += count;
      return result;
    },
  });
Object.defineProperty(globalThis, Symbol.for(COUNTER), { value: counter });

/** The steps that a work takes in modules that count. */
export async function stepsOf(work: () => unknown): Promise<number> {
  const before = counter.count;
  await work();
  return counter.count - before;
}

/** Characters or members of the shorter input: enough that a square of it is more than all else. */
const LENGTH = 1_000;
/** Four times the input takes four times the steps, or a little more where it is sorted; with a square, sixteen times. */
const MOST = 6;

/**
 * Expects that the steps of a work grow with its input alone.
 * @param work is done with an input of about a length
 * @param options.name of the work, for the message
 */
export async function expectLinear(
  work: (length: number) => unknown,
  { length = LENGTH, name = "" } = {},
): Promise<void> {
  const [short, long] = await growthOf(work, length);
  const steps = `${name} ${short} steps for ${length}, ${long} for four times as much`.trimStart();
  expect(long, steps).toBeLessThan(MOST * short);
}

/** The steps of a work with an input of a length, and with one of four times the length. */
export async function growthOf(
  work: (length: number) => unknown,
  length: number,
): Promise<readonly [number, number]> {
  // What is done once only, such as filling a table, is no part of it.
  await work(length);
  const short = await stepsOf(() => work(length));
  expect(short, "The work is done by modules that do not count.").toBePositive();
  return [short, await stepsOf(() => work(4 * length))];
}
