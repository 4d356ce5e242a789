/**
 * Runs the tests. `npm test` tests every behavior once, on SQLite, and on PostgreSQL what has SQL of its own there;
 * `npm run test:all` tests everything. `npm test -- FOLDER…` does the same as `npm test` below these folders, and
 * `npm test -- FILE…` runs these files on both engines. `--all` before paths: what `npm run test:all` runs of them.
 * `--bail` ends at the first failure; other options, such as `-t=NAME`, are for `bun test`. `--again`, as in `.ci/run`,
 * runs each file that has failed once more, after all others and alone: what passes then depends on chance.
 *
 * The files are shared out over several processes by how long they took last time, the longest shares first, and what is
 * left for the end goes to those that are done first. The faults run on a real disk: those that judge what is stored in a
 * process of their own beside the others, those that judge delays after them and alone.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative, resolve } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { shareCluster } from "./support/databases/postgres.ts";
import { type Batch, BunTests, type FileResult, filesOf, type Outcome } from "./support/run/bun-test.ts";
import { folderOfFile, makeRunFolder, removeRunFolder } from "./support/run/run-folder.ts";
import { shareFiles } from "./support/run/share-files.ts";
import {
  FAULTS,
  FULL_RUN_FILES,
  HURRIED_FAULTS,
  IN_BROWSER,
  ON_POSTGRES,
  USUAL_TIMES,
} from "./support/run/tiers.ts";

const ROOT = join(import.meta.dir, "..");
/** Where a run leaves its files. A run within a run has a place of its own. */
const CACHE = process.env.TEST_CACHE ?? join(ROOT, "node_modules/.cache");
/**
 * Longer than any test takes on a machine that is busy with much else, in milliseconds: one that hangs must not hang the
 * run.
 */
const TIMEOUT = 600_000;
/** With `--again` nobody watches: what says nothing for longer than tests and their hooks may take is killed. */
const SILENCE = Number(process.env.TEST_SILENCE ?? 15 * 60_000);
/** Tests wait as long as they compute, or longer: for a server to start, a page to load, a pause to end. */
const PROCESSES_PER_CORE = 2;
/** More processes would need more memory than they save time. */
const MAX_PROCESSES = 8;
/** A full run has one more process for each four, for the faults, which mostly wait for a disk. */
const PER_FAULTS = 4;
/** The lines of a server's log that are shown with a failure. */
const SHOWN_LINES = 40;

/** The options that are not for `bun test`. */
const OWN_OPTIONS = ["--all", "--again"];

const words = process.argv.slice(2);
const isFull = words.includes("--all");
const isAgain = words.includes("--again");
const paths = words
  .filter((word) => !word.startsWith("-"))
  .map((path) => relative(ROOT, resolve(ROOT, path)));
const isWhole = paths.length === 0;
const isOfFiles = !isWhole && paths.every((path) => /\.tsx?$/.test(path));
const options = words.filter((word) => word.startsWith("-") && !OWN_OPTIONS.includes(word));
const seed = process.env.TEST_SEED ?? String(Date.now() % 2 ** 31);
const processes = isOfFiles
  ? 1
  : Math.max(1, Math.min(MAX_PROCESSES, Math.floor(PROCESSES_PER_CORE * availableParallelism())));

const SQLITE = { TEST_ENGINES: "SQLite" };

/** How long each file took last time. */
const SHORT_TIMINGS = join(CACHE, "test-timings.json");
const TIMINGS = isFull ? join(CACHE, "test-timings-all.json") : SHORT_TIMINGS;
/** The same of this run, a file for each batch. */
const NEW_TIMINGS = join(CACHE, "test-timings");
/** All output of this run. */
const LOG = join(CACHE, "test-output.log");
/** The databases of the files that have failed in this run, and the logs of their servers. */
const FAILURES = join(CACHE, "test-failures");

const startedAt = performance.now();
for (const path of [NEW_TIMINGS, LOG, FAILURES]) rmSync(path, { recursive: true, force: true });
mkdirSync(NEW_TIMINGS, { recursive: true });
const runFolder = makeRunFolder();
/** What failed the first time only. */
const byChance: FileResult[] = [];
const tests = new BunTests(LOG, finishFile, isAgain ? SILENCE : undefined);
let hasEnded = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop());

const env = {
  // Debian's nginx, HAProxy and PgBouncer are where only root looks for programs.
  PATH: `${process.env.PATH}:/usr/local/sbin:/usr/sbin`,
  TEST_SEED: seed,
  ...(isFull ? { TEST_FULL_RUN: "1", TEST_SQLITE_WORKERS: "1" } : { TEST_COMMANDS_HERE: "1" }),
  ...(!isFull && !isOfFiles && { TEST_ONCE: "1" }),
  ...(isWhole && { TEST_EXECUTABLE: build() }),
};
let outcomes: Outcome[] = [];
const files = filesOfRun();
const faults = files.filter((file) => file.startsWith(FAULTS));
const hurried = faults.filter((file) => HURRIED_FAULTS.includes(file));
const others = files.filter((file) => !file.startsWith(FAULTS));
const onEveryEngine = others.filter((file) => isFull || paths.includes(file) || file in ON_POSTGRES);
const onSqlite = others.filter((file) => !onEveryEngine.includes(file));
const isInBrowser = (file: string) => IN_BROWSER.some((beginning) => file.startsWith(beginning));

const beside = batchesOf(
  faults.filter((file) => !hurried.includes(file)),
  3,
  true,
);
const inBrowser = onSqlite.filter(isInBrowser);
{
  // Files that are named start a PostgreSQL server if they need one.
  await using cluster = isOfFiles || onEveryEngine.length === 0 ? undefined : await startCluster();
  const rest = longestFirst([
    ...batchesOf(onEveryEngine, isFull ? processes : Math.ceil(processes / 2), false, cluster?.env),
    ...batchesOf(inBrowser, 1, false, SQLITE),
    ...batchesOf(
      onSqlite.filter((file) => !isInBrowser(file)),
      // The files in the browser take the time of one.
      Math.max(1, inBrowser.length > 0 ? processes - 1 : processes),
      false,
      SQLITE,
    ),
  ]);
  // In a full run, the others compute without a pause: more at once only makes each slower, until pages give up.
  const forFaults = isFull ? Math.floor(processes / PER_FAULTS) : beside.length;
  outcomes = await runAll([
    ...Array.from({ length: forFaults }, () => [beside, rest]),
    ...Array.from({ length: processes }, () => [rest, beside]),
  ]);
}
outcomes.push(...(await runAll([[batchesOf(hurried, 1, true)]])));
if (isAgain && !hasEnded) outcomes = await runAgain(outcomes);
if (!isOfFiles) writeTimings();
report();
removeRunFolder(runFolder);
process.exitCode = failed() === 0 && !hasEnded ? 0 : 1;

/** The test files of this run. */
function filesOfRun(): string[] {
  const isLeftOut = (file: string) =>
    !isFull && !paths.includes(file) && (file.startsWith(FAULTS) || file in FULL_RUN_FILES);
  return [...new Bun.Glob("{src,bench,seed,test}/**/*.test.{ts,tsx}").scanSync(ROOT)]
    .filter((file) => !isLeftOut(file) && (isWhole || paths.some((path) => file.startsWith(path))))
    .toSorted();
}

/** Shares files out over processes. */
function batchesOf(
  files: readonly string[],
  count: number,
  areFaults: boolean,
  more: Readonly<Record<string, string>> = {},
): Batch[] {
  const batches = count === 1 && files.length > 0 ? [files] : shareFiles(files, durations(), count);
  return batches.map((files) => ({
    files,
    env: { ...env, ...more, ...(!areFaults && { TMPDIR: runFolder, TEST_RUN_FOLDER: runFolder }) },
    words: [
      ...["--timeout", String(TIMEOUT)],
      ...[`--timings=${join(NEW_TIMINGS, `${Bun.hash(files.join())}.json`)}`, "--update-timings"],
      ...options,
    ],
  }));
}

/** The batches in the order in which to start them, so that no long one is left for the end. */
function longestFirst(batches: readonly Batch[]): Batch[] {
  const known = durations();
  const lengthOf = ({ files }: Batch) => files.reduce((sum, file) => sum + (known.get(file) ?? 0), 0);
  return batches.toSorted((one, other) => lengthOf(other) - lengthOf(one));
}

/**
 * Runs batches in several processes at once.
 * @param processes of each the lists from which it takes its next batch: from the first that is not empty
 */
async function runAll(processes: readonly (readonly Batch[][])[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const work = async (lists: readonly Batch[][]) => {
    const take = () => lists.find((list) => list.length > 0)?.shift();
    for (let next = take(); next !== undefined; next = take()) {
      const outcome = await tests.run(next);
      outcomes.push(outcome);
      if (outcome.results.some(hasFailed) && options.some((word) => word.startsWith("--bail"))) await stop();
    }
  };
  await Promise.all(processes.map(work));
  return outcomes;
}

/**
 * Runs each file that has failed once more, alone.
 * @returns the outcomes, with the results of the second time in place of those of the first
 */
async function runAgain(first: readonly Outcome[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { batch, results } of first) {
    const failures = results.filter(hasFailed);
    const toRun = failures.flatMap(filesOf);
    const others = results.filter(({ file, failed }) => failed.length === 0 && !toRun.includes(file));
    outcomes.push({ batch, results: others });
    for (const failure of failures) {
      const files = filesOf(failure);
      for (const file of files) keepFolder(file);
      // It starts a PostgreSQL server of its own if it needs one.
      const { TEST_POSTGRES: _, ...env } = batch.env;
      const words = batch.words.filter((word) => !word.includes("-timings"));
      const second = await tests.run({ files, env, words });
      if (!hasEnded && !second.results.some(hasFailed)) byChance.push(failure);
      outcomes.push(hasEnded ? { batch, results: [failure] } : second);
    }
  }
  return outcomes;
}

/** Ends the run early. */
async function stop(): Promise<void> {
  hasEnded = true;
  await tests.end();
}

/** Starts the PostgreSQL server of all processes, with its data in the folder of the run. */
async function startCluster(): ReturnType<typeof shareCluster> {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = runFolder;
  try {
    return await shareCluster();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

/** Builds the one-file executable, which starts in a third of the time. @returns its path */
function build(): string {
  const executable = join(CACHE, "test-executable/commonplace");
  const [, ...words] = manifest.scripts.build
    .replace("src/main.ts", "--root=src test/server.ts")
    .split(" ")
    // This path may have spaces.
    .map((word) => (word === "dist/commonplace" ? executable : word));
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, ...words], { cwd: ROOT });
  if (exitCode !== 0) throw new Error(`The executable could not be built: ${stderr}`);
  return executable;
}

/** Keeps what a file leaves if it has failed, and removes it otherwise. */
function finishFile({ file, failed }: FileResult): void {
  if (failed.length === 0) rmSync(folderOfFile(runFolder, file), { recursive: true, force: true });
}

/** Moves what a failed file has left to where it stays after the run. */
function keepFolder(file: string): string {
  const folder = folderOfFile(runFolder, file);
  const kept = folderOfFile(FAILURES, file);
  if (!existsSync(folder)) return kept;
  mkdirSync(FAILURES, { recursive: true });
  rmSync(kept, { recursive: true, force: true });
  Bun.spawnSync(["cp", "-R", folder, kept]);
  rmSync(folder, { recursive: true, force: true });
  return kept;
}

/**
 * Shows each failure whole, after the logs of its servers, with what repeats it, and at the end the counts. What says
 * most comes last: of a long output, often only the end is kept.
 */
function report(): void {
  // What depended on chance is indented: it is no failure of the run.
  for (const failure of byChance) show(failure, "  ");
  for (const failure of resultsOf().filter(hasFailed)) show(failure);
  const took = [...timingsOfRun()].toSorted(([, one], [, other]) => other - one).slice(0, 3);
  const skipped = resultsOf().flatMap(({ skipped }) => skipped);
  const engines =
    isFull || isOfFiles
      ? "every engine"
      : `SQLite; ${onEveryEngine.length} of ${others.length} files on PostgreSQL, too`;
  console.log(`\n${files.length} ${files.length === 1 ? "file" : "files"} on ${engines}`);
  console.log(
    `${availableParallelism()} cores, ${Math.round((performance.now() - startedAt) / 1_000)} s, seed ${seed}`,
  );
  console.log(`slowest: ${took.map(([file, time]) => `${file} ${(time / 1_000).toFixed(1)} s`).join(", ")}`);
  if (isWhole && !isFull)
    console.log(
      `left to npm run test:all: the faults, ${Object.keys(FULL_RUN_FILES).length} other files, PostgreSQL for the rest (test/support/run/tiers.ts)`,
    );
  if (skipped.length > 0)
    console.log(
      isFull
        ? `skipped, since this machine lacks a program or a right: ${groupsOf(skipped).join("; ")}`
        : `skipped: ${skipped.length} tests of npm run test:all, or of programs that this machine lacks`,
    );
  if (hasEnded) console.log("ended before all tests had run");
  for (const { file, failed } of byChance)
    for (const name of failed) console.log(`depends on chance: ${file} > ${name} (seed ${seed})`);
  console.log(
    `${passed()} passed, ${failed()} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`,
  );
}

function show(result: FileResult, indent = ""): void {
  const { file, lines } = result;
  const [kept = ""] = filesOf(result).map(keepFolder);
  const names = existsSync(kept) ? readdirSync(kept) : [];
  const logs = names
    .filter((name) => name.endsWith(".log"))
    .map((name) => {
      const lines = readFileSync(join(kept, name), "utf8").trim().split("\n");
      return `\n${name}:\n${lines.slice(-SHOWN_LINES).join("\n")}`;
    });
  const text = [
    ...[`\n${file}:`, ...logs, ...(existsSync(kept) ? [`\nIts databases: ${relative(ROOT, kept)}`] : [])],
    `\n${lines.join("\n").trim()}\n`,
    `Again: TEST_SEED=${seed} npm test --${isFull ? " --all" : ""} ${file}`,
  ].join("\n");
  console.log(text.replace(/^(?=.)/gm, indent));
}

/** What tests belong to, by the beginnings of their names, with how many there are. */
function groupsOf(names: readonly string[]): string[] {
  const groups = Map.groupBy(names, (name) => name.split(" > ", 1)[0] ?? name);
  return [...groups].map(([group, { length }]) => `${group} (${length})`);
}

function resultsOf(): FileResult[] {
  return outcomes.flatMap(({ results }) => results);
}

function passed(): number {
  return resultsOf().reduce((total, result) => total + result.passed, 0);
}

function failed(): number {
  return resultsOf().flatMap((result) => result.failed).length;
}

function hasFailed({ failed }: FileResult): boolean {
  return failed.length > 0;
}

/** How long each file took last time, in milliseconds, or takes as a rule; for a full run, in `npm test`. */
function durations(): Map<string, number> {
  const { longest, others } = USUAL_TIMES;
  const usual = files.map((file): [string, number] => [file, (longest[file] ?? others) * 1_000]);
  return new Map([...(isFull ? measured(SHORT_TIMINGS) : usual), ...measured(TIMINGS)]);
}

function measured(path: string): [string, number][] {
  return existsSync(path) ? timingsIn(path) : [];
}

function timingsIn(file: string): [string, number][] {
  return Object.entries(JSON.parse(readFileSync(file, "utf8")).files);
}

function timingsOfRun(): [string, number][] {
  return readdirSync(NEW_TIMINGS).flatMap((name) => timingsIn(join(NEW_TIMINGS, name)));
}

/** Writes how long each file that there is has taken in this run, or else before. */
function writeTimings(): void {
  const all = Object.entries(Object.fromEntries([...measured(TIMINGS), ...timingsOfRun()]));
  const files = Object.fromEntries(all.filter(([file]) => existsSync(join(ROOT, file))).toSorted());
  writeFileSync(TIMINGS, `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
}
