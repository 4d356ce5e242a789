/**
 * Runs the program with one mistake at a time until the checker finds it, or a minute is over:
 *
 *     npx bun test/histories/run-mutants.ts [--seed N] [--engine sqlite|postgres|standbys] [WORD…]
 *
 * Words select the mistakes whose names contain them.
 */
import { parseArgs } from "node:util";
import { buildMutant } from "./mutant.ts";
import { MUTANTS_OF_READS } from "./mutants-of-reads.ts";
import { MUTANTS_OF_WRITES } from "./mutants-of-writes.ts";
import { runHistories } from "./run.ts";

/** How long a mistake may stay undetected, in milliseconds. */
const DEADLINE = 60_000;

// Exits normally on a signal, since the servers are ended on exit.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
const { values, positionals } = parseArgs({
  options: { seed: { type: "string" }, engine: { type: "string" }, verbose: { type: "boolean" } },
  allowPositionals: true,
});
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
console.log(`seed ${seed}`);
let missed = 0;
for (const mutant of [...MUTANTS_OF_READS, ...MUTANTS_OF_WRITES]) {
  if (!positionals.every((word) => mutant.name.includes(word))) continue;
  using built = buildMutant(mutant);
  for (const engine of mutant.engines) {
    if (values.engine !== undefined && values.engine !== engine) continue;
    const { faults, seconds, calls } = await runHistories({
      engine,
      seed,
      kills: false,
      command: built.command,
      duration: DEADLINE,
    });
    if (faults.length === 0) missed++;
    const result =
      faults.length > 0 ? `found after ${seconds.toFixed(1)} s` : `NOT FOUND in ${seconds.toFixed(1)} s`;
    console.log(`${engine}: ${mutant.name}: ${result}, ${calls} requests`);
    const shown = values.verbose
      ? faults.slice(0, 3)
      : faults.slice(0, 1).map((fault) => fault.slice(0, 160));
    for (const fault of shown) console.log(`    ${fault}`);
  }
}
console.log(missed === 0 ? "All were found." : `${missed} were not found.`);
process.exitCode = missed === 0 ? 0 : 1;
