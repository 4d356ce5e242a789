import { existsSync, readdirSync, readFileSync } from "node:fs";

/** The clock ticks per second of `/proc` on every Linux (`USER_HZ`). */
const TICKS = 100;

/** Processes that belong to the benchmark although they are not its descendants: servers that detach themselves. */
const detached = new Set<number>();

/** CPU time so far, in seconds. */
interface Spent {
  /** CPU time of all programs on the watched cores, including time that the host took from a virtual machine (`steal`). */
  readonly all: number;
  /** CPU time of the benchmark's own processes, including those that have ended. */
  readonly own: number;
  /** The number of watched cores. */
  readonly cores: number;
  /** The time since the machine started. */
  readonly clock: number;
}

/**
 * Watches how much of the benchmark's cores other programs use (proc(5)).
 *
 * @param cores the numbers of the watched cores; empty for all
 * @returns a function that ends the watch and returns the share of these cores that other programs and the
 *   host of a virtual machine used, from 0 to 1; undefined if the system does not report it
 */
export function watchOtherPrograms(cores: readonly number[]): () => number | undefined {
  const before = spent(cores);
  return () => {
    const after = spent(cores);
    if (before === undefined || after === undefined) return undefined;
    const others = after.all - before.all - (after.own - before.own);
    const capacity = (after.clock - before.clock) * after.cores;
    return capacity > 0 ? Math.min(Math.max(others / capacity, 0), 1) : undefined;
  };
}

function spent(cores: readonly number[]): Spent | undefined {
  try {
    const watched = readFileSync("/proc/stat", "utf8")
      .split("\n")
      .map((line) => /^cpu(\d+) (.*)$/.exec(line))
      .filter((line) => line !== null)
      .filter(([, core]) => cores.length === 0 || cores.includes(Number(core)))
      .map(([, , ticks = ""]) => ticks.split(" ").map(Number));
    // The columns are user, nice, system, idle, iowait, irq, softirq, steal. Interrupts belong to no program.
    const ticks = watched.map(
      ([user = 0, nice = 0, system = 0, , , , , steal = 0]) => user + nice + system + steal,
    );
    return {
      all: sum(ticks) / TICKS,
      own: ownProcessorSeconds(),
      cores: watched.length,
      clock: Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]),
    };
  } catch {
    return undefined;
  }
}

/** Counts a process and its descendants as the benchmark's own from now on, although it has detached itself. */
export function countAsOwn(pid: number): void {
  detached.add(pid);
}

/** CPU time of this process, those of {@link countAsOwn}, and the descendants of all, including those that have ended. */
export function ownProcessorSeconds(): number {
  return processorSecondsOf(process.pid, ...detached);
}

/**
 * CPU time of processes and their descendants, including those that have ended, in seconds; NaN if the system does not
 * report it.
 */
export function processorSecondsOf(...pids: readonly number[]): number {
  const processes = new Map<number, { readonly parent: number; readonly ticks: number }>();
  if (!existsSync("/proc/self/stat")) return Number.NaN;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const fields = statOf(name);
    if (fields !== undefined)
      processes.set(Number(name), {
        parent: Number(fields[1]),
        ticks: sum(fields.slice(11, 15).map(Number)),
      });
  }
  const belongs = (pid: number): boolean =>
    pids.includes(pid) || (processes.has(pid) && belongs(processes.get(pid)?.parent ?? 0));
  return sum(Array.from(processes, ([pid, { ticks }]) => (belongs(pid) ? ticks : 0))) / TICKS;
}

/** The fields of `/proc/PID/stat` from the state on; undefined if the process has ended. */
function statOf(pid: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The fields before them include the name in parentheses, which may contain spaces.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
