import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The memory that a process has in use, in bytes (Linux). */
export function residentBytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) * 1024;
}

/** How many files a process may have open (Linux). */
export function openFilesLimit(pid: number | "self"): number {
  const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, "utf8")) ?? [];
  return Number(limit);
}

/** How many files and connections a process has open (Linux). */
export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** How many unnamed temporary files a process has open (Linux). */
export function unnamedFiles(pid: number | "self"): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((descriptor) => {
    try {
      return /\/commonplace-[^/]+\/input \(deleted\)$/.test(readlinkSync(`${folder}/${descriptor}`));
    } catch {
      // It was closed meanwhile.
      return false;
    }
  }).length;
}
