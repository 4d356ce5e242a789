/**
 * `npm run power-cuts`: records servers under load and explores the states that power cuts would leave.
 *
 *   --minutes 10           the duration
 *   --seed 7               the seed of the first recording; each further one adds 1
 *   --recording FOLDER     explores an earlier recording, kept after a violation
 *   --state 123            explores only this state of that recording
 */
import { parseArgs } from "node:util";
import { CONTROLS, omittedBy } from "./controls.ts";
import { explore, stateFolder, statesUntilViolation, type Violation } from "./explorer.ts";
import { Recording } from "./recording.ts";
import { canRecord } from "./trace.ts";

/**
 * Recordings of these two kinds alternate: many states of a small database, and some of one that is large
 * enough for checkpoints in a thread.
 */
const MANY = { states: 1_500, size: { writes: 100, clients: 6, imported: 400 } };
const LARGE = { states: 300, size: { writes: 200, clients: 6, imported: 12_000 } };
/** The number of states between two checks of the time. */
const BATCH = 50;
/** The maximum number of violations that are printed. */
const MAX_PRINTED = 10;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    recording: { type: "string" },
    state: { type: "string" },
  },
});

if (!canRecord) {
  console.error("No strace can be used here, so nothing can be recorded.");
  process.exit(2);
}
using folder = stateFolder();
const seed = Number(values.seed);
const deadline = performance.now() + Number(values.minutes) * 60_000;
const total = { recordings: 0, operations: 0, confirmed: 0, states: 0, violations: 0, blind: 0 };

if (values.recording !== undefined) {
  const recording = new Recording(values.recording);
  if (values.state === undefined) await exploreStates(recording, seed, Number.POSITIVE_INFINITY);
  else await exploreBatch(recording, seed, Number(values.state), Number(values.state) + 1);
} else {
  for (let turn = 0; turn === 0 || performance.now() < deadline; turn++) await takeTurn(turn);
}
console.log(
  `${total.recordings} recordings with ${total.operations} operations and ${total.confirmed} confirmed writes, ` +
    `${total.states} states: ${total.violations} violations.`,
);
if (total.violations > 0 || total.blind > 0) process.exitCode = 1;

async function takeTurn(turn: number): Promise<void> {
  const { size, states } = turn % 2 === 0 ? MANY : LARGE;
  const recording = await Recording.make(seed + turn, size);
  const violations = await exploreStates(recording, seed + turn, states);
  await exploreControls(recording, seed + turn);
  if (violations === 0) recording[Symbol.dispose]();
  else console.log(`Kept: ${recording.folder}`);
}

/** @returns the number of violations */
async function exploreStates(recording: Recording, seed: number, most: number): Promise<number> {
  const { operations, promises } = recording;
  let violations = 0;
  let states = 0;
  for (; states < most && (states === 0 || performance.now() < deadline); states += BATCH)
    violations += await exploreBatch(recording, seed, states, states + BATCH);
  console.log(
    `Seed ${seed}: ${operations.length} operations, ${promises.confirmed} confirmed writes, ` +
      `${states} states, ${violations} violations`,
  );
  total.recordings++;
  total.operations += operations.length;
  total.confirmed += promises.confirmed;
  return violations;
}

async function exploreBatch(recording: Recording, seed: number, from: number, to: number): Promise<number> {
  let violations = 0;
  for await (const violation of explore(recording, { seed, from, to, folder: folder.path })) {
    violations++;
    if (++total.violations <= MAX_PRINTED) printViolation(violation, recording, seed);
  }
  total.states += to - from;
  return violations;
}

async function exploreControls(recording: Recording, seed: number): Promise<void> {
  for (const control of CONTROLS) {
    const without = omittedBy(control, recording.operations);
    const states = await statesUntilViolation(recording, { seed, without, folder: folder.path });
    const found = states === undefined ? "NOT FOUND" : `found within ${states} states`;
    console.log(`  ${control.name} (${without.size} syncs left out): ${found}`);
    if (states === undefined) total.blind++;
  }
}

function printViolation({ number, moment, faults }: Violation, recording: Recording, seed: number): void {
  console.log(`State ${number}: ${moment}`);
  for (const fault of faults.slice(0, 5)) console.log(`  ${fault}`);
  if (faults.length > 5) console.log(`  and ${faults.length - 5} more`);
  console.log(`  npm run power-cuts -- --recording ${recording.folder} --seed ${seed} --state ${number}`);
}
