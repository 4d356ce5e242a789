import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The resident memory of a process, in bytes (Linux). */
export function residentBytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) * 1024;
}

/** The maximum number of open files of a process (Linux). */
export function openFilesLimit(pid: number | "self"): number {
  const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, "utf8")) ?? [];
  return Number(limit);
}

/** The number of open files and connections of a process (Linux). */
export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** The number of a process's open temporary files without a name (Linux). */
export function unnamedFiles(pid: number | "self"): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((descriptor) => {
    try {
      return /\/commonplace-[^/]+\/input \(deleted\)$/.test(readlinkSync(`${folder}/${descriptor}`));
    } catch {
      // It was closed in the meantime.
      return false;
    }
  }).length;
}
