import { readdirSync, readFileSync } from "node:fs";

/** `/proc` counts processor time in ticks, of which every Linux has 100 a second (`USER_HZ`). */
const TICKS = 100;

/** Processor time so far, in seconds. */
interface Spent {
  /** By all programs on the watched cores; what the host took away from a virtual machine (`steal`) counts too. */
  readonly all: number;
  /** By this process and those that it started, ended ones included. */
  readonly own: number;
  /** How many cores are watched. */
  readonly cores: number;
  /** Since the machine started. */
  readonly clock: number;
}

/**
 * Watches how much other programs use the cores of the benchmark (proc(5)).
 *
 * @param cores the numbers of the watched cores; all of them when empty
 * @returns a function that ends the watch and returns the share of these cores that other programs and the host of
 *   a virtual machine took, 0 to 1; undefined if the system does not report it
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
    // user, nice, system, idle, iowait, irq, softirq, steal: interrupts are nobody's.
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

/** Processor time of this process, of its descendants, and of those among them that have ended, in seconds. */
export function ownProcessorSeconds(): number {
  const processes = new Map<number, { readonly parent: number; readonly ticks: number }>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const fields = statOf(name);
    if (fields !== undefined)
      processes.set(Number(name), {
        parent: Number(fields[1]),
        ticks: sum(fields.slice(11, 15).map(Number)),
      });
  }
  const isOwn = (pid: number): boolean =>
    pid === process.pid || (processes.has(pid) && isOwn(processes.get(pid)?.parent ?? 0));
  return sum(Array.from(processes, ([pid, { ticks }]) => (isOwn(pid) ? ticks : 0))) / TICKS;
}

/** The fields of `/proc/PID/stat` from the state on; undefined for a process that has just ended. */
function statOf(pid: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name before them is in parentheses, and may hold spaces.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
