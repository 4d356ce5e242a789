import { readdirSync, readFileSync } from "node:fs";

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

export function isAlive(pid: number): boolean {
  return Bun.spawnSync(["kill", "-0", String(pid)]).exitCode === 0;
}
