import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { childrenOf } from "../server/processes.ts";

const ROOT = join(import.meta.dir, "../../..");
/** How long processes have to end by themselves, in milliseconds. */
const PATIENCE = 3_000;

/**
 * Without its slowest compiler and with one thread that marks garbage, the engine takes less CPU time for code that
 * runs a few times. The servers and commands under test have environments of their own.
 */
const FRUGAL_ENGINE = { BUN_JSC_useFTLJIT: "0", BUN_JSC_numberOfGCMarkers: "1" };

/** Some test files for one process of `bun test`. */
export interface Batch {
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Further arguments of `bun test`. */
  readonly words: readonly string[];
}

/** What a test file has said, without the names of the tests that passed. */
export interface Said {
  readonly file: string;
  readonly hasFailed: boolean;
  readonly lines: readonly string[];
}

/** The results of a batch. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** The names of the skipped tests. */
  readonly skipped: readonly string[];
}

/** Processes of `bun test`, and what has come of them. */
export class BunTests {
  readonly #running = new Set<Subprocess>();
  readonly #log: string;
  readonly #onFile: (said: Said) => void;
  #isEnding = false;

  /**
   * @param log a file for all output
   * @param onFile is told of each file when its tests have ended
   */
  constructor(log: string, onFile: (said: Said) => void) {
    this.#log = log;
    this.#onFile = onFile;
  }

  async run({ files, env, words }: Batch): Promise<Outcome> {
    if (this.#isEnding) return { passed: 0, failed: 0, skipped: [] };
    const all = ["test", "--no-orphans", ...words, ...files.map((file) => `./${file}`)];
    // One pipe for both streams, so that their lines stay in order.
    const child = Bun.spawn(["sh", "-c", 'exec "$0" "$@" 2>&1', process.execPath, ...all], {
      cwd: ROOT,
      env: { ...process.env, ...FRUGAL_ENGINE, ...env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    this.#running.add(child);
    const reading = this.#read(child.stdout);
    const code = await child.exited;
    const outcome = await reading;
    this.#running.delete(child);
    // A process that a test has ended says nothing of its other tests.
    const isWhole = outcome.isWhole && (code === 0) === (outcome.failed === 0);
    return isWhole || this.#isEnding ? outcome : { ...outcome, failed: outcome.failed + 1 };
  }

  /** Ends all that run, with the processes that they have started. */
  async end(): Promise<void> {
    this.#isEnding = true;
    const children = [...this.#running];
    for (const child of children) child.kill("SIGINT");
    const ended = Promise.all(children.map(({ exited }) => exited));
    await Promise.race([ended, Bun.sleep(PATIENCE)]);
    // One that computes does not hear the signal.
    for (const child of children.filter(
      ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
    ))
      for (const pid of [...descendantsOf(child.pid), child.pid]) kill(pid);
    await ended;
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<Outcome & { isWhole: boolean }> {
    let file = "";
    let lines: string[] = [];
    let failedBefore = 0;
    let passed = 0;
    let failed = 0;
    let isWhole = false;
    /** At the end, the failures are listed once more. */
    let isListed = false;
    const skipped: string[] = [];
    const finish = () => this.#onFile({ file, hasFailed: failed > failedBefore || !isWhole, lines });
    for await (const line of linesOf(stream)) {
      appendFileSync(this.#log, `${line}\n`);
      isListed ||= /^\d+ tests? (?:failed|skipped):$/.test(line);
      if (isListed && !line.startsWith("Ran ")) continue;
      const [, next] = /^(\S+\.test\.tsx?):$/.exec(line) ?? [];
      if (next !== undefined) {
        isWhole = true;
        if (file !== "") finish();
        isWhole = false;
        [file, lines, failedBefore] = [next, [], failed];
      } else if (line.startsWith("(pass) ")) passed++;
      else if (line.startsWith("(skip) ")) skipped.push(line.slice("(skip) ".length));
      else if (line.startsWith("Ran ")) isWhole = true;
      else if (!/^ *\d+ (?:pass|fail|skip|error|expect\(\) call)s?$/.test(line)) lines.push(line);
      if (line.startsWith("(fail) ") || line.startsWith("# Unhandled error")) failed++;
    }
    finish();
    return { passed, failed, skipped, isWhole };
  }
}

function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [...descendantsOf(child), child]);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
