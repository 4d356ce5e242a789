/**
 * Runs the tests: `npm test` everything but the faults, `npm run test:all` the faults and a third row of engines, and
 * `npm test -- PATH…` what lies below the paths. The files are shared out over several processes by how long they took
 * last time. The faults run on a real disk: those that judge what is stored beside the others, those that judge delays
 * after them and alone.
 *
 * A run of all tests builds the one-file executable first and tests that, since it starts in a third of the time. A
 * run of some paths tests the program from its source.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import manifest from "../package.json" with { type: "json" };

const ROOT = join(import.meta.dir, "..");
const FAULTS = "test/faults";
/** Faults that judge what is stored, or memory, but no delay: they run beside the other tests. */
const UNHURRIED_FAULTS = [
  "backup-disk-full",
  "backup-under-load",
  "blog-import-killed",
  "bulk-change-killed",
  "clock-set-back",
  "disk-full",
  "failing-disk",
  "half-closed",
  "histories",
  "import-killed",
  "import-memory",
  "killed",
  "locks-kept",
  "moved-files",
  "postgres-killed",
  "power-cuts/power-cuts",
  "purge-killed",
  "stopped-under-load",
  "synced-first",
  "unreadable-requests",
  "unusable-database",
].map((name) => `${FAULTS}/${name}.test.ts`);
/** How long each file took last time, one file of timings for each process. */
const TIMINGS = join(ROOT, "node_modules/.cache/test-timings");
/** The same from another machine, for a first run; `npm test -- --save-timings` writes it. */
const SAVED_TIMINGS = join(ROOT, "test/timings.json");
/** Longer than any test takes, in milliseconds: one that hangs must not hang the run. */
const TIMEOUT = 60_000;
const FAULT_TIMEOUT = 300_000;
/** Tests wait about as long as they compute: for a server to start, a page to load, a pause to end. */
const PROCESSES_PER_CORE = 2;
/** More processes would need more memory and more PostgreSQL servers than they save time. */
const MAX_PROCESSES = 8;
/** The executable that a run of all tests builds and tests. */
const EXECUTABLE = join(ROOT, "node_modules/.cache/test-executable/commonplace");

const MEMORY = "/dev/shm";
const RUN_FOLDER = /^commonplace-tests-(\d+)$/;
/** Less free memory than this is too little for the temporary databases, in bytes. */
const ENOUGH_MEMORY = 2 * 1024 ** 3;

const words = process.argv.slice(2);
const paths = words.filter((word) => !word.startsWith("--"));
const isFault = (path: string) => path.replace(/^\.\//, "").startsWith(FAULTS);

const children: Subprocess[] = [];
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
    process.exit(1);
  });

if (paths.length === 0) process.env.TEST_EXECUTABLE = build();
if (words.includes("--all")) {
  process.env.TEST_SQLITE_WORKERS ??= "1";
  process.env.TEST_MANY_ROUNDS ??= "1";
}

const exitCodes: number[] = [];
const isWhole = paths.length === 0;
const faults = words.includes("--all") ? [FAULTS] : paths.filter(isFault);
const beside = isWhole && words.includes("--all") ? [startFaults(UNHURRIED_FAULTS)] : [];

if (isWhole) await runShared(["src", "bench", "seed", "test"]);
else if (paths.some((path) => !isFault(path))) await runShared(paths.filter((path) => !isFault(path)));
for (const run of beside) exitCodes.push(await run.show());
if (faults.length > 0)
  exitCodes.push(await startFaults(faults, beside.length > 0 ? UNHURRIED_FAULTS : []).show());

if (isWhole && words.includes("--save-timings")) saveTimings();
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
  const runs = Array.from({ length: count }, (_, index) =>
    start(
      [
        ...["--timeout", String(TIMEOUT), "--path-ignore-patterns", `${FAULTS}/**`],
        ...(count === 1 ? [] : shard(index + 1, count)),
        ...paths.map(asPath),
      ],
      folder === undefined ? {} : { TMPDIR: folder },
    ),
  );
  for (const run of runs) exitCodes.push(await run.show());
  if (folder !== undefined) emptyExceptServers(folder);
}

function startFaults(paths: readonly string[], except: readonly string[] = []): Run {
  return start([
    ...["--timeout", String(FAULT_TIMEOUT)],
    ...except.flatMap((path) => ["--path-ignore-patterns", path]),
    ...paths.map(asPath),
  ]);
}

/** One process of several: they share the files by what the timings of all of them say. */
function shard(index: number, count: number): string[] {
  mkdirSync(TIMINGS, { recursive: true });
  // The first is written, and a later one wins over an earlier one.
  const files = [join(TIMINGS, `${index}.json`), SAVED_TIMINGS, ...timingFiles()];
  return [`--shard=${index}/${count}`, ...files.map((file) => `--timings=${file}`), "--update-timings"];
}

function timingFiles(): string[] {
  return readdirSync(TIMINGS).map((name) => join(TIMINGS, name));
}

function saveTimings(): void {
  const all = timingFiles().flatMap((file) => Object.entries(JSON.parse(readFileSync(file, "utf8")).files));
  const files = Object.fromEntries(all.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(SAVED_TIMINGS, `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
}

function processCount(): number {
  return Math.max(1, Math.min(MAX_PROCESSES, PROCESSES_PER_CORE * availableParallelism()));
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
  /** Shows its output so far and from then on; resolves with its exit code. */
  show(): Promise<number>;
}

function start(words: readonly string[], env: Readonly<Record<string, string>> = {}): Run {
  // One pipe for both streams, so that their lines stay in order.
  const child = Bun.spawn(["sh", "-c", 'exec "$0" "$@" 2>&1', process.execPath, "test", ...words], {
    cwd: ROOT,
    env: { ...process.env, ...env },
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
    async show() {
      for (const chunk of held.splice(0)) process.stdout.write(chunk);
      write = (chunk) => process.stdout.write(chunk);
      await reading;
      return await child.exited;
    },
  };
}
