import { linuxStatus } from "./machine.ts";

/** The resident set of a process, in MiB. */
export function residentMiB(pid: number): number {
  const kibibytes =
    linuxStatus(pid, "VmRSS") ?? Bun.spawnSync(["ps", "-o", "rss=", "-p", String(pid)]).stdout;
  return Number.parseInt(kibibytes.toString(), 10) / 1024;
}
