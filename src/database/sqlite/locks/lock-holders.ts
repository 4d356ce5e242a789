import { readFileSync, statSync } from "node:fs";

/**
 * The processes that hold a lock on any of the files, where the system lists them (Linux: proc_locks(5)). The files
 * are not opened: closing them would drop this process's own locks.
 */
export function lockHolders(paths: readonly string[]): number[] {
  const inodes = new Set(
    paths.flatMap((path) => statSync(path, { throwIfNoEntry: false })?.ino.toString() ?? []),
  );
  const fields = readLocks().map((line) => line.trim().split(/\s+/));
  const pids = fields
    .filter(([, , , , , file]) => inodes.has(file?.split(":").at(-1) ?? ""))
    .map(([, , , , pid]) => Number(pid));
  return [...new Set(pids)].filter((pid) => pid !== process.pid);
}

function readLocks(): string[] {
  try {
    return readFileSync("/proc/locks", "utf8").split("\n");
  } catch {
    return [];
  }
}
