import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { childrenOf } from "../server/processes.ts";

const ROOT = join(import.meta.dir, "../../..");
/** How long processes have to end by themselves, in milliseconds. */
const PATIENCE = 3_000;
/** The longest pause that a timer takes, in milliseconds: three weeks. */
const NEVER = 2 ** 31 - 1;

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

/** The results of a test file. */
export interface FileResult {
  /** Its path, or those of all files of a process that failed though none of them did. */
  readonly file: string;
  readonly passed: number;
  /** The names of the tests that failed, or what else went wrong. */
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
  /** What it has said, without the names of the tests that passed. */
  readonly lines: readonly string[];
}

/** The results of a batch. */
export interface Outcome {
  readonly batch: Batch;
  readonly results: readonly FileResult[];
}

/** The files of a result: as a rule, one. */
export function filesOf({ file }: FileResult): string[] {
  return file.split(" ");
}

/** Processes of `bun test`, and what has come of them. */
export class BunTests {
  readonly #running = new Set<Subprocess>();
  readonly #log: string;
  readonly #onFile: (result: FileResult) => void;
  readonly #silence: number | undefined;
  #isEnding = false;

  /**
   * @param log a file for all output
   * @param onFile is told of each file when its tests have ended
   * @param silence how long a process may say nothing before it is killed, in milliseconds; a test that computes for
   *   ever cannot be ended from within
   */
  constructor(log: string, onFile: (result: FileResult) => void, silence?: number) {
    this.#log = log;
    this.#onFile = onFile;
    this.#silence = silence;
  }

  async run(batch: Batch): Promise<Outcome> {
    const { files, env, words } = batch;
    if (this.#isEnding) return { batch, results: [] };
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
    const reading = this.#read(child, files);
    const code = await child.exited;
    const { results, isWhole } = await reading;
    this.#running.delete(child);
    if (this.#isEnding) return { batch, results };
    // A process that a test has ended says nothing of its other files.
    const missing = files.filter((file) => !isWhole && !results.some((result) => result.file === file));
    const others = missing.map((file) => failure(file, "not run, since its process had ended"));
    if (code === 0 || !isWhole || results.some(({ failed }) => failed.length > 0))
      return { batch, results: [...results, ...others] };
    const ended = failure(files.join(" "), `the process ended with exit code ${code}`);
    return { batch, results: [...results, ended] };
  }

  /** Ends all that run, with the processes that they have started. */
  async end(): Promise<void> {
    this.#isEnding = true;
    const children = [...this.#running];
    for (const child of children) child.kill("SIGINT");
    const ended = Promise.all(children.map(({ exited }) => exited));
    await Promise.race([ended, Bun.sleep(PATIENCE)]);
    // One that computes does not hear the signal.
    for (const child of children) killTree(child);
    await ended;
  }

  async #read(
    child: Subprocess<"ignore", "pipe", "inherit">,
    files: readonly string[],
  ): Promise<{ results: FileResult[]; isWhole: boolean }> {
    const results: FileResult[] = [];
    const begin = (file: string) => ({
      ...{ file, passed: 0 },
      ...{ failed: [] as string[], skipped: [] as string[], lines: [] as string[] },
    });
    let current = begin("");
    const finish = () => {
      results.push(current);
      this.#onFile(current);
    };
    const fail = (what: string) => {
      current.failed.push(what);
      current.lines.push(`(fail) ${what}`);
    };
    let isWhole = false;
    /** At the end, the failures are listed once more. */
    let isListed = false;
    let isSilent = false;
    const silence = setTimeout(() => {
      isSilent = true;
      killTree(child);
    }, this.#silence ?? NEVER);
    for await (const line of linesOf(child.stdout)) {
      silence.refresh();
      appendFileSync(this.#log, `${line}\n`);
      isListed ||= /^\d+ tests? (?:failed|skipped):$/.test(line);
      if (isListed && !line.startsWith("Ran ")) continue;
      const [, next] = /^(\S+\.test\.tsx?):$/.exec(line) ?? [];
      if (next !== undefined && files.includes(next)) {
        if (current.file !== "") finish();
        current = begin(next);
      } else if (line.startsWith("(pass) ")) current.passed++;
      else if (line.startsWith("(skip) ")) current.skipped.push(line.slice("(skip) ".length));
      else if (/^Ran \d+ tests? across /.test(line)) isWhole = true;
      else if (!/^ *\d+ (?:pass|fail|skip|error|expect\(\) call)s?$/.test(line)) current.lines.push(line);
      if (line.startsWith("(fail) "))
        current.failed.push(line.slice("(fail) ".length).replace(/ \[[\d.]+m?s\]$/, ""));
      if (line.startsWith("# Unhandled error")) current.failed.push("an error between its tests");
    }
    clearTimeout(silence);
    // What a process says before its first file belongs to this.
    const [first = ""] = files;
    if (current.file === "") current = { ...current, file: first };
    if (isSilent) fail("said nothing for long and was killed");
    else if (!isWhole && !this.#isEnding) fail("its process ended before its tests");
    finish();
    return { results, isWhole };
  }
}

function failure(file: string, what: string): FileResult {
  return { file, passed: 0, failed: [what], skipped: [], lines: [`(fail) ${what}`] };
}

/** Kills a process with all that it has started. */
function killTree({ pid, exitCode, signalCode }: Subprocess): void {
  if (exitCode === null && signalCode === null) for (const each of [...descendantsOf(pid), pid]) kill(each);
}

function descendantsOf(pid: number): number[] {
  try {
    return childrenOf(pid).flatMap((child) => [...descendantsOf(child), child]);
  } catch {
    // It has ended.
    return [];
  }
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
