import { readFileSync, statfsSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { VERSION } from "../src/version.ts";

/** The `f_type` of tmpfs, a file system in memory (statfs(2)), where an fsync costs nothing. */
const TMPFS = 0x01021994;

/** The properties of the machine that affect the figures. */
export interface Machine {
  readonly commonplace: string;
  readonly bun: string;
  readonly system: string;
  readonly cpu: string;
  /** The number of cores that the benchmark may use. */
  readonly cores: number;
  readonly memoryGiB: number;
  /** Whether server and load each have their own core. */
  readonly pinned: boolean;
  /** Whether an fsync of the databases reaches a disk. */
  readonly onDisk: boolean;
}

/** The cores of servers and load: the words to put before a command, empty when not pinned. */
export interface Cores {
  readonly server: readonly string[];
  readonly load: readonly string[];
  readonly any: readonly string[];
  /** The numbers of the measured cores; empty if all cores are measured. */
  readonly measured: readonly number[];
}

/**
 * Chooses one core for the servers and another for the load: the first and the last that this process may
 * use. The other cores stay unused. Without `taskset`, or with a single core, nothing is pinned.
 */
export function chooseCores(): Cores {
  const allowed = allowedCores();
  const [first] = allowed;
  const last = allowed.at(-1);
  if (first === undefined || last === undefined || first === last || Bun.which("taskset") === null)
    return { server: [], load: [], any: [], measured: allowed };
  const pin = (cores: string) => ["taskset", "-c", cores];
  return {
    server: pin(String(first)),
    load: pin(String(last)),
    any: pin(allowed.join(",")),
    measured: [first, last],
  };
}

/** Pins this process, and those that it starts from now on, to the given cores. */
export function pinThisProcess([taskset, , cores]: Cores["load"]): void {
  if (taskset !== undefined && cores !== undefined)
    Bun.spawnSync([taskset, "--all-tasks", "--cpu-list", "--pid", cores, String(process.pid)]);
}

export function describeMachine({ server }: Cores): Machine {
  return {
    commonplace: VERSION,
    bun: Bun.version,
    system: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: allowedCores().length || cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    pinned: server.length > 0,
    onDisk: statfsSync(tmpdir()).type !== TMPFS,
  };
}

/** The numbers of the cores that this process may use; empty if the system does not report them. */
function allowedCores(): number[] {
  const list = linuxStatus("self", "Cpus_allowed_list");
  if (list === undefined) return [];
  return list.split(",").flatMap((range) => {
    const [from = 0, to = from] = range.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

/** A line of `/proc/PID/status` (proc(5)); undefined where there is none. */
export function linuxStatus(pid: number | "self", name: string): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return new RegExp(`^${name}:\\s*(.*)$`, "m").exec(status)?.[1];
  } catch {
    return undefined;
  }
}

/**
 * The CPU time that a process has used, in seconds; undefined if the system does not report it.
 * `/proc/PID/stat` counts in ticks; every Linux has 100 per second (`USER_HZ`).
 */
export function processorSeconds(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the name in parentheses, which may contain spaces; fields 14 and 15 are user and
    // system time.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return undefined;
  }
}
