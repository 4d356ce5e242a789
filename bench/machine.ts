import { readFileSync, statfsSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { VERSION } from "../src/version.ts";

/** `f_type` of a file system in memory (statfs(2)), where an fsync costs nothing. */
const TMPFS = 0x01021994;

/** The properties of the machine that affect the figures. */
export interface Machine {
  readonly commonplace: string;
  readonly bun: string;
  readonly system: string;
  readonly cpu: string;
  /** Cores that the benchmark may use. */
  readonly cores: number;
  readonly memoryGiB: number;
  /** Whether server and load each have a core of their own. */
  readonly pinned: boolean;
  /** Whether an fsync of the databases goes to a disk. */
  readonly onDisk: boolean;
}

/** Where servers and load run: the words before a command that give it its core; empty when not pinned. */
export interface Cores {
  readonly server: readonly string[];
  /** For two servers at once; on a machine of fewer than four cores the one that a server has. */
  readonly two: readonly string[];
  readonly load: readonly string[];
  readonly any: readonly string[];
  /** The numbers of the measured cores; empty if all cores of the machine are measured. */
  readonly measured: readonly number[];
}

/**
 * One core for the servers and another for the load, the first and the last that this process may use;
 * those in between are left alone, as are all where `taskset` is missing or there is only one.
 */
export function chooseCores(): Cores {
  const allowed = allowedCores();
  const [first] = allowed;
  const last = allowed.at(-1);
  if (first === undefined || last === undefined || first === last || Bun.which("taskset") === null)
    return { server: [], two: [], load: [], any: [], measured: allowed };
  const pin = (cores: string) => ["taskset", "-c", cores];
  const two = allowed.slice(0, allowed.length < 4 ? 1 : 2);
  return {
    server: pin(String(first)),
    two: pin(two.join(",")),
    load: pin(String(last)),
    any: pin(allowed.join(",")),
    measured: [...two, last],
  };
}

/** Moves this process, and what it starts from now on, to the cores that these words give. */
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
 * The processor time that a process has used, in seconds; undefined if the system does not report it.
 * `/proc/PID/stat` counts in ticks, of which every Linux has 100 a second (`USER_HZ`).
 */
export function processorSeconds(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the name in parentheses, which may hold spaces; user and system time are 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return undefined;
  }
}
