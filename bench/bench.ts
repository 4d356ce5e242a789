import { asComparison } from "./compare.ts";
import { writeInto } from "./document.ts";
import { chooseLoad } from "./load/choose-load.ts";
import { chooseCores, describeMachine, pinThisProcess } from "./machine.ts";
import { type Options, readOptions } from "./options.ts";
import { watchOtherPrograms } from "./other-programs.ts";
import { stopPostgres } from "./postgres.ts";
import type { Report } from "./report.ts";
import { failed, type Result, type Round, summarise } from "./result.ts";
import type { Row } from "./row.ts";
import { Stage, type StageOptions } from "./stage.ts";
import { asTable } from "./table.ts";

process.exit(await bench(readOptions()));

/** @returns the exit code */
async function bench({ chosen, quick, json, before, write }: Options): Promise<number> {
  const cores = chooseCores();
  const machine = describeMachine(cores);
  pinThisProcess(cores.load);
  const load = chooseLoad();
  const effort = quick ? { seconds: 1, warmUpSeconds: 0 } : { seconds: 1, warmUpSeconds: 2 };
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interruption.abort());

  const results: Result[] = [];
  for (const [index, row] of chosen.entries()) {
    console.error(`${index + 1}/${chosen.length} ${row.figure} …`);
    const options = { cores, load, quick, interruption: interruption.signal, ...effort };
    const rounds = quick ? 1 : row.rounds;
    results.push(...(await resultsOf(row, options, rounds, machine)));
    if (interruption.signal.aborted) break;
  }
  await stopPostgres();
  if (interruption.signal.aborted) return 130;
  const time = new Date().toISOString();
  const report: Report = { time, machine, load: load.name, quick, rows: results };
  console.log(json ? JSON.stringify(report, null, 2) : asTable(report));
  if (before !== undefined) console.log(`\n${asComparison(before, report)}`);
  if (write !== undefined) writeInto(write, report);
  return results.some(({ failure }) => failure !== undefined) ? 1 : 0;
}

/** Measures a row. The limit and our server take turns, so that changes on the machine affect both. */
async function resultsOf(
  row: Row,
  options: StageOptions,
  count: number,
  machine: Report["machine"],
): Promise<Result[]> {
  await using stage = new Stage(options);
  try {
    const { limit, ours } = await row.prepare(stage);
    const rounds: Round[] = [];
    for (let round = 0; round < count; round++) {
      const others = watchOtherPrograms(options.cores.measured);
      rounds.push({ limit: await limit?.(), ours: await ours(), others: others() });
    }
    return summarise(row, rounds, machine);
  } catch (error) {
    return failed(row, error);
  }
}
