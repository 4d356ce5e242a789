import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkDatabase } from "../../../src/checks/check-database.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { inspectDatabase } from "../../../src/database/open-inspection.ts";
import { messageOf } from "../../../src/errors.ts";
import { Random } from "../../support/run/random.ts";
import { readContents } from "./contents.ts";
import { Disk, type Files } from "./disk.ts";
import { BACKUP, DATABASE, stateOfBytes } from "./marks.ts";
import type { Operation } from "./operations.ts";
import type { Contents } from "./promises.ts";
import type { Recording } from "./recording.ts";
import { drawSurvivors } from "./survivors.ts";

/** Which states to build. */
export interface Exploration {
  readonly seed: number;
  /** The numbers of the states. A number and a seed always give the same state of a recording. */
  readonly from: number;
  readonly to: number;
  /** The numbers of operations to leave out. */
  readonly without?: ReadonlySet<number>;
  /** The folder in which the states are built, one after another. */
  readonly folder: string;
}

/** A state that breaks a promise. */
export interface Violation {
  readonly number: number;
  readonly moment: string;
  readonly faults: readonly string[];
}

/** Makes a folder for states, in memory if the machine has such folders. */
export function stateFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "commonplace-power-cuts-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Builds states after power cuts, opens each one, and compares it with the confirmed operations. */
export async function* explore(recording: Recording, exploration: Exploration): AsyncGenerator<Violation> {
  const { seed, from, to, without, folder } = exploration;
  const moments = new Moments(recording.operations);
  const states = Array.from({ length: to - from }, (_, index) => {
    const random = new Random(Math.imul(seed, 1_000_003) + from + index);
    return { number: from + index, at: moments.draw(random), random };
  }).sort((one, other) => one.at - other.at);
  const disk = new Disk();
  let done = 0;
  for (const { number, at, random } of states) {
    for (; done <= at; done++) {
      const operation = recording.operations[done];
      if (operation !== undefined && without?.has(done) !== true) disk.apply(operation, done);
    }
    const survivors = drawSurvivors(random, at);
    const faults = await faultsOf(disk.stateAfter(survivors), { recording, at, folder, random });
    const moment = `after operation ${at} (${inWords(recording.operations[at])}), ${survivors.name} on the disk`;
    if (faults.length > 0) yield { number, moment, faults };
  }
}

/** The number of states within which a known fault must show, and the number between two checks for it. */
const ENOUGH = 2_000;
const BATCH = 20;

/** @returns roughly how many states were built before one broke a promise; undefined if none did */
export async function statesUntilViolation(
  recording: Recording,
  exploration: Omit<Exploration, "from" | "to">,
): Promise<number | undefined> {
  for (let from = 0; from < ENOUGH; from += BATCH)
    for await (const _ of explore(recording, { ...exploration, from, to: from + BATCH })) return from + BATCH;
  return undefined;
}

interface Case {
  readonly recording: Recording;
  readonly at: number;
  readonly folder: string;
  readonly random: Random;
}

async function faultsOf(files: Files, { recording, at, folder, random }: Case): Promise<string[]> {
  const { promises } = recording;
  const backup = files.get(BACKUP);
  const faults = promises.faultsOfBackup(backup === undefined ? null : stateOfBytes(backup()), at);
  rmSync(folder, { recursive: true, force: true });
  for (const [path, contents] of files) {
    if (dirname(path) !== dirname(DATABASE) || isReplaced(path)) continue;
    write(join(folder, path), path.endsWith("-shm") ? staleIndex(random) : contents());
  }
  const location = join(folder, DATABASE);
  let isRestored = false;
  const found = await faultsOfDatabase(location, (contents) => {
    const compared = promises.compare(contents, at);
    isRestored = compared.isRestored;
    return compared.faults;
  });
  faults.push(...found);
  // Nothing changes the replaced database later, so a sample is enough.
  if (isRestored && (!promises.hasRestored(at) || random.chance(0.2))) {
    const [, replaced] = [...files].find(([path]) => isReplaced(path)) ?? [];
    write(`${location}.kept`, replaced?.() ?? Buffer.alloc(0));
    const kept = await faultsOfDatabase(`${location}.kept`, (contents) =>
      promises.compareReplaced(contents, at),
    );
    faults.push(...kept.map((fault) => `the replaced database: ${fault}`));
  }
  return faults;
}

async function faultsOfDatabase(
  location: string,
  compare: (contents: Contents) => readonly string[],
): Promise<string[]> {
  try {
    // Opens it like the server.
    await (await openDatabase(`sqlite:${location}`)).close();
    const inspection = await inspectDatabase(`sqlite:${location}`);
    try {
      const findings = (await checkDatabase(inspection)).filter(({ status }) => status === "problem");
      return [
        ...findings.map(({ check, detail }) => `${check}: ${detail}`),
        ...compare(readContents(location)),
      ];
    } finally {
      await inspection.close();
    }
  } catch (error) {
    return [messageOf(error)];
  }
}

function isReplaced(path: string): boolean {
  return path.startsWith(`${DATABASE}.replaced-`);
}

function write(path: string, contents: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, contents, { mode: 0o600 });
}

/** The index of the log is shared memory. No process syncs it, but the kernel may write it at any time. */
function staleIndex(random: Random): Buffer {
  return Buffer.from(Array.from({ length: random.pick([0, 3, 32_768]) }, () => random.below(256)));
}

/** The moments of a recording at which the power can be cut. */
class Moments {
  readonly #kinds: number[][];
  readonly #kindsByFile: number[][];

  constructor(operations: readonly Operation[]) {
    const numbers = [...operations.keys()];
    this.#kinds = [...Map.groupBy(numbers, (at) => kindOf(operations[at])).values()];
    this.#kindsByFile = [
      ...Map.groupBy(numbers, (at) => inWords(operations[at]).replace(/\d+/g, "")).values(),
    ];
  }

  /**
   * Draws a moment. Most operations are writes to the log, but a few others can do more harm. So half of the
   * moments are drawn evenly by kind of operation, and the other half by kind and file: the rename of a
   * restore then comes as often as all the writes of a backup.
   * @returns the number of the last operation before the power cut
   */
  draw(random: Random): number {
    const groups = random.chance(0.5) ? this.#kinds : this.#kindsByFile;
    return Math.max(0, random.pick(random.pick(groups)) - 1 + random.below(3));
  }
}

function kindOf(operation: Operation | undefined): string {
  if (operation === undefined || !("path" in operation)) return operation?.kind ?? "";
  if (operation.kind !== "write" && operation.kind !== "resize") return operation.kind;
  return operation.path.startsWith(DATABASE) ? operation.path : "others";
}

function inWords(operation: Operation | undefined): string {
  if (operation === undefined) return "none";
  return "path" in operation ? `${operation.kind} ${operation.path}` : operation.kind;
}
