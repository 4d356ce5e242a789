/**
 * Runs the tests: `npm test` each behavior once (the short run), `npm run test:all` everything (the full run), and
 * `npm test -- PATH…` what lies below the paths, in full after `--all`. The full run adds the faults, a third row of
 * engines, `FULL_RUN_FILES`, and in the other files what `test/support/run/full-run.ts` reserves for it.
 *
 * The files are shared out over several processes by how long they took last time, and what is left for the end goes
 * to those that are done first. The faults run on a real disk: those that judge what is stored beside the others,
 * those that judge delays after them and alone.
 *
 * A run of all tests builds the one-file executable first and tests that, since it starts in a third of the time. A
 * run of some paths tests the program from its source.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative, resolve } from "node:path";
import type { Subprocess } from "bun";
import manifest from "../package.json" with { type: "json" };
import { shareCluster } from "./support/databases/postgres.ts";
import { FULL_RUN_FILES } from "./support/run/full-run-files.ts";
import { shareFiles } from "./support/run/share-files.ts";

const ROOT = join(import.meta.dir, "..");
const FAULTS = "test/faults";
/** The longest of the faults has a process of its own. */
const LONGEST_FAULT = `${FAULTS}/kills/killed.test.ts`;
/** Other faults that judge what is stored, or memory, but no delay: they run beside the other tests, too. */
const UNHURRIED_FAULTS = [
  "clients/half-closed",
  "clients/unreadable-requests",
  "disks/backup-disk-full",
  "disks/backup-under-load",
  "disks/clock-set-back",
  "disks/disk-full",
  "disks/failing-disk",
  "disks/locks-kept",
  "disks/moved-files",
  "disks/synced-first",
  "disks/unusable-database",
  "histories",
  "kills/blog-import-killed",
  "kills/bulk-change-killed",
  "kills/import-killed",
  "kills/moves-interrupted",
  "kills/purge-killed",
  "kills/reading-killed",
  "kills/stopped-under-load",
  "memory/everything-download",
  "memory/import-memory",
  "postgres/postgres-killed",
  "power-cuts/power-cuts",
].map((name) => `${FAULTS}/${name}.test.ts`);
/** Longer than any test takes, in milliseconds: one that hangs must not hang the run. */
const TIMEOUT = 60_000;
const FAULT_TIMEOUT = 300_000;
/** Tests wait as long as they compute, or longer: for a server to start, a page to load, a pause to end. */
const PROCESSES_PER_CORE = 2.5;
/** More processes would need more memory and more PostgreSQL servers than they save time. */
const MAX_PROCESSES = 8;
/** The executable that a run of all tests builds and tests. */
const EXECUTABLE = join(ROOT, "node_modules/.cache/test-executable/commonplace");

/**
 * Without its slowest compiler and with one thread that marks garbage, the engine takes less CPU time for code that
 * runs a few times. The servers and commands under test have environments of their own.
 */
const FRUGAL_ENGINE = { BUN_JSC_useFTLJIT: "0", BUN_JSC_numberOfGCMarkers: "1" };

const MEMORY = "/dev/shm";
const RUN_FOLDER = /^commonplace-tests-(\d+)$/;
/** Less free memory than this is too little for the temporary databases, in bytes. */
const ENOUGH_MEMORY = 2 * 1024 ** 3;

const words = process.argv.slice(2);
const paths = words.filter((word) => !word.startsWith("--"));
const isWhole = paths.length === 0;
const isFull = words.includes("--all");

/** How long each file took last time. */
const TIMINGS = join(ROOT, `node_modules/.cache/test-timings${isFull ? "-all" : ""}.json`);
/** The same of this run, a file for each batch. */
const NEW_TIMINGS = join(ROOT, "node_modules/.cache/test-timings");
/** The same from another machine, for a first run; `--save-timings` writes it. */
const SAVED_TIMINGS = join(ROOT, `test/timings${isFull ? "-all" : ""}.json`);

const isFault = (path: string) => path.replace(/^\.\//, "").startsWith(FAULTS);

const children: Subprocess[] = [];
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
    process.exit(1);
  });

if (isWhole) process.env.TEST_EXECUTABLE = build();
if (isFull) {
  process.env.TEST_SQLITE_WORKERS ??= "1";
  process.env.TEST_FULL_RUN ??= "1";
} else process.env.TEST_COMMANDS_HERE ??= "1";

const exitCodes: number[] = [];
const faults = isWhole && isFull ? [FAULTS] : paths.filter(isFault);
const isKill = (path: string) => path.startsWith(`${FAULTS}/kills/`);
const others = [UNHURRIED_FAULTS.filter(isKill), UNHURRIED_FAULTS.filter((path) => !isKill(path))];
const beside = isWhole && isFull ? [[LONGEST_FAULT], ...others].map((batch) => startFaults(batch)) : [];

if (isWhole) await runShared(["src", "bench", "seed", "test"]);
else if (paths.some((path) => !isFault(path))) await runShared(paths.filter((path) => !isFault(path)));
for (const run of beside) exitCodes.push(await run.show());
if (faults.length > 0)
  exitCodes.push(
    await startFaults(faults, beside.length > 0 ? [LONGEST_FAULT, ...UNHURRIED_FAULTS] : []).show(),
  );

if (isWhole && words.includes("--save-timings")) writeTimings(SAVED_TIMINGS);
process.exitCode = exitCodes.every((code) => code === 0) ? 0 : 1;

/** Builds the one-file executable. @returns its path */
function build(): string {
  const [, ...words] = manifest.scripts.build.replace("dist/commonplace", EXECUTABLE).split(" ");
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, ...words], { cwd: ROOT });
  if (exitCode !== 0) throw new Error(`The executable could not be built: ${stderr}`);
  return EXECUTABLE;
}

/** Runs the tests below these paths, except the faults, in several processes at once. */
async function runShared(paths: readonly string[]): Promise<void> {
  const folder = memoryFolder();
  const count = paths.some((path) => path.endsWith(".ts")) ? 1 : processCount();
  const batches = count === 1 ? [paths] : shareFiles(filesBelow(paths), durations(), count);
  const words = (batch: readonly string[], index: number) => [
    ...["--timeout", String(TIMEOUT), "--path-ignore-patterns", `${FAULTS}/**`],
    ...(count === 1 ? [] : [`--timings=${join(NEW_TIMINGS, `${index + 1}.json`)}`, "--update-timings"]),
    ...batch.map(asPath),
  ];
  await using cluster = count === 1 ? undefined : await clusterIn(folder);
  const env = { ...(folder !== undefined && { TMPDIR: folder }), ...cluster?.env };
  rmSync(NEW_TIMINGS, { recursive: true, force: true });
  mkdirSync(NEW_TIMINGS, { recursive: true });
  const waiting = batches.map(words);
  const runs: Run[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const run = start(next, env);
      runs.push(run);
      await run.ended;
    }
  };
  const working = Promise.all(Array.from({ length: count }, work));
  // A batch is added before the one that made room for it has been shown.
  for (let shown = 0; shown < batches.length; shown++) exitCodes.push(await (runs[shown] as Run).show());
  await working;
  if (count > 1) writeTimings(TIMINGS);
  if (folder !== undefined) emptyExceptServers(folder);
}

/** Starts the PostgreSQL server of all processes, with its data in a folder for temporary files, if that is given. */
async function clusterIn(folder?: string): ReturnType<typeof shareCluster> {
  const { TMPDIR } = process.env;
  if (folder !== undefined) process.env.TMPDIR = folder;
  try {
    return await shareCluster(isFull);
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

/** The test files of this run whose paths begin like one of these. */
function filesBelow(paths: readonly string[]): string[] {
  const beginnings = paths.map((path) => relative(ROOT, resolve(ROOT, path)));
  const isLeftOut = (file: string) => isFault(file) || (isWhole && !isFull && file in FULL_RUN_FILES);
  return [...new Bun.Glob("{src,bench,seed,test}/**/*.test.{ts,tsx}").scanSync(ROOT)]
    .filter((file) => !isLeftOut(file) && beginnings.some((beginning) => file.startsWith(beginning)))
    .toSorted();
}

function startFaults(paths: readonly string[], except: readonly string[] = []): Run {
  return start([
    ...["--timeout", String(FAULT_TIMEOUT)],
    ...except.flatMap((path) => ["--path-ignore-patterns", path]),
    ...paths.map(asPath),
  ]);
}

/** How long each file took last time, here or else on another machine, in milliseconds. */
function durations(): Map<string, number> {
  return new Map([SAVED_TIMINGS, TIMINGS].filter((file) => existsSync(file)).flatMap(timingsIn));
}

function timingsIn(file: string): [string, number][] {
  return Object.entries(JSON.parse(readFileSync(file, "utf8")).files);
}

/** Writes how long each file that there is has taken in this run, or else before. */
function writeTimings(path: string): void {
  const newer = readdirSync(NEW_TIMINGS).flatMap((name) => timingsIn(join(NEW_TIMINGS, name)));
  const all = new Map([...durations(), ...newer]);
  const files = Object.fromEntries(filesBelow(["."]).map((file) => [file, all.get(file)]));
  writeFileSync(path, `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
}

function processCount(): number {
  return Math.max(1, Math.min(MAX_PROCESSES, Math.floor(PROCESSES_PER_CORE * availableParallelism())));
}

/** A pattern without a `./` would be looked for anywhere in a path. */
function asPath(path: string): string {
  return path.startsWith(".") || path.startsWith("/") ? path : `./${path}`;
}

/**
 * A folder in memory for temporary databases, where an fsync takes no time: a disk makes the tests three times as
 * slow. Undefined where the machine has none, or too little memory, or TMPDIR says another place.
 */
function memoryFolder(): string | undefined {
  if (process.env.TMPDIR || !existsSync(MEMORY)) return undefined;
  removeLeftovers();
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < ENOUGH_MEMORY) return undefined;
  const folder = join(MEMORY, `commonplace-tests-${process.pid}`);
  mkdirSync(folder, { mode: 0o755 });
  return folder;
}

/** Removes the folders of runs that were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    const [, pid] = RUN_FOLDER.exec(name) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

/** Empties the folder of a run, except for PostgreSQL servers: these are still stopping and remove their own folders. */
function emptyExceptServers(folder: string): void {
  for (const name of readdirSync(folder))
    if (!name.startsWith("commonplace-postgres-"))
      rmSync(join(folder, name), { recursive: true, force: true });
}

/** A process of `bun test`. */
interface Run {
  readonly ended: Promise<unknown>;
  /** Shows its output so far and from then on; resolves with its exit code. */
  show(): Promise<number>;
}

function start(words: readonly string[], env: Readonly<Record<string, string>> = {}): Run {
  // One pipe for both streams, so that their lines stay in order.
  const child = Bun.spawn(["sh", "-c", 'exec "$0" "$@" 2>&1', process.execPath, "test", ...words], {
    cwd: ROOT,
    env: { ...process.env, ...FRUGAL_ENGINE, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  children.push(child);
  const held: Uint8Array[] = [];
  let write = (chunk: Uint8Array): unknown => held.push(chunk);
  // Read at once: a process whose pipe is full stands still.
  const reading = (async () => {
    for await (const chunk of child.stdout) write(chunk);
  })();
  return {
    ended: child.exited,
    async show() {
      for (const chunk of held.splice(0)) process.stdout.write(chunk);
      write = (chunk) => process.stdout.write(chunk);
      await reading;
      return await child.exited;
    },
  };
}
