import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { timeLimit } from "./time-limit.ts";

/** How often its memory is looked at, in milliseconds. */
const LOOK_EVERY = 50;

/** What a process is, and what it may take. */
export interface ForeignProcess {
  /** How it is called. */
  readonly program: readonly string[];
  /** Its processor time, in seconds. */
  readonly seconds: number;
  /** How many times as long it may last as it may compute, since others compute, too. */
  readonly patience: number;
  /** A process that needs more memory than this is ended, in bytes. */
  readonly memory: number;
}

let own: readonly string[] = Bun.isStandaloneExecutable
  ? [process.execPath]
  : [process.execPath, "--no-env-file", "--no-install", join(import.meta.dir, "main.ts")];

/** This program, which knows hidden commands for such processes. */
export function ownProgram(): readonly string[] {
  return own;
}

/** Only tests have another: the executable that they have built. */
export function useProgram(program: readonly string[]): void {
  own = program;
}

/** How a process has ended. */
export type ForeignEnd = "done" | "too-large" | "too-slow" | "failed";

/** Tells how far a process is, and can end it. */
export interface ForeignWatch {
  /** Gets each line that it writes. @returns whether the process waits for a line, which it gets then */
  readonly onLine?: (line: string) => boolean | Promise<boolean>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a process for what others made, which can make it slow or large without harm to others: it is ended when it takes too much
 * memory or processor time. It gets no setting and no secret.
 *
 * @param words what it is told to do: a command and a folder
 * @throws the reason of the signal
 */
export async function runForeign(
  { program, seconds, patience, memory }: ForeignProcess,
  words: readonly string[],
  { onLine = () => false, signal }: ForeignWatch = {},
): Promise<ForeignEnd> {
  signal?.throwIfAborted();
  const most = Math.ceil(timeLimit(seconds));
  // The system keeps the time, also when this process has ended meanwhile.
  const limited = ["sh", "-c", 'ulimit -t "$0"; exec "$@"', String(most)];
  const child = Bun.spawn([...limited, ...program, ...words], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { PATH: process.env.PATH, TMPDIR: tmpdir() },
  });
  const end = () => child.kill("SIGKILL");
  signal?.addEventListener("abort", end);
  let isTooLarge = false;
  // One that waits uses no processor time.
  const waiting = setTimeout(end, most * patience * 1_000);
  const looking = setInterval(() => {
    if (memoryOf(child.pid) <= memory) return;
    isTooLarge = true;
    end();
  }, LOOK_EVERY);
  try {
    for await (const line of linesOf(child.stdout))
      if (await onLine(line)) {
        child.stdin.write("\n");
        child.stdin.flush();
      }
    await child.exited;
  } finally {
    clearTimeout(waiting);
    clearInterval(looking);
    signal?.removeEventListener("abort", end);
    end();
  }
  signal?.throwIfAborted();
  if (isTooLarge) return "too-large";
  if (child.signalCode === "SIGXCPU" || child.signalCode === "SIGKILL") return "too-slow";
  return child.exitCode === 0 ? "done" : "failed";
}

/** The resident memory of a process in bytes; 0 where the system does not tell it in a file. */
function memoryOf(pid: number): number {
  try {
    // Not in pages, whose size differs between machines.
    const [, kibibytes = 0] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kibibytes) * 1024;
  } catch {
    return 0;
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of stream) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
