import { readdirSync, readFileSync } from "node:fs";
import { until } from "../machine/until.ts";
import type { RunningServer } from "./server.ts";

/** The child processes of a process. The kernel lists them by the thread that started them. */
export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8")
      .trim()
      .split(" ")
      .filter(Boolean)
      .map(Number),
  );
}

/**
 * Sends SIGKILL to a server and its workers, and waits until all have ended. The server comes first, so that
 * it replaces no worker.
 */
export async function killAll(server: RunningServer): Promise<void> {
  const workers = childrenOf(server.pid);
  const killed = server.kill();
  for (const pid of workers) process.kill(pid, "SIGKILL");
  await killed;
  await until("the workers have ended", async () => !workers.some(isAlive));
}

/**
 * Whether a process runs. After its end it may stay in the list for seconds, until its parent reads its exit
 * code.
 */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The state follows the name, which is in parentheses and may contain any character (proc(5)).
    return !"ZX".includes(stat.charAt(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}
