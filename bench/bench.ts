import { parseArgs } from "node:util";
import { chooseLoad } from "./load.ts";
import { chooseCores, describeMachine, pinThisProcess } from "./machine.ts";
import type { Report } from "./report.ts";
import { failed, type Result, type Round, summarise } from "./result.ts";
import type { Row } from "./row.ts";
import { rows } from "./rows.ts";
import { Stage, type StageOptions } from "./stage.ts";
import { asTable } from "./table.ts";

const HELP = `npm run bench -- [--only NAME]... [--quick] [--json]

  --only NAME  measure this row alone: ${rows.map(({ name }) => name).join(", ")}
  --quick      short rounds and few, for a try
  --json       print the report as JSON

Measures the goals of the design, each against its limit in the same run (docs/benchmarks.md).
Exits with 1 when a row could not be measured, with 2 for a wrong call.`;

interface Options {
  readonly chosen: readonly Row[];
  readonly quick: boolean;
  readonly json: boolean;
}

process.exit(await bench(readWords()));

/** @returns the exit code */
async function bench({ chosen, quick, json }: Options): Promise<number> {
  const cores = chooseCores();
  const machine = describeMachine(cores);
  pinThisProcess(cores);
  const load = chooseLoad();
  const effort = quick ? { seconds: 1, warmUpSeconds: 1 } : { seconds: 2, warmUpSeconds: 3 };
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interruption.abort());

  const results: Result[] = [];
  for (const row of chosen) {
    console.error(`${row.figure} …`);
    const options = { cores, load, interruption: interruption.signal, ...effort };
    results.push(await resultOf(row, options, quick ? Math.ceil(row.rounds / 3) : row.rounds));
    if (interruption.signal.aborted) return 130;
  }
  const time = new Date().toISOString();
  const report: Report = { time, machine, load: load.name, quick, rows: results };
  console.log(json ? JSON.stringify(report, null, 2) : asTable(report));
  return results.some(({ failure }) => failure !== undefined) ? 1 : 0;
}

/** Measures a row. Limit and ours take turns, so that a machine that drifts drifts for both. */
async function resultOf(row: Row, options: StageOptions, count: number): Promise<Result> {
  await using stage = new Stage(options);
  try {
    const { limit, ours } = await row.prepare(stage);
    const rounds: Round[] = [];
    for (let round = 0; round < count; round++) rounds.push({ limit: await limit?.(), ours: await ours() });
    return summarise(row, rounds, options.cores.server.length > 0);
  } catch (error) {
    return failed(row, error);
  }
}

/** Reads the command line; ends the process where it is wrong, or asks for help. */
function readWords(): Options {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string", multiple: true, default: [] },
        quick: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) {
      console.log(HELP);
      process.exit(0);
    }
    const { only, quick, json } = values;
    const unknown = only.find((name) => !rows.some((row) => row.name === name));
    if (unknown !== undefined) throw new Error(`There is no row ${unknown}.`);
    return { chosen: only.length === 0 ? rows : rows.filter(({ name }) => only.includes(name)), quick, json };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    process.exit(2);
  }
}
