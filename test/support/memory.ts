import { readdirSync, readFileSync } from "node:fs";

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
