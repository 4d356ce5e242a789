/**
 * Runs every test, as `npm test` does: first, in two processes side by side, all that does not judge how long
 * something takes, and then what does, with the machine to itself. Each prints what `bun test` prints, one after another.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";

/** Longer than any test takes, in milliseconds: one that hangs must not hang the run. */
const TIMEOUT = 60_000;

const ROOT = join(import.meta.dir, "..");
const CONTRACT = "./test/contract";
const FAULTS = "./test/faults";
const OTHERS = readdirSync(import.meta.dir, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() || entry.name.endsWith(".test.ts"))
  .map(({ name }) => `./test/${name}`)
  .filter((path) => path !== CONTRACT && path !== FAULTS);

const running: Subprocess[] = [];
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
    process.exit(1);
  });

/** A run of some of the tests. */
interface Run {
  readonly paths: readonly string[];
  /** Its exit code, once everything that it has printed is shown. */
  readonly ended: Promise<number>;
  /** Shows what it has printed so far, and from now on what it prints. */
  show(): void;
}

function start(...paths: string[]): Run {
  const child = Bun.spawn([process.execPath, "test", "--timeout", String(TIMEOUT), ...paths], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  running.push(child);
  const held: Uint8Array[] = [];
  let shown = false;
  const read = async (stream: ReadableStream<Uint8Array>) => {
    for await (const chunk of stream) shown ? process.stdout.write(chunk) : held.push(chunk);
  };
  return {
    paths,
    ended: Promise.all([child.exited, read(child.stdout), read(child.stderr)]).then(([code]) => code),
    show() {
      shown = true;
      for (const chunk of held.splice(0)) process.stdout.write(chunk);
    },
  };
}

/** Shows one run after another, to the end of each. @returns those that failed */
async function follow(...runs: Run[]): Promise<Run[]> {
  const failed: Run[] = [];
  for (const run of runs) {
    run.show();
    if ((await run.ended) !== 0) failed.push(run);
  }
  return failed;
}

const failed = await follow(start(CONTRACT), start("./src", "./bench", ...OTHERS));
failed.push(...(await follow(start(FAULTS))));
for (const { paths } of failed) console.log(`FAILED: bun test ${paths.join(" ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
