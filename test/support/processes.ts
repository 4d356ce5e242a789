import { readdirSync, readFileSync } from "node:fs";
import type { RunningServer } from "./server.ts";
import { until } from "./until.ts";

/** The kernel lists children by the thread that started them. */
export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8")
      .trim()
      .split(" ")
      .filter(Boolean)
      .map(Number),
  );
}

/** SIGKILL to a server and its workers, all of which have ended then. The server first, so that it replaces none. */
export async function killAll(server: RunningServer): Promise<void> {
  const workers = childrenOf(server.pid);
  const killed = server.kill();
  for (const pid of workers) process.kill(pid, "SIGKILL");
  await killed;
  await until("the workers have ended", async () => !workers.some(isAlive));
}

/** Whether a process runs. One that has ended may stay in the list for seconds, until its parent asks how it ended. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The state stands after the name, which is in parentheses and may hold anything (proc(5)).
    return !"ZX".includes(stat.charAt(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}
