import { AsyncLocalStorage } from "node:async_hooks";
import { getPriority, setPriority } from "node:os";
import { Readable, Writable } from "node:stream";
import { format } from "node:util";
import { runCommand } from "../../../src/run-command.ts";
import type { Ran } from "../server/server.ts";

/** What a command sees of its process. */
interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly argv: readonly string[];
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

const current = new AsyncLocalStorage<Surroundings>();
const real: Surroundings = process;
let isPrepared = false;

/**
 * Runs a command in this process, with its own environment, arguments and streams. A separate process takes ten
 * times as long.
 */
export async function runHere(words: readonly string[], env: Surroundings["env"], stdin = ""): Promise<Ran> {
  if (!isPrepared) prepare();
  isPrepared = true;
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const surroundings = {
    env,
    argv: [process.execPath, "main.ts", ...words],
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: collectIn(out),
    stderr: collectIn(err),
  };
  const priority = getPriority();
  const code = await current.run(surroundings, () => runCommand(words));
  restorePriority(priority);
  // A command that has done its work, but found something, only sets the property.
  const { exitCode } = process;
  process.exitCode = 0;
  return { code: code ?? Number(exitCode ?? 0), stdout: textOf(out), stderr: textOf(err) };
}

/** A command that lowers the priority of its process must not slow down the tests. */
function restorePriority(priority: number): void {
  try {
    setPriority(priority);
  } catch {
    // Only root may raise it.
  }
}

/** Redirects what a command uses of the process to its own surroundings. */
function prepare(): void {
  const original = { ...console };
  const values = Object.fromEntries(PARTS.map((part) => [part, real[part]])) as unknown as Surroundings;
  for (const part of PARTS)
    Object.defineProperty(process, part, {
      configurable: true,
      get: () => (current.getStore() ?? values)[part],
    });
  for (const [method, stream] of [
    ["log", "stdout"],
    ["error", "stderr"],
  ] as const)
    console[method] = (...values: unknown[]) => {
      const surroundings = current.getStore();
      if (surroundings === undefined) original[method](...values);
      else surroundings[stream].write(`${format(...values)}\n`);
    };
}

const PARTS = ["env", "argv", "stdin", "stdout", "stderr"] as const;

function collectIn(pieces: Buffer[]): Writable {
  return new Writable({
    write(piece, _, done) {
      pieces.push(Buffer.from(piece));
      done();
    },
  });
}

function textOf(pieces: readonly Buffer[]): string {
  return Buffer.concat(pieces).toString();
}
