/**
 * Records histories of concurrent clients on two servers of each engine, kills servers meanwhile, and checks the
 * histories:
 *
 *     npx bun test/histories/main.ts [--engine sqlite|postgres|standbys] [--seconds 60] [--seed N] [--no-kills]
 */
import { parseArgs } from "node:util";
import { runHistories } from "./run.ts";
import { ENGINES, type EngineName } from "./stage.ts";

// Exits normally on a signal, since the servers are ended on exit.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
const { values } = parseArgs({
  options: {
    engine: { type: "string" },
    seconds: { type: "string", default: "60" },
    seed: { type: "string" },
    kills: { type: "boolean", default: true },
  },
  allowNegative: true,
});
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const engines = values.engine === undefined ? ENGINES : [values.engine as EngineName];
for (const engine of engines) {
  const { faults, ...rest } = await runHistories({
    engine,
    seed,
    kills: values.kills,
    duration: Number(values.seconds) * 1_000,
  });
  console.log(`${engine}, seed ${seed}: ${JSON.stringify(rest)}`);
  for (const fault of faults.slice(0, 5)) console.log(fault);
  console.log(faults.length === 0 ? "No violation." : `${faults.length} violations.`);
  if (faults.length > 0) process.exitCode = 1;
}
